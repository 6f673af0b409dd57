"""Choosing one session of a file, and writing messages that load back equal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.errors import SessionError
from memory_core.messages import ChatMessage
from memory_core.sessions import load_bytes, load_file, pick
from memory_core.sessions.session import Session
from memory_core.sessions.write import to_openai_json

DATA = Path(__file__).parent / "data"


def sessions(*ids: str) -> list[Session]:
    return [Session(id=id_, format="openai-chat", messages=(), origins=()) for id_ in ids]


@pytest.mark.parametrize(
    ("wanted", "expected"), [(None, "task-0"), ("0", "task-0"), ("1", "b"), ("b", "b")]
)
def test_a_session_is_picked_by_index_or_id(wanted: str | None, expected: str) -> None:
    assert pick(sessions("task-0", "b"), wanted).id == expected


@pytest.mark.parametrize("wanted", ["2", "-1", "", "c", "١"])
def test_a_session_that_is_not_there_is_answered_with_those_that_are(wanted: str) -> None:
    with pytest.raises(SessionError) as caught:
        pick(sessions("task-0", "b"), wanted)
    assert repr(wanted) in caught.value.reason
    assert "0 = task-0, 1 = b" in caught.value.reason


def test_a_long_list_of_sessions_is_cut() -> None:
    with pytest.raises(SessionError, match=r"there are 300.*19 = s19, …"):
        pick(sessions(*[f"s{index}" for index in range(300)]), "x")


@pytest.mark.parametrize("path", sorted(DATA.iterdir()), ids=lambda path: path.name)
def test_written_messages_load_back_equal(path: Path) -> None:
    for session in load_file(path).sessions:
        text = to_openai_json(session.messages)
        assert load_bytes(text.encode(), name="s").sessions[0].messages == session.messages


texts = st.text(max_size=30)
parts = st.fixed_dictionaries({"type": st.just("text"), "text": texts}) | st.fixed_dictionaries(
    {"type": st.sampled_from(["thinking", "image_url"])}, optional={"signature": texts}
)


def call(id_: str, name: str, arguments: str) -> dict[str, Any]:
    return {"id": id_, "function": {"name": name, "arguments": arguments}}


calls = st.builds(call, texts, texts, texts)
contents: st.SearchStrategy[Any] = st.none() | texts | st.lists(parts, max_size=3)
optional: dict[Any, st.SearchStrategy[Any]] = {
    "tool_calls": st.lists(calls, max_size=2),
    "tool_call_id": texts,
    "name": texts,
    "id": texts,
    "metadata": st.dictionaries(texts, texts, max_size=2),
    "is_error": st.booleans(),
}
roles = st.sampled_from(["system", "user", "assistant", "tool", "Planner", "human"])
chat_messages = st.fixed_dictionaries({"role": roles, "content": contents}, optional=optional)


@given(st.lists(chat_messages, min_size=1, max_size=6))
def test_any_written_messages_load_back_equal(fields: list[dict[str, Any]]) -> None:
    messages = tuple(ChatMessage.model_validate(field) for field in fields)
    text = to_openai_json(messages)
    assert load_bytes(text.encode(), name="s").sessions[0].messages == messages


def test_written_text_stays_readable() -> None:
    text = to_openai_json([ChatMessage(role="user", content="안녕 🙂")])
    assert "안녕 🙂" in text
    assert json.loads(text) == [{"role": "user", "content": "안녕 🙂"}]
    assert json.loads(to_openai_json([])) == []
