"""A summary that is too long is cut where a sentence or a line ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.summarizing import clip

CUTS = [
    ("fits whole.", 50, "fits whole."),
    ("One is here. Two is there.", 20, "One is here."),
    ("first line\nsecond line", 15, "first line"),
    ("Goal. [#3]\nMore text follows", 14, "Goal. [#3]"),
    ("예산은 3만 원입니다. 창가를 원해요.", 16, "예산은 3만 원입니다."),
    ("no end in sight at all", 10, ""),
    ("One.", 0, ""),
    ("One.", -5, ""),
]


@pytest.mark.parametrize(("text", "cap", "expected"), CUTS)
def test_it_cuts_behind_the_last_sentence_or_line_that_fits(
    text: str, cap: int, expected: str
) -> None:
    assert clip(text, cap, len) == expected


@given(st.text(st.sampled_from("ab. \n!다요?😀"), max_size=80), st.integers(0, 100))
def test_the_result_fits_and_is_a_head_of_the_text(text: str, cap: int) -> None:
    cut = clip(text, cap, len)
    assert len(cut) <= cap
    assert text.startswith(cut)
