"""Codex rollouts and OpenAI Responses: items folded into messages, compactions, usage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memory_core.errors import SessionError
from memory_core.sessions import load_bytes, load_file
from memory_core.sessions.session import Session, Usage

DATA = Path(__file__).parent / "data"


def roles(session: Session) -> list[str]:
    return [message.role for message in session.messages]


def load(document: Any) -> Session:
    return load_bytes(json.dumps(document).encode(), name="s").sessions[0]


def test_neighbouring_items_of_a_reply_become_one_message() -> None:
    whole = load_file(DATA / "codex.jsonl").sessions[0]
    assert roles(whole) == [
        *["developer", "user", "user", "assistant", "tool", "tool"],
        *["assistant", "tool", "assistant", "user"],
    ]
    reply = whole.messages[3]
    assert [part.type for part in reply.parts] == ["reasoning"]
    assert reply.parts[0].text == "Use ls."
    assert [call.name for call in reply.tool_calls] == ["shell", "apply_patch"]


def test_arguments_are_json_even_where_a_custom_tool_takes_text() -> None:
    calls = load_file(DATA / "codex.jsonl").sessions[0].messages[3].tool_calls
    assert [json.loads(call.arguments) for call in calls] == [
        {"command": ["ls"]},
        {"input": "*** Begin Patch"},
    ]


def test_the_last_usage_belongs_to_the_reply_before_it() -> None:
    whole = load_file(DATA / "codex.jsonl").sessions[0]
    usages = {index: o.usage for index, o in enumerate(whole.origins) if o.usage}
    assert usages == {3: Usage(input_tokens=200, output_tokens=20, cache_read_tokens=800)}


def test_a_compaction_leaves_an_active_context() -> None:
    whole, active = load_file(DATA / "codex.jsonl").sessions
    assert [message.text for message in active.messages] == ["Summary: two files.", "Thanks"]
    assert (whole.id, active.id) == ("019a-sample", "019a-sample:active")
    assert whole.model == "gpt-sample"
    assert whole.title == "List the files"


def test_the_report_counts_events_and_items_without_a_message() -> None:
    report = load_file(DATA / "codex.jsonl").report
    assert report.ignored["ghost_snapshot"] == 1
    assert report.ignored["event_msg/user_message"] == 1
    assert report.ignored["compacted"] == 1


def test_a_real_run_reports_the_tokens_the_provider_counted(shared: Path) -> None:
    session = load_file(shared / "sessions" / "codex_exec_minimal_real.jsonl").sessions[0]
    usage = session.origins[-1].usage
    assert usage
    assert usage.input_tokens + usage.cache_read_tokens == 22_539


def test_a_request_with_its_response_is_one_session() -> None:
    session = load_file(DATA / "openai-responses.json").sessions[0]
    assert roles(session) == ["system", "user", "assistant", "tool", "assistant"]
    assert session.model == "gpt-sample"
    assert json.loads(session.tools)[0]["name"] == "get_weather"
    assert session.origins[-1].usage == Usage(20, 9, 100)


ITEMS: dict[str, tuple[list[dict[str, Any]], list[str]]] = {
    "two texts are two replies": (
        [
            {"type": "message", "role": "assistant", "content": "a"},
            {"type": "message", "role": "assistant", "content": "b"},
        ],
        ["assistant", "assistant"],
    ),
    "text and its call are one": (
        [
            {"type": "message", "role": "assistant", "content": "a"},
            {"type": "function_call", "call_id": "1", "name": "f", "arguments": "{}"},
        ],
        ["assistant"],
    ),
    "a hosted search has no result to wait for": (
        [
            {"role": "user", "content": "q"},
            {"type": "web_search_call", "id": "ws", "action": {"query": "q"}},
        ],
        ["user", "assistant"],
    ),
    "a message of another agent is no reply": (
        [
            {
                "type": "agent_message",
                "author": "b",
                "content": [{"type": "input_text", "text": "x"}],
            }
        ],
        ["user"],
    ),
}


@pytest.mark.parametrize("name", ITEMS)
def test_a_list_of_items_folds(name: str) -> None:
    items, expected = ITEMS[name]
    session = load(items)
    assert session.format == "openai-responses"
    assert roles(session) == expected


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ("plain", "plain"),
        ({"type": "input_text", "text": "one part"}, "one part"),
        ([{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}], "a\nb"),
        ({"celsius": 21}, '{"celsius": 21}'),
        ([], "[]"),
    ],
)
def test_an_output_of_any_shape_is_readable(output: object, text: str) -> None:
    session = load([{"type": "function_call_output", "call_id": "1", "output": output}])
    assert session.messages[0].text == text


def test_a_bad_item_is_named() -> None:
    with pytest.raises(SessionError, match=r"item 1.*name"):
        load([{"role": "user", "content": ""}, {"type": "function_call", "call_id": "1"}])
