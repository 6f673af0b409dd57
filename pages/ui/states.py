"""How each state of a message looks: one glyph and one colour, the same everywhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from memory_core.plan import State
from memory_core.texts import _

# Okabe and Ito's palette: told apart by every kind of colour vision.
ORANGE: Final = "#E69F00"
SKY: Final = "#56B4E9"
GREEN: Final = "#009E73"
YELLOW: Final = "#F0E442"
BLUE: Final = "#0072B2"
VERMILION: Final = "#D55E00"
PURPLE: Final = "#CC79A7"
GREY: Final = "#999999"


@dataclass(frozen=True, slots=True)
class Look:
    """Glyph and background colour of a chip; black text is readable on every one of them."""

    glyph: str
    colour: str


LOOKS: Final = {
    State.KEPT: Look("●", GREEN),
    State.PRUNED: Look("✂", ORANGE),
    State.SUMMARISED: Look("Σ", SKY),
    State.DROPPED: Look("✖", VERMILION),
    State.PINNED: Look("◆", PURPLE),
    State.REPAIRED: Look("⚠", YELLOW),
}
ANSWER: Final = Look("↩", GREY)


def state_name(state: State) -> str:
    """The word for a state."""
    return {
        State.KEPT: _("kept"),
        State.PRUNED: _("pruned"),
        State.SUMMARISED: _("summarised"),
        State.DROPPED: _("dropped"),
        State.PINNED: _("pinned"),
        State.REPAIRED: _("repaired"),
    }[state]
