"""OpenAI Responses items: messages, calls, outputs and reasoning, folded into chat messages."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

from memory_core.sessions.content_blocks import plain
from memory_core.sessions.session import Origin, Usage
from memory_core.sessions.sourced import Sourced, role_problem, sourced
from memory_core.sessions.values import as_list, as_object, as_text

_FIELDS: Final = frozenset(
    {"type", "id", "call_id", "name", "arguments", "input", "output", "action", "role", "content"}
)
_HOSTED: Final = frozenset(
    {
        "web_search_call",
        "file_search_call",
        "image_generation_call",
        "code_interpreter_call",
        "mcp_call",
    }
)
_NAMED: Final = frozenset({"function_call", "custom_tool_call"})
_PARTS: Final = ("input_", "output_", "computer_")
_OWN: Final = frozenset({"reasoning", "agent_message", "item_reference", "compaction"}) | _HOSTED


@dataclass(frozen=True, slots=True)
class Item:
    """One item, where it came from and what to call that place in an error."""

    fields: dict[str, Any]
    origin: Origin
    place: str


@dataclass(frozen=True, slots=True)
class Folded:
    """The chat messages of some items, and how many of each kind gave none."""

    messages: tuple[Sourced, ...]
    ignored: dict[str, int]


def is_item(fields: Mapping[str, Any]) -> bool:
    """Whether an object is a Responses item and no plain chat message."""
    kind = fields.get("type")
    if not isinstance(kind, str):
        return False
    spoken = kind == "message" and isinstance(fields.get("role"), str) and not is_chat(fields)
    return (
        spoken or kind in _OWN or (kind.endswith(("_call", "_call_output")) and "call_id" in fields)
    )


def is_chat(fields: Mapping[str, Any]) -> bool:
    """Whether a message has what only Chat Completions and Anthropic messages have."""
    if "tool_calls" in fields or "tool_call_id" in fields:
        return True
    kinds = [as_text(as_object(part).get("type")) for part in as_list(fields.get("content"))]
    return any(kind in ("tool_use", "tool_result", "thinking") for kind in kinds)


def fold(items: Iterable[Item]) -> Folded:
    """One chat message per user message and per output; neighbouring assistant items become one.

    A reasoning item stays with the call it led to. Raises `SessionError` for a bad item.
    """
    ignored: Counter[str] = Counter()
    messages: list[Sourced] = []
    for group in _groups(items):
        kind = _kind(group[0])
        if _speaks(group[0]):
            messages.append(_assistant(group))
        elif kind in ("message", "agent_message") or kind.endswith("_output"):
            messages.append(_single(group[0]))
        else:
            ignored[kind] += len(group)
    return Folded(tuple(messages), dict(ignored))


def role_missing(item: Item) -> str:
    """Why nobody said a message item; "" for one with a role, and for every other item."""
    return role_problem(item.fields, place=item.place) if _kind(item) == "message" else ""


def usage_added(item: Item, usage: Usage) -> Item:
    """The item with the usage of the reply it belongs to."""
    origin = item.origin
    told = Origin(origin.line, origin.record, origin.timestamp, usage)
    return Item(item.fields, told, item.place)


def speaks(item: Item) -> bool:
    """Whether the item is part of a model's reply."""
    return _speaks(item)


def _kind(item: Item) -> str:
    kind = item.fields.get("type")
    if isinstance(kind, str):
        return kind
    return "message" if "role" in item.fields else ""


def _speaks(item: Item) -> bool:
    kind = _kind(item)
    if kind == "message":
        return item.fields.get("role") == "assistant"
    return kind == "reasoning" or kind.endswith("_call")


def _groups(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Neighbouring items of one reply; a reply has one text, so a second one opens the next."""
    group: list[Item] = []
    for item in items:
        if group and not _joins(item, group):
            yield group
            group = []
        group.append(item)
    if group:
        yield group


def _joins(item: Item, group: list[Item]) -> bool:
    if not _speaks(item) or not _speaks(group[0]):
        return False
    return _kind(item) != "message" or all(_kind(other) != "message" for other in group)


@dataclass(slots=True)
class _Reply:
    parts: list[Any] = field(default_factory=list[Any])
    calls: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    rest: dict[str, Any] = field(default_factory=dict[str, Any])


def _assistant(group: list[Item]) -> Sourced:
    reply = _Reply()
    for item in group:
        _add(item.fields, _kind(item), reply)
    first = group[0]
    fields = {**reply.rest, "role": "assistant", "content": reply.parts or None}
    fields["tool_calls"] = reply.calls
    told = [item.origin.usage for item in group if item.origin.usage]
    origin = Origin(
        line=first.origin.line,
        record=first.origin.record,
        timestamp=first.origin.timestamp,
        usage=told[-1] if told else None,
    )
    return sourced(fields, place=first.place, origin=origin)


def _add(fields: dict[str, Any], kind: str, reply: _Reply) -> None:
    if kind == "message":
        content = fields.get("content")
        reply.parts += as_list(content) or [content or ""]
        reply.rest.update(
            {name: fields[name] for name in fields if name not in ("type", "content")}
        )
    elif kind == "reasoning":
        reply.parts.append({**fields, "text": _summary(fields.get("summary"))})
    elif "call_id" in fields or kind not in _HOSTED:
        reply.calls.append(_call(fields, kind))
    else:
        reply.parts.append(fields)


def _summary(summary: object) -> str:
    texts = [as_text(as_object(part).get("text")) for part in as_list(summary)]
    return "\n".join(text for text in texts if text)


def _call(fields: dict[str, Any], kind: str) -> dict[str, Any]:
    name = fields.get("name") if kind in _NAMED else kind.removesuffix("_call")
    return {
        **{key: value for key, value in fields.items() if key not in _FIELDS},
        "id": fields.get("call_id") or fields.get("id"),
        "original_type": kind,
        "function": {"name": name, "arguments": _arguments(fields)},
    }


def _arguments(fields: dict[str, Any]) -> Any:
    """The arguments as JSON; a custom tool's free text becomes `{"input": text}`."""
    given = next((fields[name] for name in ("arguments", "action") if fields.get(name)), None)
    if given is not None or "input" not in fields:
        return given
    text = fields["input"]
    try:
        is_object = isinstance(text, str) and isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        is_object = False
    return text if is_object else {"input": text}


def _single(item: Item) -> Sourced:
    fields, kind = item.fields, _kind(item)
    if kind.endswith("_output"):
        given = next((fields[name] for name in ("output", "tools") if name in fields), "")
        rest = {key: value for key, value in fields.items() if key not in {*_FIELDS, "tools"}}
        told = {
            **rest,
            "role": "tool",
            "tool_call_id": fields.get("call_id"),
            "content": _output(given),
        }
    elif kind == "agent_message":
        rest = {key: value for key, value in fields.items() if key != "type"}
        told = {**rest, "role": kind, "name": fields.get("author")}
    else:
        told = {key: value for key, value in fields.items() if key != "type"}
    return sourced(told, place=item.place, origin=item.origin)


def _output(given: object) -> object:
    """Text and parts as they are; any other JSON as its text."""
    if isinstance(given, str):
        return given
    parts = [cast("object", given)] if isinstance(given, dict) else as_list(given)
    kinds = [as_text(as_object(part).get("type")) for part in parts]
    if kinds and all(kind.startswith(_PARTS) for kind in kinds):
        return plain(parts)
    return json.dumps(given, ensure_ascii=False)
