"""Promises about a shortened text: fits, says what it was, costs less, stays as it is."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memory_core.config import PruningStyle, ThresholdUnit
from memory_core.pruning import STYLES, is_marked, marker, prune_text
from memory_core.tokens.counting import text_counter

COUNT = text_counter("gpt-5")
MARK = "\n... [Tool Output Truncated: Total Length {} chars] [#{}]"

ROWS = [{"id": n, "name": f"품목 {n}", "price": n * 1.5, "tags": ["a", "b"]} for n in range(60)]
LOG = "".join(f"12:00:{n:02} INFO step {n} done in {n * 7} ms\n" for n in range(60))
SOURCES = {
    "korean": "배포가 끝난 뒤 결제 오류를 확인했습니다. 다음 점검은 금요일입니다. " * 40,
    "emoji": "👩‍👩‍👧 👍🏽 🇰🇷 ❤️ 😀" * 80,
    "json": json.dumps({"status": "ok", "rows": ROWS, "message": "60 rows"}, ensure_ascii=False),
    "log": LOG + "FATAL disk full on /dev/sda1\n",
    "right to left": "السلام عليكم ורחמת " * 80,
    "spaces": " " * 4_000,
    "one letter": "a" * 4_000,
    "control": "\x00\x01\r\n\ud800" * 500,
}
units = st.sampled_from(get_args(ThresholdUnit))
styles = st.sampled_from(list(STYLES))


@st.composite
def any_text(draw: st.DrawFn) -> str:
    source = draw(st.sampled_from(list(SOURCES.values())))
    start = draw(st.text(st.characters(codec=None), max_size=40))
    return start + source[: draw(st.sampled_from([0, 50, 100, 300, 1_000, 4_000]))]


texts = any_text()


def size(text: str, unit: ThresholdUnit) -> int:
    return len(text) if unit == "characters" else COUNT(text)


def pruned(
    text: str,
    threshold: int,
    style: PruningStyle = "head_tail",
    unit: ThresholdUnit = "characters",
    number: int = 7,
) -> str | None:
    return prune_text(text, threshold=threshold, unit=unit, style=style, number=number, count=COUNT)


@settings(deadline=None, max_examples=300)
@given(text=texts, threshold=st.integers(1, 5_000), unit=units, style=styles)
@example(text=SOURCES["json"], threshold=1, unit="tokens", style="json")
@example(text=SOURCES["spaces"], threshold=30, unit="tokens", style="head")
def test_a_shortened_text_fits_with_its_marker_costs_less_and_is_left_alone_the_second_time(
    text: str, threshold: int, unit: ThresholdUnit, style: PruningStyle
) -> None:
    shortened = pruned(text, threshold, style, unit)
    if shortened is None:
        return
    assert size(text, unit) > threshold
    assert size(shortened, unit) <= threshold
    assert COUNT(shortened) < COUNT(text)
    assert len(shortened) <= len(text)
    assert shortened.endswith((MARK.format(len(text), 7), "…"))
    assert pruned(shortened, threshold, style, unit) is None
    if is_marked(shortened):
        assert pruned(shortened, 1, style, unit) is None


@pytest.mark.parametrize("source", [name for name in SOURCES if name != "spaces"])
@pytest.mark.parametrize("unit", get_args(ThresholdUnit))
@pytest.mark.parametrize("style", list(STYLES))
def test_every_style_shortens_every_kind_of_long_text_to_a_marked_one(
    source: str, unit: ThresholdUnit, style: PruningStyle
) -> None:
    text = SOURCES[source]
    threshold = size(text, unit) * 3 // 4
    shortened = pruned(text, threshold, style, unit)
    assert shortened is not None
    assert shortened.endswith(MARK.format(len(text), 7))


@pytest.mark.parametrize("unit", get_args(ThresholdUnit))
@pytest.mark.parametrize("style", ["head", "head_tail"])
@pytest.mark.parametrize("source", ["korean", "emoji", "json", "log", "right to left"])
def test_most_of_the_room_is_used(source: str, style: PruningStyle, unit: ThresholdUnit) -> None:
    shortened = pruned(SOURCES[source], 200, style, unit)
    assert shortened is not None
    assert 180 <= size(shortened, unit) <= 200


@given(text=texts, threshold=st.integers(1, 5_000), unit=units, style=styles)
@settings(deadline=None, max_examples=100)
def test_a_text_at_or_below_the_threshold_stays(
    text: str, threshold: int, unit: ThresholdUnit, style: PruningStyle
) -> None:
    at_least = max(threshold, size(text, unit))
    assert pruned(text, at_least, style, unit) is None


@pytest.mark.parametrize("style", list(STYLES))
def test_a_text_marked_by_the_article_or_by_us_stays_and_a_quoted_marker_does_not_protect(
    style: PruningStyle,
) -> None:
    for mark in (marker(900, 3), marker(900, 3).removesuffix(" [#3]")):
        assert pruned("output " * 50 + mark, 10, style) is None
        assert pruned("seen in a log: " + mark + " and more of it" * 50, 100, style) is not None


def test_the_styles_show_start_end_shape_or_nothing() -> None:
    log, rows = SOURCES["log"], SOURCES["json"]
    head, both = pruned(log, 300, "head"), pruned(log, 300, "head_tail")
    shape, nothing = pruned(rows, 300, "json"), pruned(rows, 300, "placeholder")
    assert head
    assert head.startswith("12:00:00 INFO step 0")
    assert "FATAL" not in head
    assert both
    assert both.startswith("12:00:00 INFO step 0")
    assert "\n…\n" in both
    assert both.endswith("FATAL disk full on /dev/sda1\n" + MARK.format(len(log), 7))
    assert shape
    shown: dict[str, Any] = json.loads(shape.removesuffix(MARK.format(len(rows), 7)))
    assert list(shown) == ["status", "rows", "message"]
    assert shown["rows"][0] == ROWS[0]
    assert shown["rows"][-1].endswith("more items")
    assert nothing == MARK.format(len(rows), 7)


@pytest.mark.parametrize("threshold", [1, 2, 30, 57])
@pytest.mark.parametrize("style", list(STYLES))
def test_without_room_for_the_marker_the_start_and_an_ellipsis_remain(
    threshold: int, style: PruningStyle
) -> None:
    text = SOURCES["log"]
    assert pruned(text, threshold, style) == text[: threshold - 1] + "…"


def test_a_text_of_few_tokens_is_not_given_a_longer_marker() -> None:
    assert pruned("a" * 100, 90) is None
    assert pruned(SOURCES["spaces"], 3_000) is None


@pytest.mark.parametrize("model", ["len // 3", "chars / 4"])
@pytest.mark.parametrize("unit", get_args(ThresholdUnit))
@pytest.mark.parametrize("style", list(STYLES))
def test_rules_of_thumb_serve_as_counters(
    model: str, unit: ThresholdUnit, style: PruningStyle
) -> None:
    count = text_counter(model)
    text = SOURCES["json"]
    for threshold in (1, 40, 400):
        shortened = prune_text(
            text, threshold=threshold, unit=unit, style=style, number=0, count=count
        )
        assert shortened
        assert (len if unit == "characters" else count)(shortened) <= threshold


HUGE = {
    "log": SOURCES["log"] * 2_000,
    "json": json.dumps(ROWS * 500, ensure_ascii=False),
    "keys": json.dumps({f"key {n}": n for n in range(200_000)}),
    "nested": "[" * 2_500_000 + "]" * 2_500_000,
    "spaces": " " * 5_000_000,
    "korean": SOURCES["korean"] * 3_000,
}


@pytest.mark.parametrize("style", list(STYLES))
@pytest.mark.parametrize("source", list(HUGE))
def test_megabytes_are_shortened_without_counting_them_whole(
    source: str, style: PruningStyle
) -> None:
    text = HUGE[source]
    spent: list[int] = []

    def count(counted: str) -> int:
        spent.append(len(counted))
        return COUNT(counted)

    for unit in get_args(ThresholdUnit):
        assert prune_text(text, threshold=400, unit=unit, style=style, number=1, count=count)
    assert sum(spent) < 1_000_000
