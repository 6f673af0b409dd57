"""Which piece of a long text is shown, so that a page of them stays small."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Final

from memory_core.texts import _
from pages.ui.marked import Block, Card, Span

LONGEST: Final = 4_000
"""Characters of one text that are shown."""
LONGEST_FOCUSED: Final = 40_000
"""Characters of the text that is looked at."""
ROOM: Final = 58_000
"""Bytes that all texts of a page take together on their way to the browser, at most."""
MOST_HITS: Final = 40
"""Places marked in one text."""
FOR_FOCUSED: Final = 0.6
"""Share of the room that the text that is looked at may take."""
_BEFORE_HIT: Final = 4
"""One part of so many of an excerpt stands before what was searched."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The characters [start, end) of a text of `length`."""

    start: int
    end: int
    length: int

    @property
    def is_whole(self) -> bool:
        return self.end - self.start == self.length

    @property
    def note(self) -> str:
        """What is shown, in words; "" where that is all."""
        shared = {"n": self.end - self.start, "start": self.start + 1, "end": self.end}
        if self.is_whole:
            return ""
        if self.start == 0:
            line = _("the first {n:,} of {length:,} characters")
        else:
            line = _("characters {start:,} to {end:,} of {length:,}")
        return line.format(length=self.length, **shared)


def pattern(wanted: str) -> re.Pattern[str] | None:
    """What finds `wanted` in upper or lower case of any alphabet; None for no text."""
    return re.compile(re.escape(wanted), re.IGNORECASE) if wanted else None


def fitted(
    cards: Sequence[Card], *, found: re.Pattern[str] | None = None, room: int = ROOM
) -> list[Card]:
    """Cards with excerpts in place of long texts, and what is found in them marked.

    Their texts weigh at most `room` bytes together; what is shown of each stands in its label.
    """
    pieces = [
        _Piece(block, excerpt(_text(block), most=most, found=found), card.marked)
        for card in cards
        for most in [LONGEST_FOCUSED if card.marked else LONGEST]
        for block in card.blocks
    ]
    focused = [piece.weight for piece in pieces if piece.is_focused]
    most = level(focused, room=int(room * FOR_FOCUSED))
    rest = [piece.weight for piece in pieces if not piece.is_focused]
    least = level(rest, room=room - sum(min(own, most) for own in focused))
    blocks = iter([piece.block_of(most if piece.is_focused else least, found) for piece in pieces])
    return [replace(card, blocks=[next(blocks) for _block in card.blocks]) for card in cards]


@dataclass(frozen=True)
class _Piece:
    """A block and the excerpt of it that is wanted."""

    block: Block
    wanted: Excerpt
    is_focused: bool

    @cached_property
    def weight(self) -> int:
        return weight(_text(self.block)[self.wanted.start : self.wanted.end])

    def block_of(self, room: int, found: re.Pattern[str] | None) -> Block:
        """The block with as much of the excerpt as fits."""
        shown = within(_text(self.block), self.wanted, room=room)
        label = ": ".join(part for part in (self.block.label, shown.note) if part)
        spans = with_hits(list(cut(self.block.spans, shown)), found)
        return replace(self.block, spans=spans, label=label)


def _text(block: Block) -> str:
    return "".join(span.text for span in block.spans)


def excerpt(text: str, *, most: int, found: re.Pattern[str] | None = None) -> Excerpt:
    """At `most` so many characters: the first ones, or those around what is found first."""
    hit = found.search(text) if found and len(text) > most else None
    start = 0
    if hit and hit.end() > most:
        start = min(hit.start() - most // _BEFORE_HIT, len(text) - most)
    return Excerpt(start, min(start + most, len(text)), len(text))


def weight(text: str) -> int:
    """Bytes of a text on its way to the browser."""
    return len(json.dumps(text)) - 2


def within(text: str, shown: Excerpt, *, room: int) -> Excerpt:
    """An excerpt cut at its end until it weighs at most `room`."""
    end = shown.end
    while (heavy := weight(text[shown.start : end])) > room:
        end = shown.start + (end - shown.start) * room // heavy
    return replace(shown, end=end)


def level(weights: Sequence[int], *, room: int) -> int:
    """The most that each may weigh so that all together take the room: short ones stay whole."""
    left = room
    for place, own in enumerate(sorted(weights)):
        share = left // (len(weights) - place)
        if own > share:
            return share
        left -= own
    return room


def cut(spans: Sequence[Span], shown: Excerpt) -> Iterator[Span]:
    """The spans of an excerpt."""
    at = 0
    for span in spans:
        piece = span.text[max(shown.start - at, 0) : max(shown.end - at, 0)]
        if piece:
            yield replace(span, text=piece)
        at += len(span.text)


def with_hits(spans: Sequence[Span], found: re.Pattern[str] | None) -> list[Span]:
    """The spans with the places that are found in them, together as one text, marked."""
    if found is None:
        return list(spans)
    text = "".join(span.text for span in spans)
    hits = [match.span() for match in islice(found.finditer(text), MOST_HITS)]
    marked: list[Span] = []
    at = 0
    for span in spans:
        marked += _parted(span, at, hits)
        at += len(span.text)
    return marked


def _parted(span: Span, start: int, hits: Sequence[tuple[int, int]]) -> Iterator[Span]:
    """A span that stands at `start`, with the part of every hit that lies in it marked."""
    done = 0
    for hit in hits:
        left, right = max(hit[0] - start, 0), min(hit[1] - start, len(span.text))
        if left < right:
            yield replace(span, text=span.text[done:left])
            yield replace(span, kind="found", text=span.text[left:right])
            done = right
    yield replace(span, text=span.text[done:])
