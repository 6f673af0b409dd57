"""Promises about cutting between visible characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.pruning.cuts import end_of, start_of

CHARACTERS = (
    "a",
    "한",
    "\r\n",
    "e\u0301",
    "❤\ufe0f",
    "👍🏽",
    "👩\u200d👩\u200d👧",
    "\u1112\u1161\u11ab",
    "\ud83d\ude00",
    "सि",
)


@pytest.mark.parametrize("character", CHARACTERS)
@pytest.mark.parametrize("room", range(12))
def test_no_visible_character_is_torn(character: str, room: int) -> None:
    text = character * 20
    whole = room // len(character) * len(character)
    assert start_of(text, room) == text[:whole]
    assert end_of(text, room) == text[len(text) - whole :]


def test_a_flag_is_not_halved() -> None:
    assert start_of("ab🇰🇷", 3) == "ab"
    assert end_of("🇰🇷ab", 3) == "ab"


@given(text=st.text(st.characters(codec=None)), room=st.integers(0, 60))
def test_a_cut_is_an_end_of_the_text_within_the_room(text: str, room: int) -> None:
    start, end = start_of(text, room), end_of(text, room)
    assert text.startswith(start)
    assert text.endswith(end)
    assert len(start) <= room
    assert len(end) <= room


def test_an_endless_character_is_cut_all_the_same() -> None:
    text = "a" + "\u0301" * 1_000
    assert len(start_of(text, 500)) == 500
    assert len(end_of(text, 500)) == 500
