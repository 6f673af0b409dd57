"""Anthropic content blocks: tool results become tool messages, tool uses become calls."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

from memory_core.messages import TEXT_PARTS
from memory_core.sessions.sourced import typed
from memory_core.sessions.values import as_list, as_object, as_text

_MARKS: Final = frozenset(
    {"tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "document"}
)
_CALL_FIELDS: Final = frozenset({"type", "id", "name", "input"})
_RESULT_FIELDS: Final = frozenset({"type", "tool_use_id", "content", "is_error"})


def has_marks(content: object) -> bool:
    """Whether content holds blocks that only Anthropic's messages have."""
    return any(
        _kind(block) in _MARKS or (_kind(block) == "image" and "source" in block)
        for block in as_list(content)
    )


def split_message(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The chat messages one Anthropic message stands for: its tool results, then what it says."""
    content = message.get("content")
    if not isinstance(content, list):
        return [dict(message)]
    blocks = as_list(cast("object", content))
    results = [_result(as_object(block)) for block in blocks if _kind(block) == "tool_result"]
    said = [block for block in blocks if _kind(block) != "tool_result"]
    if results and not said:
        return results
    return [*results, {**message, **said_in(said)}]


def said_in(blocks: Iterable[Any]) -> dict[str, Any]:
    """`content` and `tool_calls` of blocks without tool results."""
    kept = list(blocks)
    calls = [_call(as_object(block)) for block in kept if _kind(block) == "tool_use"]
    parts = [typed(block) for block in kept if _kind(block) != "tool_use"]
    if not calls:
        return {"content": parts}
    return {"content": parts or None, "tool_calls": calls}


def plain(content: object) -> object:
    """The text of content that is a single text block, else the content."""
    if content is None or content == []:
        return ""
    blocks = as_list(content)
    only = as_object(blocks[0]) if len(blocks) == 1 else {}
    if _kind(only) in TEXT_PARTS and isinstance(only.get("text"), str):
        return only["text"]
    return [typed(block) for block in blocks] if blocks else content


def _call(block: dict[str, Any]) -> dict[str, Any]:
    arguments = block.get("input")
    return {
        **{name: value for name, value in block.items() if name not in _CALL_FIELDS},
        "id": block.get("id"),
        "function": {
            "name": block.get("name"),
            "arguments": json.dumps({} if arguments is None else arguments, ensure_ascii=False),
        },
    }


def _result(block: dict[str, Any]) -> dict[str, Any]:
    failed = {"is_error": True} if block.get("is_error") is True else {}
    return {
        **{name: value for name, value in block.items() if name not in _RESULT_FIELDS},
        "role": "tool",
        "tool_call_id": block.get("tool_use_id"),
        "content": plain(block.get("content")),
        **failed,
    }


def _kind(block: object) -> str:
    return as_text(as_object(block).get("type"))
