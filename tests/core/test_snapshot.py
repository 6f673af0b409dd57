"""A memory that ended and goes on from its saved state."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from memory_core.errors import InvalidMemoryState
from memory_core.messages import ChatMessage
from memory_core.snapshot import MemoryState, parse_state
from memory_core.summarizing import HEADINGS
from tests.memories import HI, Recorder, memory, reported
from tests.saying import (
    talk,
    user,
)


async def saved(history: Sequence[ChatMessage]) -> MemoryState:
    manager = memory(Recorder())
    await manager.prepare_context_window("Be kind", history)
    assert manager.state is not None
    return manager.state


async def test_a_state_survives_json_and_is_a_few_numbers_not_the_conversation() -> None:
    state = await saved(talk(200))
    text = state.to_json()
    assert parse_state(text).to_json() == parse_state(text.encode()).to_json() == text
    assert len(text) < 2_000
    assert "question 7 " not in text


async def test_a_memory_goes_on_from_a_state_without_asking_again() -> None:
    recorder = Recorder()
    manager = memory(recorder, state=parse_state((await saved(talk(20))).to_json()))
    assert manager.summary_buffer == "summary 1"
    sent = await manager.prepare_context_window("Be kind", [*talk(20), HI])
    assert recorder.requests == []
    assert sent[1].text == HEADINGS["korean"] + "summary 1"
    assert not reported(manager).is_restart


@pytest.mark.parametrize(
    "other", [[user("else")], talk(19), [user("else"), *talk(20)]], ids=["new", "shorter", "other"]
)
async def test_a_state_of_another_history_restarts_and_is_reported(
    other: list[ChatMessage],
) -> None:
    manager = memory(Recorder(), state=await saved(talk(20)))
    await manager.prepare_context_window("Be kind", other)
    assert reported(manager).is_restart


def _changed(text: str, **fields: Any) -> str:
    return json.dumps({**json.loads(text), **fields})


DAMAGES: dict[str, tuple[dict[str, Any], str]] = {
    "another version": ({"schema_version": 99}, "version 99"),
    "a missing summary field": ({"summary": {"text": "x"}}, "summary"),
    "a word for a number": ({"mark": "many"}, "mark"),
    "a field nobody knows": ({"extra": 1}, "extra"),
    "null for a list": ({"receipts": None}, "receipts"),
    "a cause nobody knows": (
        {"prunings": {"3": {"ordinal": 0, "cause": "whim", "before": 9, "after": 1}}},
        "prunings",
    ),
    "a newest plan without its numbers": ({"last": {"at": 1}}, "last"),
    "a negative mark": ({"mark": -1}, "mark"),
    "a mark beyond everything seen": ({"mark": 10**6}, "position"),
}


@pytest.mark.parametrize("damage", DAMAGES)
async def test_a_damaged_state_is_refused_by_name(damage: str) -> None:
    fields, named = DAMAGES[damage]
    text = (await saved(talk(20))).to_json()
    with pytest.raises(InvalidMemoryState, match=named):
        await memory(state=parse_state(_changed(text, **fields))).prepare_context_window(
            "Be kind", talk(20)
        )


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "{}", "\x00", '{"seen": 1'])
def test_a_text_that_is_no_state_is_refused(text: str) -> None:
    with pytest.raises(InvalidMemoryState, match="memory state"):
        parse_state(text)


async def test_a_state_is_frozen() -> None:
    state = await saved(talk(20))
    with pytest.raises(ValueError, match="frozen"):
        state.mark = 0


@pytest.mark.parametrize(
    "message",
    [
        user("한국어 🔬 \ud800 \x00 مرحبا"),
        user("x", metadata={"note": "\ud800"}),
        user("x", note="\ud800"),
    ],
    ids=["content", "metadata", "unknown field"],
)
async def test_a_state_can_be_saved_whatever_text_the_messages_hold(message: ChatMessage) -> None:
    state = await saved([message])
    assert parse_state(state.to_json()).to_json() == state.to_json()
