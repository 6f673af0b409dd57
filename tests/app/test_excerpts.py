"""Excerpts: nothing is altered, short texts stay whole, and all of them fit their room."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pages.ui.excerpts import (
    LONGEST,
    cut,
    excerpt,
    fitted,
    level,
    pattern,
    weight,
    with_hits,
    within,
)
from pages.ui.marked import Block, Card, Span

TEXTS = st.lists(st.text(max_size=30), max_size=6)


def spans_of(texts: list[str]) -> list[Span]:
    return [Span("cut" if place % 2 else "plain", text) for place, text in enumerate(texts)]


def said(spans: list[Span]) -> str:
    return "".join(span.text for span in spans)


@given(TEXTS, st.text(min_size=1, max_size=3))
def test_marking_what_is_found_changes_no_character(texts: list[str], wanted: str) -> None:
    spans = spans_of(texts)
    assert said(with_hits(spans, pattern(wanted))) == said(spans)


@given(st.integers(0, 40), st.integers(0, 40))
def test_a_found_passage_is_marked_across_the_bounds_of_spans(before: int, after: int) -> None:
    parts = ["x" * before, "nee", "dle", "y" * after]
    found = [span for span in with_hits(spans_of(parts), pattern("NEEDLE")) if span.kind == "found"]
    assert said(found) == "needle"


@given(TEXTS, st.integers(1, 50), st.text(min_size=1, max_size=2))
def test_an_excerpt_is_a_piece_of_its_text_with_what_was_found(
    texts: list[str], most: int, wanted: str
) -> None:
    spans, text = spans_of(texts), "".join(texts)
    shown = excerpt(text, most=most, found=pattern(wanted))
    assert said(list(cut(spans, shown))) == text[shown.start : shown.end]
    assert shown.end - shown.start == min(most, len(text))
    assert bool(shown.note) is (len(text) > most)


@given(st.text(), st.integers(0, 200))
def test_a_text_cut_to_a_room_fits_it(text: str, room: int) -> None:
    shown = within(text, excerpt(text, most=100), room=room)
    assert weight(text[shown.start : shown.end]) <= room


@given(st.lists(st.integers(0, 500), min_size=1), st.integers(0, 2000))
def test_a_level_fills_the_room_and_never_more(weights: list[int], room: int) -> None:
    most = level(weights, room=room)
    taken = sum(min(own, most) for own in weights)
    assert taken <= room
    assert taken == sum(weights) or taken > room - len(weights)


@given(st.lists(st.text(max_size=400), min_size=1, max_size=8), st.sampled_from([None, 0, 3]))
def test_all_texts_of_a_page_fit_its_room(texts: list[str], looked_at: int | None) -> None:
    given_cards = [
        Card(str(n), "", marked=n == looked_at, blocks=[Block([Span("plain", text)])])
        for n, text in enumerate(texts)
    ]
    shown = fitted(given_cards, room=600)
    pieces = [said(list(block.spans)) for card in shown for block in card.blocks]
    assert sum(map(weight, pieces)) <= 600
    assert all(text.startswith(piece) for text, piece in zip(texts, pieces, strict=True))
    assert all(
        bool(block.label) is (piece != text)
        for card, piece, text in zip(shown, pieces, texts, strict=True)
        for block in card.blocks
    )


def test_a_hit_far_in_a_text_has_something_before_it() -> None:
    shown = excerpt("x" * 50_000 + "needle" + "x" * 50_000, most=LONGEST, found=pattern("needle"))
    assert (shown.start, shown.end) == (49_000, 53_000)
