"""Word diffs: nothing is lost, what stayed is not marked, and no text takes long."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.ui.diffs import Piece, shortening, word_diff

Diff = Callable[[str, str], tuple[Piece, ...]]
DIFFS = pytest.mark.parametrize("diff", [word_diff, shortening])
WORDS = st.lists(
    st.sampled_from(["a", "b ", "ab", " ", "\n", "가", "👩\u200d👧", "\x00", ".", "\r\n"])
)


def without(pieces: tuple[Piece, ...], kind: str) -> str:
    return "".join(piece.text for piece in pieces if piece.kind != kind)


def said(pieces: tuple[Piece, ...]) -> str:
    marks = {"plain": "{}", "added": "+{}+", "removed": "-{}-"}
    return "".join(marks[piece.kind].format(piece.text) for piece in pieces)


@DIFFS
@given(before=st.text() | WORDS.map("".join), after=st.text() | WORDS.map("".join))
def test_without_what_was_added_the_earlier_text_is_left_and_the_other_way_round(
    diff: Diff, before: str, after: str
) -> None:
    pieces = diff(before, after)
    assert without(pieces, "added") == before
    assert without(pieces, "removed") == after
    assert all(piece.text for piece in pieces)
    kinds = [piece.kind for piece in pieces]
    assert all(one != other for one, other in pairwise(kinds))


@DIFFS
@given(text=st.text())
def test_equal_texts_have_no_marks(diff: Diff, text: str) -> None:
    assert diff(text, text) == ((Piece("plain", text),) if text else ())


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("the old port is 80", "the new port is 80", "the- old-+ new+ port is 80"),
        ("one\ntwo\n", "one\nmore\ntwo\n", "one\n+more\n+two\n"),
        ("one\ntwo\nthree", "one\nthree", "one\n-two\n-three"),
        ("서버는 서울에 있다", "서버는 부산에 있다", "서버는- 서울에-+ 부산에+ 있다"),
        (
            "completely other",
            "nothing in common here",
            "-completely other-+nothing in common here+",
        ),
    ],
)
def test_words_are_compared_in_lines_that_changed(before: str, after: str, expected: str) -> None:
    assert said(word_diff(before, after)) == expected


def test_of_a_shortened_text_its_start_and_end_stay_to_the_letter() -> None:
    pieces = shortening("beginning, a long middle, the end", "begin\n…\nend")
    assert said(pieces) == "begin-ning, a long middle, the -+\n…\n+end"


NASTY = {
    "equal words": ("a " * 50_000, "a " * 49_000 + "b"),
    "turned round": (" ".join(map(str, range(20_000))), " ".join(map(str, range(20_000, 0, -1)))),
    "equal lines": ("x\ny\n" * 25_000, "y\nx\n" * 25_000),
    "one long word": ("x" * 100_000, "x" * 50_000 + "y" * 50_000),
    "spaces": (" " * 100_000, "\n" * 100_000),
    "lines that alternate": (
        "".join(f"{n % 37}\n" for n in range(900)),
        "".join(f"{n % 41}\n" for n in range(900)),
    ),
    "words that alternate": (
        " ".join(f"w{n * n % 59}" for n in range(1000)),
        " ".join(f"w{n * n % 61}" for n in range(1000)),
    ),
}


@DIFFS
@pytest.mark.parametrize("name", NASTY)
def test_no_pair_of_long_texts_takes_long(diff: Diff, name: str) -> None:
    before, after = NASTY[name]
    start = time.perf_counter()
    pieces = diff(before, after)
    assert time.perf_counter() - start < 2
    assert without(pieces, "added") == before
