"""The strip of what the windows kept says what was measured, and never one figure alone."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from memory_core.config import MemoryConfig
from memory_core.loss import Index, Loss, lost_items, measure, needs_of
from memory_core.replay import replay
from memory_core.sessions import load_file
from pages.ui.losses import Measured, Reading
from pages.ui.retention import MOST_OF_KIND, retention_data
from pages.ui.samples import FOLDER, samples
from pages.ui.waiting import SHORT
from tests.app.opening import chat, opened, protos, upload

PATIENCE = 60
"""Seconds."""
FRAME = 9
"""Messages of a run beside those of its elements: its start and end, navigation, address."""


def strip(app: AppTest) -> dict[str, Any]:
    """The strip with its figures, for which a browser would draw the page again."""
    deadline = time.monotonic() + PATIENCE
    while True:
        (found,) = [
            json.loads(proto.json)
            for kind, proto in protos(app)
            if kind == "bidi_component" and proto.id.endswith("-retention")
        ]
        if "wait" not in found or time.monotonic() > deadline:
            return found
        app.run()


def lost_of(sample: str, config: MemoryConfig | None = None) -> tuple[Loss, Reading]:
    messages = load_file(FOLDER / f"{sample}.json").sessions[0].messages
    index = Index(messages)
    reading = Reading(index, needs_of(index))
    return measure(replay(messages, config or MemoryConfig()), index, reading.needs), reading


def percent(ratio: float | None) -> str:
    assert ratio is not None
    return f"{100 * ratio:.0f} %"


@pytest.mark.parametrize("sample", ["coding_agent", "long_chat_ko"])
def test_the_headline_is_of_calls_for_agents_and_of_words_for_chats(sample: str) -> None:
    loss, _reading = lost_of(sample)
    shown = strip(opened(sample=sample))
    wanted = (
        [loss.needs.ratio, loss.actions.ratio]
        if loss.is_agent
        else [loss.word_recall, loss.rare_words.ratio]
    )
    assert [tile["value"] for tile in shown["tiles"]] == [percent(one) for one in wanted]
    assert [bar["told"] for bar in shown["gaps"]] == [
        f"{percent(one.ratio)} · {one.kept} of {one.of}" for one in loss.by_gap.values()
    ]
    assert "lower bound" in shown["note"]


def test_the_first_config_has_no_change_to_tell() -> None:
    loss, reading = lost_of("coding_agent")
    for before, change in ((None, ""), (loss, "(±0)")):
        shown = retention_data(Measured(reading, loss, before))
        assert {tile["change"] for tile in shown["tiles"]} == {change}


def test_a_moved_setting_shows_the_change_in_points_against_the_config_before() -> None:
    app = opened()
    before, _reading = lost_of("coding_agent")
    after, _reading = lost_of("coding_agent", MemoryConfig(max_token_budget=2_000))
    app.number_input(key="max_token_budget").set_value(2_000).run()
    points = round(100 * (after.needs.ratio or 0)) - round(100 * (before.needs.ratio or 0))
    assert points < 0
    first = strip(app)["tiles"][0]
    assert first["value"] == percent(after.needs.ratio)
    assert first["change"] == f"(\N{MINUS SIGN}{-points})"
    app.number_input(key="max_token_budget").set_value(4_000).run()
    assert strip(app)["tiles"][0]["change"] == f"(+{-points})"
    app.run()
    assert strip(app)["tiles"][0]["change"] == f"(+{-points})"


def test_every_kind_has_its_bars_and_the_list_holds_what_was_lost_most_often() -> None:
    loss, reading = lost_of("coding_agent")
    shown = strip(opened())
    assert len(shown["kinds"]) == len(loss.kinds()) > len(reading.index.kinds)
    items = reading.index.items
    lost = {one.first.need.item: one for one in lost_items(loss, reading.index)}
    assert len(lost) > len(shown["lost"])
    listed = [row[0] for row in shown["lost"]]
    for kind in reading.index.kinds:
        of_kind = [number for number in lost if items[number].kind == kind]
        assert [one for one in listed if items[one].kind == kind] == of_kind[:MOST_OF_KIND]
    for number, text, kind, message, call, told in shown["lost"]:
        first = lost[number].first.need
        assert (text, kind) == (items[number].text, items[number].kind)
        assert (message, call) == (first.last, first.call + 1)
        assert f"#{message}" in told
    counts = [int(name.split("(")[1].rstrip(")")) for _kind, name in shown["filters"]]
    assert sum(counts) == len(lost)


def test_a_session_without_needs_says_so_instead_of_a_percentage() -> None:
    app = upload(opened(), "hello.json", chat({"role": "user", "content": "hello"}))
    shown = strip(app)
    assert [tile["value"] for tile in shown["tiles"]] == ["100 %", "–"]
    assert [bar["told"] for bar in shown["gaps"]] == ["none"] * 3
    assert shown["lost"] == []


def test_a_long_session_ends_with_figures_and_not_with_a_promise() -> None:
    talk = [
        {"role": role, "content": f"{role} {number}: order ORD-{number % 90} at 10:{number % 60}"}
        for number in range(SHORT)
        for role in ("user", "assistant")
    ]
    app = upload(opened(config='{"max_token_budget": 700}'), "talk.json", chat(*talk))
    shown = strip(app)
    assert "wait" not in shown
    assert shown["tiles"][0]["value"].endswith("%")


def test_foreign_text_in_an_item_travels_as_one_short_line() -> None:
    path = "src/" + "<b>\ud800ü" + "가" * 200 + ".py"
    history = [
        {"role": "user", "content": f"look at {path} and report-17<script>"},
        *({"role": "user", "content": f"filler {number} " * 60} for number in range(8)),
        {"role": "assistant", "content": f"{path} report-17"},
    ]
    config = MemoryConfig(max_token_budget=300, sliding_window_size=1, summarizer="none")
    messages = load_file(FOLDER / "broken.json").sessions[0].messages
    messages = [
        messages[0].model_copy(update={"role": one["role"], "content": one["content"]})
        for one in history
    ]
    index = Index(messages)
    loss = measure(replay(messages, config), index, needs_of(index))
    shown = retention_data(Measured(Reading(index, needs_of(index)), loss, None))
    assert shown["lost"]
    json.dumps(shown, ensure_ascii=False).encode()
    assert all(len(row[1]) <= 61 for row in shown["lost"])


@pytest.mark.parametrize("sample", samples())
def test_the_page_of_every_sample_is_sent_in_few_messages(sample: str) -> None:
    app = opened(sample=sample)
    assert sum(1 for _element in protos(app)) + FRAME <= 60
    assert len(json.dumps(strip(app)).encode()) < 9_000
