"""What changed between two texts: line by line first, then word by word within changed lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby, islice
from typing import Final, Literal

MOST_ITEMS: Final = 1_000
"""Changed lines, or words of a passage, up to which they are compared one by one."""
MOST_PAIRS: Final = 20_000
"""Pairs of equal lines or words up to which they are; the time grows with them."""
LEAST_ALIKE: Final = 0.3
"""Share of common characters below which a passage counts as changed as a whole."""

# A word takes the space before it, so that spaces alone are never what is common.
_WORDS: Final = re.compile(r"\s*(?:\w+|[^\w\s]+)|\s+\Z")


Kind = Literal["plain", "added", "removed"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of characters: in both texts, only in the later one, or only in the earlier one."""

    kind: Kind
    text: str


def word_diff(before: str, after: str) -> tuple[Piece, ...]:
    """The pieces of both texts in order, no two neighbours of a kind.

    Without the added ones they are `before`, without the removed ones `after`. The time is bounded:
    what has more than `MOST_ITEMS` or `MOST_PAIRS` counts as changed as a whole.
    """
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    return tuple(_joined(_compared(old, new, finer=_by_words)))


def shortening(recorded: str, sent: str) -> tuple[Piece, ...]:
    """The same for a text that was shortened: what both start and end with stays whole."""
    start = _shared(recorded, sent)
    behind, rest = recorded[start:], sent[start:]
    end = _shared(behind[::-1], rest[::-1]) if rest else 0
    middle = word_diff(behind[: len(behind) - end], rest[: len(rest) - end])
    last = recorded[len(recorded) - end :]
    return tuple(_joined([Piece("plain", recorded[:start]), *middle, Piece("plain", last)]))


def _by_words(before: str, after: str) -> Iterator[Piece]:
    pieces = list(_compared(_words(before), _words(after), finer=_whole))
    common = sum(len(piece.text) for piece in pieces if piece.kind == "plain")
    is_alike = 2 * common >= LEAST_ALIKE * (len(before) + len(after))
    yield from pieces if is_alike else _whole(before, after)


def _words(text: str) -> list[str]:
    """Its words; of too many the rest is one."""
    found = [match[0] for match in islice(_WORDS.finditer(text), MOST_ITEMS)]
    rest = text[sum(map(len, found)) :]
    return [*found, rest] if rest else found


def _compared(
    old: Sequence[str], new: Sequence[str], *, finer: Callable[[str, str], Iterable[Piece]]
) -> Iterator[Piece]:
    """The pieces of two lists of items, `finer` for those in each other's place."""
    start = _shared(old, new)
    end = _shared(old[start:][::-1], new[start:][::-1])
    left, right = old[start : len(old) - end], new[start : len(new) - end]
    yield Piece("plain", "".join(old[:start]))
    if _is_quick(left, right):
        for kind, i, j, k, m in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
            earlier, later = "".join(left[i:j]), "".join(right[k:m])
            if kind == "equal":
                yield Piece("plain", earlier)
            elif kind == "replace":
                yield from finer(earlier, later)
            else:
                yield from _whole(earlier, later)
    else:
        yield from _whole("".join(left), "".join(right))
    yield Piece("plain", "".join(old[len(old) - end :]))


def _is_quick(old: Sequence[str], new: Sequence[str]) -> bool:
    if max(len(old), len(new)) > MOST_ITEMS:
        return False
    ours, theirs = Counter(old), Counter(new)
    return sum(count * theirs[item] for item, count in ours.items()) <= MOST_PAIRS


def _whole(before: str, after: str) -> Iterator[Piece]:
    yield Piece("removed", before)
    yield Piece("added", after)


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """How many items, or characters, both start with."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        half = (low + high + 1) // 2
        if one[low:half] == other[low:half]:
            low = half
        else:
            high = half - 1
    return low


def _joined(pieces: Iterable[Piece]) -> Iterator[Piece]:
    for kind, run in groupby((one for one in pieces if one.text), key=_kind):
        yield Piece(kind, "".join(one.text for one in run))


def _kind(piece: Piece) -> Kind:
    return piece.kind
