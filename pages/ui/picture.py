"""The film of a replay as a palette picture."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Final

from PIL import Image

from memory_core.film import CODES, Codes, Film, film
from memory_core.replay import Replay
from pages.ui.states import LOOKS

_TRANSPARENT: Final = "#000000"


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A film and its PNG, empty where the film has no cell.

    It holds on to its replay, so that no other replay takes its identity while this is kept.
    """

    replay: Replay
    film: Film
    png: bytes


def picture(replay: Replay) -> Picture:
    """The film of a replay, at most as many rows and columns as `film` gives."""
    found = film(replay)
    return Picture(replay, found, png(found.cells) if found.cells.size else b"")


def png(cells: Codes) -> bytes:
    """A picture with one pixel per cell; what is not recorded yet is transparent."""
    image = Image.fromarray(cells)
    colours = [_TRANSPARENT, *(LOOKS[state].colour for state in CODES)]
    image.putpalette(bytes.fromhex("".join(colours).replace("#", "")))
    packed = io.BytesIO()
    image.save(packed, "PNG", transparency=0, optimize=True)
    return packed.getvalue()
