"""The widest text that fits a threshold, in characters or tokens."""

from __future__ import annotations

from typing import Final

from memory_core.config import ThresholdUnit
from memory_core.pruning.style import Body
from memory_core.tokens.counting import TokenCounter

TRIES: Final = 8
FIRST_CHARACTERS_PER_TOKEN: Final = 3
COUNTED_WHOLE: Final = 200_000
LOOKED_AT: Final = 20_000
CUT_ERROR: Final = 256
"""Tokens by which a cut may change the count of a text's start: far above what was seen."""


def fitted(
    render: Body, *, longest: int, threshold: int, unit: ThresholdUnit, count: TokenCounter
) -> str | None:
    """`render(room)` for a wide room within `threshold` and `longest` characters, or None.

    `render(room)` is at most `room` characters longer than `render(0)`. In characters the room is
    the widest; in tokens a few tries come close, so that the work is bounded by the threshold.
    """
    frame = render(0)
    if len(frame) > longest:
        return None
    if unit == "tokens":
        return _fitted_tokens(
            render, frame, widest=longest - len(frame), threshold=threshold, count=count
        )
    room = min(longest, threshold) - len(frame)
    return render(room) if room >= 0 else None


def _fitted_tokens(
    render: Body, frame: str, *, widest: int, threshold: int, count: TokenCounter
) -> str | None:
    spare = threshold - count(frame)
    if spare < 0:
        return None
    best, low, high = frame, 0, widest
    room = min(widest, spare * FIRST_CHARACTERS_PER_TOKEN)
    for _ in range(TRIES):
        text = render(room)
        if text == best:
            break
        over = count(text) - threshold
        if over <= 0:
            best, low = text, room
        else:
            high = room - 1
        if low >= high or -threshold // 20 <= over <= 0:
            break
        guess = room * spare // max(1, spare + over)
        room = guess if low < guess <= high else (low + high + 1) // 2
    return best


def exceeds(text: str, limit: int, count: TokenCounter) -> bool:
    """Whether `text` takes more than `limit` tokens; the start of a very long text often tells."""
    looked_at = max(LOOKED_AT, limit * 8)
    while len(text) > max(COUNTED_WHOLE, looked_at):
        if count(text[:looked_at]) > limit + CUT_ERROR:
            return True
        looked_at *= 8
    return count(text) > limit
