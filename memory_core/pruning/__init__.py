"""Shortening old tool outputs: what stays of a text, and where it must stay whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from memory_core.config import PruningStyle, ThresholdUnit
from memory_core.messages import ChatMessage, Part
from memory_core.pruning.cuts import start_of
from memory_core.pruning.failures import is_error_output
from memory_core.pruning.fitting import exceeds, fitted
from memory_core.pruning.head import head
from memory_core.pruning.head_tail import head_tail
from memory_core.pruning.json_shape import json_shape
from memory_core.pruning.marker import is_marked, marker
from memory_core.pruning.placeholder import placeholder
from memory_core.pruning.style import Body, Style
from memory_core.tokens.counting import TokenCounter

__all__ = [
    "ELLIPSIS",
    "STYLES",
    "Body",
    "Style",
    "is_error_output",
    "is_marked",
    "marker",
    "prune_message",
    "prune_text",
]

STYLES: Final[Mapping[PruningStyle, Style]] = {
    "head": head,
    "head_tail": head_tail,
    "json": json_shape,
    "placeholder": placeholder,
}

ELLIPSIS: Final = "…"
"""Ends a text whose threshold has no room for the marker."""


def prune_text(
    text: str,
    *,
    threshold: int,
    unit: ThresholdUnit,
    style: PruningStyle,
    number: int,
    count: TokenCounter,
) -> str | None:
    """`text` shortened to at most `threshold` (≥ 1) units, marker included, or None where it stays.

    It stays if it is not over the threshold, already marked, or if shortening saves no token.
    The result never has more characters. `number` is the message's index, for the marker.
    """
    threshold = max(1, threshold)
    if is_marked(text) or not _is_over(text, threshold, unit, count):
        return None
    body, mark = STYLES[style](text), marker(len(text), number)
    shortened = fitted(
        lambda room: body(room) + mark,
        longest=len(text),
        threshold=threshold,
        unit=unit,
        count=count,
    ) or fitted(
        lambda room: start_of(text, room) + ELLIPSIS,
        longest=len(text),
        threshold=threshold,
        unit=unit,
        count=count,
    )
    if shortened is None or not exceeds(text, count(shortened), count):
        return None
    return shortened


def prune_message(
    message: ChatMessage,
    *,
    threshold: int,
    unit: ThresholdUnit,
    style: PruningStyle,
    number: int,
    count: TokenCounter,
) -> ChatMessage | None:
    """`message` with its text shortened as by `prune_text`, or None where it stays.

    Text parts become one text part in the place of the first; images and other parts are kept.
    """
    text = message.text
    shortened = prune_text(
        text, threshold=threshold, unit=unit, style=style, number=number, count=count
    )
    if shortened is None:
        return None
    if not isinstance(message.content, tuple):
        return message.model_copy(update={"content": shortened})
    parts = _with_one_text(message.content, shortened)
    if count(shortened) >= sum(count(part.text) for part in message.content if part.is_text):
        return None
    return message.model_copy(update={"content": parts})


def _is_over(text: str, threshold: int, unit: ThresholdUnit, count: TokenCounter) -> bool:
    return len(text) > threshold if unit == "characters" else exceeds(text, threshold, count)


def _with_one_text(parts: tuple[Part, ...], text: str) -> tuple[Part, ...]:
    first = next(position for position, part in enumerate(parts) if part.is_text)
    shortened = parts[first].model_copy(update={"text": text})
    return tuple(
        shortened if position == first else part
        for position, part in enumerate(parts)
        if position == first or not part.is_text
    )
