"""The session page says where the tokens are, how they are counted, and what it does not know."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from memory_core.config import MemoryConfig
from memory_core.gauge import Gauge
from memory_core.sessions import load_file
from memory_core.totals import growth, largest
from pages.ui.samples import FOLDER
from tests.app.opening import OTHERS, chat, interpreted, opened, protos, upload, verbatim

HOSTILE = "<img src=x onerror=alert(1)> **bold** :red[hot] $x$"


def session_page(app: AppTest) -> AppTest:
    return app.switch_page(OTHERS[0]).run()


def table(app: AppTest, column: str) -> dict[str, list[Any]]:
    """The table that has this column."""
    found: list[dict[str, list[Any]]] = [one.value.to_dict("list") for one in app.dataframe]
    return next(columns for columns in found if column in columns)


def titles(app: AppTest) -> str:
    return "\n".join(one.value for one in app.main.markdown)


def test_the_largest_messages_are_listed_with_number_tokens_and_first_words() -> None:
    messages = load_file(FOLDER / "coding_agent.json").sessions[0].messages
    found = largest(growth(messages, Gauge(MemoryConfig())))
    shown = table(session_page(opened()), "first words")
    assert shown["message"] == [f"#{one.index}" for one in found]
    assert shown["tokens"] == [one.tokens for one in found]
    for one, words in zip(found, shown["first words"], strict=True):
        assert " ".join(messages[one.index].text[:2000].split()).startswith(words)
        assert words


def test_every_total_says_of_what_it_is_the_total() -> None:
    app = opened()
    (raw,) = [metric for metric in app.metric if metric.label == "Raw"]
    assert "whole history before this call, repaired" in str(raw.help)
    told = titles(session_page(app))
    assert "those after the last call too" in told
    assert "without the frame that each one is sent in" in told


def test_repeated_calls_are_listed_and_their_absence_is_said() -> None:
    assert table(session_page(opened()), "times")["times"] >= [2]
    app = session_page(upload(opened(), "one.json", chat({"role": "user", "content": "hi"})))
    assert "No call was made twice" in titles(app)


def test_a_trigger_that_estimates_miss_is_told_and_follows_the_config() -> None:
    app = session_page(opened(sample="customer_service_ko"))
    assert "too late at" in titles(app)
    said = next(text for text in verbatim(app) if "len // 3" in text)
    assert "first at call" in said
    app.number_input(key="max_token_budget").set_value(100_000).run()
    assert "Estimates and count agree" in titles(app)


def test_korean_is_named_where_thirds_are_furthest_off() -> None:
    app = session_page(opened(sample="customer_service_ko"))
    assert "of the tokens of Korean text" in titles(app)
    assert "Korean text" in table(app, "tokens counted")["of"]


def test_usage_is_unknown_where_the_file_has_none() -> None:
    assert "What the provider counted is unknown" in titles(session_page(opened()))


def test_recorded_usage_is_compared(shared: Path) -> None:
    data = (shared / "sessions" / "claude_code_spotter_258c7280.jsonl").read_bytes()
    app = session_page(upload(opened(), "claude.jsonl", data))
    assert "The provider counted 25,873 tokens more than the file holds at call 1" in titles(app)
    said = next(text for text in verbatim(app) if "Usage is recorded" in text)
    assert "152 of 152 calls" in said
    assert "fell by a fifth or more once, at call 103" in said


@pytest.mark.parametrize("sample", ["coding_agent", "customer_service_ko", "broken"])
@pytest.mark.parametrize("model", ["gpt-5", "len // 3", "some-model"])
def test_every_sample_is_shown_whatever_counts_its_tokens(sample: str, model: str) -> None:
    app = session_page(opened(sample=sample, config=json.dumps({"model": model})))
    assert len(app.exception) == 0
    assert len(app.get("plotly_chart")) >= 4


def test_a_message_of_an_unknown_role_is_named_with_what_became_of_it() -> None:
    data = chat({"role": "user", "content": "hi"}, {"role": "wizard", "content": "abracadabra"})
    app = session_page(upload(opened(), "one.json", data))
    assert "1 message has an unknown role" in titles(app)
    shown = table(app, "role in the file")
    assert (shown["message"], shown["role in the file"]) == (["#1"], ["wizard"])
    assert shown["what became of it"] == ["Read as a user message: no role is known by its name."]
    assert "messages with an unknown role" in table(app, "of the file")["of the file"]
    assert "unknown role" not in titles(session_page(opened()))


@pytest.mark.parametrize("content", ["", "안녕", "x" * 200_000, None])
def test_sessions_of_one_message_are_shown(content: str | None) -> None:
    app = session_page(upload(opened(), "one.json", chat({"role": "user", "content": content})))
    assert len(app.exception) == 0
    assert len(app.error) == 0


def test_no_text_of_a_session_is_interpreted() -> None:
    function = {"name": HOSTILE, "arguments": json.dumps({HOSTILE: HOSTILE})}
    calls = [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": HOSTILE, "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": HOSTILE, "content": HOSTILE},
    ]
    data = chat({"role": "user", "content": HOSTILE}, *calls, *calls)
    app = session_page(upload(opened(), "hostile.json", data))
    assert len(app.exception) == 0
    marked = [
        text
        for text in interpreted(app)
        if "<img" in text or "**bold**" in text or ":red[hot]" in text
    ]
    assert marked == []


def test_a_long_session_stays_a_small_page() -> None:
    turn = [{"role": "user", "content": "질문 " * 20}, {"role": "assistant", "content": "답 " * 20}]
    app = session_page(upload(opened(), "long.json", chat(*(turn * 500))))
    assert len(app.exception) == 0
    assert sum(proto.ByteSize() for _kind, proto in protos(app)) < 400_000
