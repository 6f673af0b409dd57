"""OpenAI Chat Completions and Anthropic Messages in the shapes they are saved in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memory_core.errors import SessionError
from memory_core.sessions import load_bytes, load_file
from memory_core.sessions.session import Loaded, Usage

DATA = Path(__file__).parent / "data"
HELLO = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}]


def load(*documents: Any) -> Loaded:
    return load_bytes("\n".join(map(json.dumps, documents)).encode(), name="s")


def texts(loaded: Loaded) -> list[list[str]]:
    return [[message.text for message in session.messages] for session in loaded.sessions]


SHAPES: dict[str, tuple[list[Any], list[list[str]]]] = {
    "a list of messages": ([HELLO], [["Hello", "Hi"]]),
    "an object with messages": ([{"messages": HELLO}], [["Hello", "Hi"]]),
    "an object with a history": ([{"history": HELLO}], [["Hello", "Hi"]]),
    "JSONL of messages": (HELLO, [["Hello", "Hi"]]),
    "JSONL of sessions": (
        [{"messages": HELLO}, {"messages": HELLO[:1]}],
        [["Hello", "Hi"], ["Hello"]],
    ),
    "a list of sessions": ([[{"messages": HELLO}, {"messages": HELLO}]], [["Hello", "Hi"]] * 2),
    "a request with its response": (
        [{"request": {"messages": HELLO[:1]}, "response": {"choices": [{"message": HELLO[1]}]}}],
        [["Hello", "Hi"]],
    ),
    "request and response in one object": (
        [{"messages": HELLO[:1], "choices": [{"message": HELLO[1]}]}],
        [["Hello", "Hi"]],
    ),
    "a system text beside the messages": (
        [{"system": "Be kind.", "messages": [*HELLO, {"role": "tool", "content": "x"}]}],
        [["Be kind.", "Hello", "Hi", "x"]],
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_chat_messages_load_from(name: str) -> None:
    documents, expected = SHAPES[name]
    loaded = load(*documents)
    assert loaded.report.format == "openai-chat"
    assert texts(loaded) == expected


def test_calls_roles_and_unknown_fields_are_kept() -> None:
    messages = load_file(DATA / "openai-chat.json").sessions[0].messages
    assert [call.name for call in messages[2].tool_calls] == ["find_rooms", "find_prices"]
    assert messages[2].content is None
    assert (messages[5].role, messages[5].original_role) == ("user", "Planner (-> Booker)")
    assert messages[5].model_extra == {"weight": 0.5}
    assert messages[1].text.endswith("🙂")


def test_a_message_of_a_line_knows_its_line() -> None:
    origins = load(*HELLO).sessions[0].origins
    assert [origin.line for origin in origins] == [1, 2]
    assert [origin.line for origin in load(HELLO).sessions[0].origins] == [None, None]


def test_a_legacy_function_call_is_a_tool_call_without_id() -> None:
    call = {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}}
    answer = {"role": "function", "name": "f", "content": "1"}
    calling, answering = load([call, answer]).sessions[0].messages
    assert [(c.id, c.name, c.arguments) for c in calling.tool_calls] == [("", "f", "{}")]
    assert (answering.role, answering.original_role) == ("tool", "function")
    assert answering.tool_call_id is None


def test_a_log_of_growing_requests_is_one_session_with_every_usage() -> None:
    def logged(size: int, tokens: int) -> dict[str, Any]:
        chat = [
            {"role": "user" if i % 2 == 0 else "assistant", "content": f"{i}"} for i in range(9)
        ]
        reply = {**chat[size], "refusal": None}
        usage = {"prompt_tokens": tokens, "completion_tokens": 1}
        response = {"choices": [{"message": reply}], "usage": usage}
        return {"request": {"messages": chat[:size]}, "response": response}

    loaded = load(logged(1, 10), logged(3, 30), logged(5, 50), logged(1, 10))
    assert [len(session.messages) for session in loaded.sessions] == [6, 2]
    usages = [origin.usage for origin in loaded.sessions[0].origins]
    assert usages == [None, Usage(10, 1), None, Usage(30, 1), None, Usage(50, 1)]
    assert loaded.report.notes
    assert loaded.report.records_used == 4


def test_two_recorded_sessions_that_begin_alike_stay_two() -> None:
    assert len(load({"messages": HELLO[:1]}, {"messages": HELLO}).sessions) == 2


def test_equal_ids_get_a_number() -> None:
    loaded = load(*[{"id": "a", "messages": HELLO}] * 3, {"id": 7, "messages": HELLO})
    assert [session.id for session in loaded.sessions] == ["a", "a#2", "a#3", "session-7"]


def test_anthropic_results_become_tool_messages_before_what_the_user_says() -> None:
    session = load_file(DATA / "anthropic.json").sessions[0]
    roles = [message.role for message in session.messages]
    assert roles == ["system", "user", "assistant", "tool", "tool", "user", "assistant"]
    calling, failed, pictured, spoken = session.messages[2:6]
    assert [part.type for part in calling.parts] == ["thinking", "text"]
    assert json.loads(calling.tool_calls[0].arguments) == {"command": "make test"}
    assert failed.model_extra == {"is_error": True}
    assert [part.is_image for part in pictured.parts] == [False, True]
    assert spoken.text == "Quick, please."
    assert session.model == "claude-sample"


@pytest.mark.parametrize(
    "documents",
    [
        [[{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1"}]}]],
        [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1"}]}],
        [{"system": "x", "messages": HELLO}],
        [
            {
                "messages": HELLO[:1],
                "response": {"type": "message", "role": "assistant", "content": []},
            }
        ],
    ],
)
def test_anthropic_messages_are_known_in(documents: list[Any]) -> None:
    assert load(*documents).report.format == "anthropic"


def test_an_anthropic_response_ends_the_session_with_its_usage() -> None:
    reply = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "Hi"}]}
    usage = {"input_tokens": 5, "output_tokens": 2, "cache_read_input_tokens": 9}
    loaded = load({"request": {"messages": HELLO[:1]}, "response": {**reply, "usage": usage}})
    assert texts(loaded) == [["Hello", "Hi"]]
    assert loaded.sessions[0].origins[-1].usage == Usage(5, 2, 9)


def test_runs_of_tau_bench_are_sessions_and_an_empty_one_is_reported() -> None:
    loaded = load_file(DATA / "tau-bench.json")
    assert [session.id for session in loaded.sessions] == ["task-0", "task-0#2"]
    assert [skipped.record for skipped in loaded.report.skipped] == [2]


BAD: list[tuple[list[Any], int | None, str]] = [
    ([[{"content": "x"}]], None, "message 0 has no role"),
    ([{"messages": [{"content": "x"}]}], None, r"messages\[0\] has no role"),
    ([HELLO[0], {"role": "user", "content": 5}], 2, "message 1: content"),
    ([HELLO[0], {"role": "user", "content": {"a": 1}}], 2, "message 1: content"),
    ([[{"role": "user", "content": [{"type": "text", "text": 5}]}]], None, "content.*text"),
    ([[{"role": 3, "content": ""}]], None, "message 0: role: 3"),
    ([{"role": None, "content": ""}, {"role": "", "content": ""}], 1, "message 0: role: None"),
    ([[{"role": "assistant", "tool_calls": [{"id": "1"}]}]], None, "message 0: tool_calls.0"),
    ([{"messages": [*HELLO, 5]}], None, r"messages\[2\] is not an object"),
    ([{"messages": []}], None, "without a single message"),
]


@pytest.mark.parametrize(("documents", "line", "named"), BAD)
def test_an_error_names_message_field_and_line(
    documents: list[Any], line: int | None, named: str
) -> None:
    with pytest.raises(SessionError, match=named) as caught:
        load(*documents)
    assert (caught.value.file, caught.value.line) == ("s", line)


@pytest.mark.parametrize(
    "odd", [{"id": 7}, {"metadata": None}, {"metadata": "x"}, {"name": 1}, {"tool_calls": None}]
)
def test_odd_values_beside_the_content_are_no_reason_to_refuse(odd: dict[str, Any]) -> None:
    assert texts(load([{**HELLO[0], **odd}])) == [["Hello"]]
