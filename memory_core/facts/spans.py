"""Where statements stand: spans of one text, the sentence around a place, and fenced blocks."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memory_core.facts.passages import LONGEST

_FENCE: Final = re.compile(r"(?m)^[ \t]{0,12}(`{3,9}|~{3,9})[ \t]{0,4}([\w\-]{0,40})[^\n`]{0,200}$")
_SENTENCE_END: Final = re.compile(
    r"[.!?…][\"'\u201d\u2019)\]*]{0,3}(?=\s)(?!\s[a-z])|(?<=[다요죠까])[.!?](?=[가-힣])"
    r"|[\u3002\uff01\uff1f]"
)
_ABBREVIATION: Final = re.compile(r"(?<![A-Za-z])(?:[A-Z]|e\.g|i\.e|Mr|Mrs|Ms|Dr|vs|No|cf|etc)\.\Z")
_REACH: Final = 2 * LONGEST
_NEAR: Final = 200


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A statement's place in a text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Fence:
    """The body of a fenced block, and the language its fence names."""

    start: int
    end: int
    language: str


def fences(text: str) -> tuple[Fence, ...]:
    """The fenced blocks of `text` in order; one that is never closed runs to the end."""
    if "```" not in text and "~~~" not in text:
        return ()
    found: list[Fence] = []
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif fence[1] == opened[1] and not fence[2]:
            found.append(Fence(opened.end(), fence.start(), opened[2].lower()))
            opened = None
    if opened is not None:
        found.append(Fence(opened.end(), len(text), opened[2].lower()))
    return tuple(found)


def is_fenced(blocks: Sequence[Fence], place: int) -> bool:
    """True if `place` lies in one of the blocks."""
    before = bisect_right(blocks, place, key=lambda block: block.start)
    return before > 0 and place < blocks[before - 1].end


def clipped(text: str, start: int, end: int) -> Span:
    """The span without white space at its edges and without what is too long for one statement."""
    if end - start > _REACH * 2:
        end = start + _REACH * 2
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    end = start + len(piece.strip())
    if end - start > LONGEST:
        head = text[start : start + LONGEST]
        space = head.rfind(" ", LONGEST // 2)
        end = start + (space if space > 0 else LONGEST)
        end = start + len(text[start:end].rstrip())
    return Span(start, end)


def sentence_at(text: str, start: int, end: int, *, since: int = 0) -> Span:
    """The sentence around `text[start:end]`, at most `LONGEST` characters of it.

    `since` = where the sentence before it ended, if that is known.
    """
    line = _line_at(text, start, end, since)
    first, last = line.start, line.end
    for stop in _stops(text, line):
        if stop <= start:
            first = stop
        elif stop >= end:
            last = stop
            break
    if end - first > _NEAR:
        first = max(first, min(start - LONGEST // 2, last - LONGEST))
        first += text[first:start].find(" ") + 1
    return clipped(text, first, last)


def _line_at(text: str, start: int, end: int, since: int) -> Span:
    """The line around `text[start:end]`, as far as it can matter to a statement."""
    since = max(since, start - _REACH)
    last = text.find("\n", end, end + _REACH)
    first = text.rfind("\n", since, start) + 1
    return Span(max(first, since), min(len(text), end + _REACH) if last < 0 else last)


def _stops(text: str, line: Span) -> Iterator[int]:
    for found in _SENTENCE_END.finditer(text, line.start, line.end):
        if found[0] != "." or not _ABBREVIATION.search(text, found.end() - 5, found.end()):
            yield found.end()
