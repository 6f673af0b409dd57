"""OpenAI Chat Completions messages: how to know them, and the dumps they lie in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from memory_core.errors import SessionError
from memory_core.sessions.values import as_list, as_object
from memory_core.texts import _

_SAYING: Final = frozenset({"content", "tool_calls", "function_call", "refusal"})
_FIELDS: Final = _SAYING | {"role", "name", "tool_call_id", "id", "metadata", "original_role"}
_LISTS: Final = ("messages", "history", "conversations", "conversation")
_REQUESTS: Final = ("request", "body")


@dataclass(frozen=True, slots=True)
class Conversation:
    """The list of messages in a record, its path, the fields around it and the response."""

    messages: list[Any]
    path: str
    around: dict[str, Any]
    response: dict[str, Any]


def is_chat(fields: Mapping[str, Any]) -> bool:
    """Whether an object is a chat message: it says something, in a role or without other fields."""
    if not _SAYING.intersection(fields):
        return False
    return isinstance(fields.get("role"), str) or _FIELDS.issuperset(fields)


def is_chat_list(values: Sequence[Any]) -> bool:
    """Whether a list holds chat messages (an empty one holds none of another kind)."""
    return not values or any(is_chat(as_object(value)) for value in values)


def conversation_in(fields: dict[str, Any]) -> Conversation | None:
    """The conversation a record holds, directly or as a recorded request with its response."""
    for prefix, around in _places(fields):
        for name in _LISTS:
            found = around.get(name)
            if isinstance(found, list) and is_chat_list(cast("list[Any]", found)):
                return Conversation(
                    messages=cast("list[Any]", found),
                    path=prefix + name,
                    around=around,
                    response=as_object(fields.get("response")) or fields,
                )
    return None


def _places(fields: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "", fields
    for name in _REQUESTS:
        yield f"{name}.", as_object(fields.get(name))


def chat_fields(value: Any, *, place: str, line: int | None) -> dict[str, Any]:
    """A message's fields, its legacy `function_call` as a tool call.

    Raises `SessionError` at `place` where the value is no object.
    """
    if not isinstance(value, dict):
        raise SessionError(_("{place} is not an object").format(place=place), line=line)
    fields = as_object(cast("object", value))
    if "function_call" in fields:
        fields = _with_tool_call(fields)
    answered = as_list(fields.get("tool_call_ids"))
    if len(answered) == 1:
        fields = {"tool_call_id": answered[0], **fields}
    return fields


def _with_tool_call(fields: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in fields.items() if name != "function_call"}
    call = fields["function_call"]
    if call is not None and not kept.get("tool_calls"):
        kept["tool_calls"] = [{"function": call}]
    return kept
