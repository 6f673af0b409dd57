"""The picture of a film has a pixel for every cell, in the colours of the states, and is small."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image

from benchmarks.sessions import session
from memory_core.config import MemoryConfig
from memory_core.film import CODES, UNKNOWN, Codes
from memory_core.replay import draft, replay
from pages.ui.picture import picture, png
from pages.ui.states import LOOKS
from tests.saying import assistant, talk


def pixels(data: bytes) -> Codes:
    """Red, green, blue and alpha, shape (rows, columns, 4)."""
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGBA"))


def test_every_cell_is_a_pixel_in_the_colour_of_its_state() -> None:
    cells = np.array([[UNKNOWN, *CODES.values()]] * 2, np.uint8)
    drawn = pixels(png(cells))
    assert drawn.shape == (2, 1 + len(CODES), 4)
    assert drawn[0, 0, 3] == 0
    for state, code in CODES.items():
        red, green, blue, alpha = drawn[1, code].tolist()
        assert f"#{red:02X}{green:02X}{blue:02X}" == LOOKS[state].colour
        assert alpha == 255


def test_a_picture_of_ten_thousand_messages_is_small_and_a_whole_film_below_two_megabytes() -> None:
    done = draft(session(10_000, characters=90), MemoryConfig(model="chars / 4"))
    assert len(done.plans) > 4_000
    shown = picture(done)
    assert shown.film.cells.shape == (180, 800)
    assert len(shown.png) < 60_000
    rng = np.random.default_rng(1)
    left = rng.integers(0, 4_000, (10_000, 1))
    staircase = np.where(np.arange(5_000) < left, 1 + left % 2, 3).astype(np.uint8)
    assert len(png(staircase)) < 2_000_000


def test_a_session_without_a_cell_has_no_picture() -> None:
    assert picture(replay([assistant("hello")], MemoryConfig())).png == b""
    assert picture(replay(talk(2), MemoryConfig())).png
