"""Cards of foreign text with highlights, word diffs and buttons: the one place where texts of a
session are marked up. They travel as data, and the browser makes them text, never mark-up.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from memory_core.texts import _
from pages.ui import changes
from pages.ui.parts import part

Kind = Literal["plain", "added", "removed", "cut", "found", "link"]
"""How a piece of text looks. `removed` is no longer there; `cut` is there, but not sent."""

TALL: Final = 180
"""Pixels from which on a text scrolls in its box."""

_part = part("marked", '<div class="cards" role="list"></div>')


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text; a click on one with a `target` looks at the message of that index."""

    kind: Kind
    text: str
    target: int | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """One text in a box; blocks of a card stand beside each other where there is room."""

    spans: Sequence[Span]
    label: str = ""
    mono: bool = True
    height: int | None = None
    """Pixels from which on it scrolls, None = `TALL`."""
    opens_at: Collection[Kind] = ("found",)
    """The first piece of such a kind is what is seen of it first."""


@dataclass(frozen=True, slots=True)
class Button:
    """What a card offers: `action` and `value` go to `changes.act`."""

    word: str
    title: str
    action: Literal["call", "message", "pin"]
    value: int
    pressed: bool | None = None


@dataclass(frozen=True, slots=True)
class Chip:
    """What a card is, as a glyph and a word on a colour on which black can be read."""

    glyph: str
    word: str
    colour: str


@dataclass(frozen=True, slots=True)
class Card:
    """One message or text. `id` is unique in a list; a message's is its index.

    `aside`: its tokens in words; `bar`: the share of them that is sent, 0 to 1; `marked`: the one
    that is looked at, into view it comes.
    """

    id: str
    title: str
    chip: Chip | None = None
    aside: str = ""
    why: str = ""
    bar: float | None = None
    marked: bool = False
    blocks: Sequence[Block] = ()
    buttons: Sequence[Button] = ()


def cards(cards: Sequence[Card], *, key: str, height: int | None = None) -> None:
    """Show cards, all as one element; `height` in pixels, None = as high as they are."""
    data = {
        "cards": [_as_data(card) for card in cards],
        "copy": [_("copy"), _("copied"), _("select and copy by hand")],
        "no_text": _("(no text)"),
    }
    _part(key=key, data=data, height=height or "content", on_action_change=lambda: changes.act(key))


def _as_data(card: Card) -> dict[str, Any]:
    """Only what is set, under short names: thousands of them travel at every move."""
    chip = card.chip
    data = {
        "id": card.id,
        "title": card.title,
        "chip": [chip.glyph, chip.word, chip.colour] if chip else None,
        "aside": card.aside,
        "why": card.why,
        "bar": None if card.bar is None else round(min(max(card.bar, 0), 1), 3),
        "marked": card.marked or None,
        "blocks": [_block(block) for block in card.blocks],
        "buttons": [
            [one.word, one.title, one.action, one.value, one.pressed] for one in card.buttons
        ],
    }
    return {name: value for name, value in data.items() if value not in (None, "", [])}


def _block(block: Block) -> dict[str, Any]:
    spans = [span for span in block.spans if span.text]
    return {
        "label": block.label,
        "mono": block.mono,
        "height": block.height or TALL,
        "opens": next((n for n, span in enumerate(spans) if span.kind in block.opens_at), 0),
        "spans": [_span(span) for span in spans],
    }


def _span(span: Span) -> list[str | int]:
    target = [] if span.target is None else [span.target]
    return [span.kind, span.text, *target]
