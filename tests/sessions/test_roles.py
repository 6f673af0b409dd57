"""Roles nobody knows are told, and what nobody said is left out without harm to the rest."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from memory_core.messages import ROLE_NAMES
from memory_core.sessions import load_bytes
from memory_core.sessions.session import Loaded

Fields = dict[str, Any]
Wrap = Callable[[list[Fields]], list[Any]]

USE: Fields = {"type": "tool_use", "id": "t", "name": "f", "input": {}}
ASKED: Fields = {"role": "user", "content": "a"}
USED: Fields = {"role": "assistant", "content": [USE]}
CALLED: Fields = {"type": "function_call", "call_id": "t", "name": "f", "arguments": "{}"}


def load(*documents: Any) -> Loaded:
    return load_bytes("\n".join(map(json.dumps, documents)).encode(), name="s")


SHAPES: dict[str, Wrap] = {
    "openai-chat: lines": lambda said: [ASKED, *said],
    "openai-chat: a list": lambda said: [[ASKED, *said]],
    "openai-chat: messages": lambda said: [{"messages": [ASKED, *said]}],
    "openai-chat: an answer": lambda said: [
        {"messages": [ASKED], "choices": [{"message": one}]} for one in said
    ],
    "tau-bench: runs": lambda said: [[{"task_id": 0, "traj": [ASKED, *said]}]],
    "openai-responses: lines": lambda said: [ASKED, CALLED, *said],
    "openai-responses: input": lambda said: [{"input": [ASKED, CALLED, *said]}],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_role_that_is_not_known_is_told_with_its_message(shape: str) -> None:
    loaded = load(*SHAPES[shape]([{"role": "wizard", "content": "b"}]))
    session = loaded.sessions[0]
    assert loaded.report.format == shape.split(":")[0]
    assert session.unknown_roles == {len(session.messages) - 1: "wizard"}
    last = session.messages[-1]
    assert (last.role, last.original_role, last.text) == ("user", "wizard", "b")


@pytest.mark.parametrize("role", [*ROLE_NAMES, "User", "SYSTEM", "developer"])
def test_roles_with_a_meaning_here_are_not_told(role: str) -> None:
    assert load([ASKED, {"role": role, "content": "b"}]).sessions[0].unknown_roles == {}


NOBODY: dict[str, Fields] = {
    "a number": {"role": 3},
    "null": {"role": None},
    "a list": {"role": ["user"]},
    "an empty text": {"role": ""},
    "nothing": {},
}


@pytest.mark.parametrize(
    ("shape", "role"),
    [
        (shape, role)
        for shape, role in product(SHAPES, NOBODY)
        if "role" in NOBODY[role] or not shape.startswith("openai-responses")
    ],
)
def test_what_nobody_said_is_skipped_with_its_place_and_the_rest_is_used(
    shape: str, role: str
) -> None:
    silent = {"content": "b", **NOBODY[role]}
    whole, loaded = load(*(SHAPES[shape]([]) or [ASKED])), load(*SHAPES[shape]([silent]))
    assert loaded.sessions[0].messages == whole.sessions[0].messages
    (skipped,) = loaded.report.skipped
    assert "role" in skipped.reason
    in_lines = shape.endswith("lines")
    assert skipped.line == (loaded.report.records_read if in_lines else None)


@pytest.mark.parametrize("role", [5, "wizard"])
def test_anthropic_messages_beside_a_strange_role_keep_their_calls_and_results(
    role: object,
) -> None:
    result = {"type": "tool_result", "tool_use_id": "t", "content": "r"}
    strange = {"role": role, "content": [{"type": "text", "text": "b"}]}
    loaded = load(ASKED, USED, {"role": "user", "content": [result]}, strange)
    session = loaded.sessions[0]
    assert [one.role for one in session.messages[:3]] == ["user", "assistant", "tool"]
    assert session.messages[1].tool_calls[0].name == "f"
    assert [one.line for one in loaded.report.skipped] == ([] if session.unknown_roles else [4])
    assert session.unknown_roles == ({3: "wizard"} if role == "wizard" else {})
    assert loaded.report.records_used + len(loaded.report.skipped) == loaded.report.records_read


@pytest.mark.parametrize(("written", "read"), [("\\ud800", "\ufffd"), ("가", "가"), ("\\n", "\n")])
def test_a_name_of_any_script_or_damage_can_be_a_role(written: str, read: str) -> None:
    data = f'[{{"role":"user","content":"a"}},{{"role":"{written}","content":"b"}}]'
    assert load_bytes(data.encode(), name="s").sessions[0].unknown_roles == {1: read}
