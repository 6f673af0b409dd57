"""Anthropic Messages: requests with `system` and `messages`, or a list of messages with blocks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, cast

from memory_core.errors import SessionError
from memory_core.messages import role_of
from memory_core.sessions.chat_messages import Conversation, conversation_in, is_chat
from memory_core.sessions.content_blocks import has_marks, split_message
from memory_core.sessions.format import Reading, Record
from memory_core.sessions.session import Origin, Session, Skipped, Usage
from memory_core.sessions.sourced import Gathered, as_session, id_of
from memory_core.sessions.usages import anthropic_usage
from memory_core.sessions.values import as_text
from memory_core.texts import _

NAME: Final = "anthropic"
_ROLES: Final = ("user", "assistant")
_OTHERS: Final = ("system", "developer", "tool")
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
        bare = Gathered()
        sessions: list[Session] = []
        skipped: list[Skipped] = []
        used = 0
        for record in records:
            found = conversation_in(record.fields)
            if found is None:
                place = _("message {index}").format(index=record.position)
                known = len(bare.messages)
                _add(bare, record.fields, place=place, record=record)
                used += len(bare.messages) > known
                continue
            gathered = _gathered(found, record)
            skipped += gathered.skipped
            if gathered.messages:
                sessions.append(_session(gathered, found, record))
                used += 1
            elif not gathered.skipped:
                skipped.append(Skipped(_("no messages"), line=record.line, record=record.position))
        if bare.messages:
            sessions.insert(0, as_session(bare.messages, id="session-0", format=NAME))
        return Reading(tuple(sessions), used, skipped=(*skipped, *bare.skipped))


def _is_dump(found: Conversation) -> bool:
    if found.response.get("type") == "message" and found.response.get("role") == "assistant":
        return True
    messages = [cast("dict[str, Any]", item) for item in found.messages if isinstance(item, dict)]
    return _is_own(messages) or ("system" in found.around and _only_its_roles(messages))


def _is_own(messages: Sequence[dict[str, Any]]) -> bool:
    """Whether there are marks of these messages and none of others; a strange role is none."""
    if any(role_of(as_text(item.get("role"))) in _OTHERS for item in messages):
        return False
    return _without_calls(messages) and any(has_marks(item.get("content")) for item in messages)


def _only_its_roles(messages: Sequence[dict[str, Any]]) -> bool:
    return all(item.get("role") in _ROLES for item in messages) and _without_calls(messages)


def _without_calls(messages: Sequence[dict[str, Any]]) -> bool:
    return not any("tool_calls" in item for item in messages)


def _session(gathered: Gathered, found: Conversation, record: Record) -> Session:
    return as_session(
        gathered.messages,
        id=id_of(record.fields, _IDS, position=record.position),
        format=NAME,
        model=found.around.get("model") or found.response.get("model"),
        tools=found.around.get("tools"),
    )


def _gathered(found: Conversation, record: Record) -> Gathered:
    gathered = Gathered()
    if system := found.around.get("system"):
        spoken = {"role": "system", "content": system}
        _add(gathered, spoken, place="system", record=record)
    for index, value in enumerate(found.messages):
        _add(gathered, value, place=f"{found.path}[{index}]", record=record)
    reply = found.response
    if reply.get("role") == "assistant" and "content" in reply:
        answer = {name: reply[name] for name in ("id", "role", "content") if name in reply}
        usage = anthropic_usage(reply.get("usage"))
        _add(gathered, answer, place="response", record=record, usage=usage)
    return gathered


def _add(
    to: Gathered, value: Any, *, place: str, record: Record, usage: Usage | None = None
) -> None:
    if not isinstance(value, dict):
        raise SessionError(_("{place} is not an object").format(place=place), line=record.line)
    origin = Origin(line=record.line, usage=usage)
    for fields in split_message(cast("dict[str, Any]", value)):
        to.add(fields, place=place, position=record.position, origin=origin)
