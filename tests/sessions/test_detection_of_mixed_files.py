"""Files whose messages carry a type of another format are still told by what only they have."""

from __future__ import annotations

import json
from typing import Any

from memory_core.sessions import load_bytes

CALL = {"id": "t", "type": "function", "function": {"name": "f", "arguments": "{}"}}


def test_a_raw_anthropic_reply_in_a_history_keeps_its_calls() -> None:
    use: dict[str, Any] = {"type": "tool_use", "id": "t", "name": "f", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": "r"}
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": "x"},
        {"type": "message", "role": "assistant", "content": [use]},
        {"role": "user", "content": [result]},
    ]
    loaded = load_bytes(json.dumps(messages).encode(), name="a.json")
    assert loaded.report.format == "anthropic"
    assert loaded.sessions[0].messages[1].tool_calls[0].name == "f"


def test_chat_lines_with_a_type_keep_their_calls() -> None:
    lines = [
        {"type": "message", "role": "user", "content": "x"},
        {"type": "message", "role": "assistant", "content": None, "tool_calls": [CALL]},
        {"type": "message", "role": "tool", "tool_call_id": "t", "content": "r"},
    ]
    loaded = load_bytes("\n".join(map(json.dumps, lines)).encode(), name="b.jsonl")
    assert loaded.report.format == "openai-chat"
    assert loaded.sessions[0].messages[1].tool_calls[0].id == "t"
