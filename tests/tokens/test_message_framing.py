"""Promises about the tokens of whole messages."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.messages import ChatMessage
from memory_core.tokens.counting import text_counter
from memory_core.tokens.framing import CALL_TOKENS, MESSAGE_TOKENS, NAME_TOKENS, message_tokens

COUNT = text_counter("gpt-5")
FRAME = MESSAGE_TOKENS + 1
"""A role's own name is one token."""

PHOTO = "data:image/png;base64," + "iVBORw0KGgo" * 5_000
THINKING = {"type": "thinking", "thinking": "먼저 파일을 읽자. " * 50, "signature": "Ab1+" * 300}


def message(content: object = "", **fields: object) -> ChatMessage:
    return ChatMessage.model_validate({"role": "assistant", "content": content, **fields})


@pytest.mark.parametrize("role", ["system", "developer", "user", "assistant", "tool"])
def test_an_empty_message_costs_its_frame(role: str) -> None:
    empty: tuple[object, ...] = ("", None, [])
    for content in empty:
        assert message_tokens(message(content, role=role), COUNT) == FRAME


def test_openais_published_recipe_is_followed() -> None:
    history = [
        {"role": "system", "content": "You are a helpful, pattern-following assistant."},
        {"role": "system", "name": "example_user", "content": "New synergies will help."},
        {"role": "user", "content": "이 결과물 때문에 밤을 새울 수는 없어요."},
    ]
    recipe = sum(
        3 + sum(COUNT(value) for value in entry.values()) + ("name" in entry) for entry in history
    )
    messages = [ChatMessage.model_validate(entry) for entry in history]
    assert sum(message_tokens(entry, COUNT) for entry in messages) == recipe


def test_names_and_calls_are_counted_with_their_frames() -> None:
    call = {"id": "c1", "function": {"name": "read_file", "arguments": '{"path": "보고서.md"}'}}
    plain = message_tokens(message("hello"), COUNT)
    named = message_tokens(message("hello", name="planner"), COUNT)
    calling = message_tokens(message("hello", tool_calls=[call, call]), COUNT)
    assert named - plain == NAME_TOKENS + COUNT("planner")
    one_call = CALL_TOKENS + COUNT("read_file") + COUNT('{"path": "보고서.md"}')
    assert calling - plain == 2 * one_call


@pytest.mark.parametrize(
    "part",
    [
        {"type": "image_url", "image_url": {"url": PHOTO}},
        {"type": "input_image", "image_url": PHOTO},
        {"type": "image", "source": {"type": "base64", "data": "iVBORw0KGgo" * 5_000}},
    ],
)
def test_an_image_costs_the_same_whatever_its_bytes(part: dict[str, Any]) -> None:
    sent = message([{"type": "text", "text": "보세요"}, part])
    words = FRAME + COUNT("보세요")
    assert message_tokens(sent, COUNT) == words + 765
    assert message_tokens(sent, COUNT, image_tokens=85) == words + 85


def test_thinking_counts_only_if_it_is_sent() -> None:
    thought = message([THINKING, {"type": "text", "text": "done"}])
    assert message_tokens(thought, COUNT) == FRAME + COUNT("done")
    kept = message_tokens(thought, COUNT, keep_thinking=True)
    assert kept > FRAME + COUNT("done") + COUNT(str(THINKING["thinking"])) - 5
    assert kept < FRAME + COUNT(json.dumps(THINKING))


@pytest.mark.parametrize(
    "part",
    [
        {"type": "file", "file": {"filename": "a.pdf", "file_data": PHOTO}},
        {"type": "input_audio", "input_audio": {"format": "wav", "data": "UklGR" * 9_000}},
        {
            "type": "document",
            "source": {"media_type": "application/pdf", "data": "JVBERi0x\r\n" * 900},
        },
        {"type": "tool_result", "content": [{"type": "image", "source": {"data": PHOTO}}]},
        {"type": "note", "body": f"see {PHOTO} here"},
    ],
)
def test_a_part_of_unknown_kind_counts_without_its_binary_data(part: dict[str, Any]) -> None:
    assert FRAME + 5 < message_tokens(message([part]), COUNT) < FRAME + 50


def test_a_part_of_unknown_kind_counts_its_words() -> None:
    words = "the file is missing and nobody knows why " * 20
    part = {"type": "note", "body": words}
    assert message_tokens(message([part]), COUNT) >= FRAME + COUNT(words) - 2


any_json = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
any_part = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "image", "thinking", "note"])}, optional={"data": any_json}
)


@settings(deadline=None)
@given(
    content=st.none() | st.text(st.characters(codec=None)) | st.lists(any_part, max_size=4),
    name=st.none() | st.text(),
    arguments=st.lists(any_json, max_size=3),
    thinking=st.sampled_from(["kept", "left out"]),
)
def test_no_message_raises_or_costs_less_than_its_frame(
    content: object, name: str | None, arguments: list[object], thinking: str
) -> None:
    calls = [{"id": "", "function": {"name": "f", "arguments": value}} for value in arguments]
    sent = message(content, name=name, tool_calls=calls)
    tokens = message_tokens(sent, COUNT, keep_thinking=thinking == "kept")
    assert tokens >= FRAME + (name is not None) * NAME_TOKENS + len(calls) * CALL_TOKENS
