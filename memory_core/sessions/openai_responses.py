"""OpenAI Responses: a list or JSONL of items, or requests with `input` and their `output`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from memory_core.sessions.format import Reading, Record
from memory_core.sessions.response_items import (
    Folded,
    Item,
    fold,
    is_chat,
    is_item,
    role_missing,
    speaks,
    usage_added,
)
from memory_core.sessions.session import Origin, Session, Skipped
from memory_core.sessions.sourced import as_session, id_of
from memory_core.sessions.usages import openai_usage
from memory_core.sessions.values import as_list, as_object
from memory_core.texts import _

NAME: Final = "openai-responses"
_IDS: Final = ("session_id", "conversation_id", "previous_response_id", "id")


@dataclass(frozen=True, slots=True)
class _Dump:
    request: dict[str, Any]
    response: dict[str, Any]


class OpenAIResponses:
    """Items told apart by `type`, calls and outputs joined by `call_id`."""

    label = "OpenAI Responses"
    description = _("A list or JSONL of items, or `{instructions, input, output}` dumps")
    live = False

    def detect(self, head: Sequence[Record]) -> bool:
        if any(_dump(record.fields) for record in head):
            return True
        return any(is_item(record.fields) for record in head) and all(
            is_item(record.fields) or ("role" in record.fields and not is_chat(record.fields))
            for record in head
        )

    def read(self, records: Iterable[Record]) -> Reading:
        bare: list[Item] = []
        sessions: list[Session] = []
        skipped: list[Skipped] = []
        ignored: Counter[str] = Counter()
        for record in records:
            found = _dump(record.fields)
            items = _items(found, record) if found else [_bare(record)]
            reasons = [reason for item in items if (reason := role_missing(item))]
            spoken = [item for item in items if not role_missing(item)]
            if found is None:
                bare += spoken
            else:
                folded = fold(spoken)
                ignored.update(folded.ignored)
                if folded.messages:
                    sessions.append(_session(folded, found, record))
                elif not reasons:
                    reasons = [_("no messages")]
            skipped += [Skipped(one, line=record.line, record=record.position) for one in reasons]
        used = len(sessions)
        if bare:
            folded = fold(bare)
            ignored.update(folded.ignored)
            used += len(bare) - sum(folded.ignored.values())
            if folded.messages:
                sessions.insert(0, as_session(folded.messages, id="session-0", format=NAME))
        return Reading(tuple(sessions), used, dict(ignored), tuple(skipped))


def _bare(record: Record) -> Item:
    place = _("item {index}").format(index=record.position)
    return Item(record.fields, Origin(line=record.line), place)


def _session(folded: Folded, found: _Dump, record: Record) -> Session:
    return as_session(
        folded.messages,
        id=id_of(record.fields, _IDS, position=record.position),
        format=NAME,
        model=found.request.get("model") or found.response.get("model"),
        tools=found.request.get("tools"),
    )


def _dump(fields: dict[str, Any]) -> _Dump | None:
    request = as_object(fields.get("request")) or as_object(fields.get("body")) or fields
    response = as_object(fields.get("response")) or fields
    asked, answered = request.get("input"), response.get("output")
    known = isinstance(asked, str) and ("instructions" in request or "output" in response)
    if known or _holds_items(asked) or _holds_items(answered):
        return _Dump(request, response)
    return None


def _holds_items(values: object) -> bool:
    found = [as_object(value) for value in as_list(values)]
    return any(is_item(value) for value in found) and all(
        is_item(value) or "role" in value for value in found
    )


def _items(found: _Dump, record: Record) -> list[Item]:
    origin = Origin(line=record.line)
    items: list[Item] = []
    instructions = found.request.get("instructions")
    if isinstance(instructions, str) and instructions:
        items.append(Item({"role": "system", "content": instructions}, origin, "instructions"))
    asked: Any = found.request.get("input") or []
    if isinstance(asked, str):
        asked = [{"role": "user", "content": asked}]
    for path, values in (("input", asked), ("output", found.response.get("output"))):
        items += [
            Item(as_object(value), origin, f"{path}[{index}]")
            for index, value in enumerate(as_list(values))
        ]
    usage = openai_usage(found.response.get("usage"))
    if usage and items and speaks(items[-1]):
        items[-1] = usage_added(items[-1], usage)
    return items
