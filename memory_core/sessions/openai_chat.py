"""OpenAI Chat Completions: a list of messages, JSONL, or dumps of requests and responses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from memory_core.sessions.chat_messages import (
    Conversation,
    chat_fields,
    conversation_in,
    is_chat,
)
from memory_core.sessions.format import Reading, Record
from memory_core.sessions.session import Origin, Session, Skipped
from memory_core.sessions.sourced import Gathered, as_session, id_of, sourced
from memory_core.sessions.usages import openai_usage
from memory_core.texts import _, ngettext

NAME: Final = "openai-chat"
_IDS: Final = ("session_id", "conversation_id", "thread_id", "id", "custom_id", "question_ID")


class OpenAIChat:
    """Messages with `role` and `content`, calls under `tool_calls` or the older `function_call`."""

    label = "OpenAI Chat Completions"
    description = _(
        "A list or JSONL of messages, of objects with `messages`, or request and response dumps"
    )
    live = False

    def detect(self, head: Sequence[Record]) -> bool:
        return any(
            is_chat(record.fields) or conversation_in(record.fields) is not None for record in head
        )

    def read(self, records: Iterable[Record]) -> Reading:
        bare = Gathered()
        sessions: list[Session] = []
        skipped: list[Skipped] = []
        left_out = 0
        logged = False
        for record in records:
            found = conversation_in(record.fields)
            if found is None:
                place = _("message {index}").format(index=record.position)
                _add(bare, record.fields, place=place, record=record)
                continue
            gathered = _gathered(found, record)
            session = _recorded(gathered, found, record)
            skipped += gathered.skipped
            if not session.messages:
                if not gathered.skipped:
                    skipped.append(_without_messages(record))
            elif logged and _continues(session, sessions[-1]):
                sessions[-1] = _with_origins_of(sessions[-1], session)
                left_out += 1
            else:
                sessions.append(session)
            logged = bool(session.messages) and "choices" in found.response
        used = len(bare.messages) + len(sessions) + left_out
        if bare.messages:
            sessions.insert(0, as_session(bare.messages, id="session-0", format=NAME))
        skipped += bare.skipped
        return Reading(tuple(sessions), used, skipped=tuple(skipped), notes=_notes(left_out))


def _notes(left_out: int) -> tuple[str, ...]:
    if not left_out:
        return ()
    note = ngettext(
        "{count} request is the beginning of the one after it; the longest is shown",
        "{count} requests are the beginning of the one after; the longest is shown",
        left_out,
    )
    return (note.format(count=left_out),)


def _add(to: Gathered, value: Any, *, place: str, record: Record) -> None:
    fields = chat_fields(value, place=place, line=record.line)
    to.add(fields, place=place, position=record.position, origin=_origin(fields, record))


def _gathered(found: Conversation, record: Record) -> Gathered:
    gathered = Gathered()
    for index, value in enumerate(found.messages):
        _add(gathered, value, place=f"{found.path}[{index}]", record=record)
    system, told = found.around.get("system"), gathered.messages
    if isinstance(system, str) and system and not any(item.message.is_system for item in told):
        spoken = {"role": "system", "content": system}
        told.insert(0, sourced(spoken, place="system", origin=Origin(line=record.line)))
    _add_reply(gathered, found.response, record)
    return gathered


def _without_messages(record: Record) -> Skipped:
    return Skipped(_("no messages"), line=record.line, record=record.position)


def _recorded(gathered: Gathered, found: Conversation, record: Record) -> Session:
    return as_session(
        gathered.messages,
        id=id_of(record.fields, _IDS, position=record.position),
        format=NAME,
        model=found.around.get("model") or found.response.get("model"),
        tools=found.around.get("tools") or found.around.get("functions"),
    )


def _add_reply(to: Gathered, response: dict[str, Any], record: Record) -> None:
    choices = response.get("choices")
    first: Any = cast("list[Any]", choices)[0] if isinstance(choices, list) and choices else None
    if not isinstance(first, dict) or "message" not in first:
        return
    place = "choices[0].message"
    to.add(
        chat_fields(first["message"], place=place, line=record.line),
        place=place,
        position=record.position,
        origin=Origin(line=record.line, usage=openai_usage(response.get("usage"))),
    )


def _origin(fields: dict[str, Any], record: Record) -> Origin:
    timestamp = fields.get("timestamp")
    return Origin(line=record.line, timestamp=timestamp if isinstance(timestamp, str) else None)


def _continues(later: Session, earlier: Session) -> bool:
    """Whether a recorded request repeats all of the one before it, reply included."""
    size = len(earlier.messages)
    return size < len(later.messages) and all(
        mine.to_openai() == theirs.to_openai()
        for mine, theirs in zip(later.messages, earlier.messages, strict=False)
    )


def _with_origins_of(earlier: Session, later: Session) -> Session:
    return replace(later, origins=earlier.origins + later.origins[len(earlier.origins) :])
