"""Anthropic Messages: requests with `system` and `messages`, or a list of messages with blocks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, cast

from memory_core.errors import SessionError
from memory_core.sessions.chat_messages import Conversation, conversation_in, is_chat
from memory_core.sessions.content_blocks import has_marks, split_message
from memory_core.sessions.format import Reading, Record
from memory_core.sessions.session import Origin, Session, Skipped, Usage
from memory_core.sessions.sourced import Sourced, as_session, build, id_of
from memory_core.sessions.usages import anthropic_usage
from memory_core.texts import _

NAME: Final = "anthropic"
_ROLES: Final = ("user", "assistant")
_IDS: Final = ("session_id", "conversation_id", "id", "custom_id")


class AnthropicMessages:
    """User and assistant messages whose content is text or blocks."""

    label = "Anthropic Messages"
    description = _(
        "`{system, messages}` or a list or JSONL of messages with tool_use and tool_result blocks"
    )
    live = False

    def detect(self, head: Sequence[Record]) -> bool:
        dumps = [found for record in head if (found := conversation_in(record.fields))]
        if dumps:
            return any(_is_dump(found) for found in dumps)
        return _is_own([record.fields for record in head if is_chat(record.fields)])

    def read(self, records: Iterable[Record]) -> Reading:
        bare: list[Sourced] = []
        sessions: list[Session] = []
        skipped: list[Skipped] = []
        used = 0
        for record in records:
            found = conversation_in(record.fields)
            if found is None:
                place = _("message {index}").format(index=record.position)
                bare += _split(record.fields, place=place, line=record.line)
                used += 1
            elif messages := _messages(found, record):
                sessions.append(_session(messages, found, record))
                used += 1
            else:
                skipped.append(Skipped(_("no messages"), line=record.line, record=record.position))
        if bare:
            sessions.insert(0, as_session(bare, id="session-0", format=NAME))
        return Reading(tuple(sessions), used, skipped=tuple(skipped))


def _is_dump(found: Conversation) -> bool:
    if found.response.get("type") == "message" and found.response.get("role") == "assistant":
        return True
    messages = [cast("dict[str, Any]", item) for item in found.messages if isinstance(item, dict)]
    return _is_own(messages) or ("system" in found.around and _only_its_roles(messages))


def _is_own(messages: Sequence[dict[str, Any]]) -> bool:
    return _only_its_roles(messages) and any(has_marks(item.get("content")) for item in messages)


def _only_its_roles(messages: Sequence[dict[str, Any]]) -> bool:
    return all(item.get("role") in _ROLES and "tool_calls" not in item for item in messages)


def _session(messages: list[Sourced], found: Conversation, record: Record) -> Session:
    return as_session(
        messages,
        id=id_of(record.fields, _IDS, position=record.position),
        format=NAME,
        model=found.around.get("model") or found.response.get("model"),
        tools=found.around.get("tools"),
    )


def _messages(found: Conversation, record: Record) -> list[Sourced]:
    messages: list[Sourced] = []
    if system := found.around.get("system"):
        spoken = {"role": "system", "content": system}
        messages += _split(spoken, place="system", line=record.line)
    for index, value in enumerate(found.messages):
        messages += _split(value, place=f"{found.path}[{index}]", line=record.line)
    reply = found.response
    if reply.get("role") == "assistant" and "content" in reply:
        answer = {name: reply[name] for name in ("id", "role", "content") if name in reply}
        usage = anthropic_usage(reply.get("usage"))
        messages += _split(answer, place="response", line=record.line, usage=usage)
    return messages


def _split(
    value: Any, *, place: str, line: int | None, usage: Usage | None = None
) -> list[Sourced]:
    if not isinstance(value, dict):
        raise SessionError(_("{place} is not an object").format(place=place), line=line)
    origin = Origin(line=line, usage=usage)
    return [
        Sourced(build(fields, place=place, line=line), origin)
        for fields in split_message(cast("dict[str, Any]", value))
    ]
