"""Codex CLI rollouts: response items in event lines, with compactions that replace the history."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from memory_core.errors import SessionError
from memory_core.sessions.format import Reading, Record
from memory_core.sessions.response_items import Folded, Item, fold, speaks, usage_added
from memory_core.sessions.session import Origin, Session, Skipped
from memory_core.sessions.sourced import as_session, id_of
from memory_core.sessions.usages import openai_usage
from memory_core.sessions.values import as_list, as_object, as_text
from memory_core.texts import _

NAME: Final = "codex"
_TYPES: Final = frozenset(
    {"session_meta", "turn_context", "response_item", "event_msg", "compacted"}
)


class Codex:
    """Lines of `{timestamp, type, payload}`; only response items are messages."""

    label = "Codex CLI rollout"
    description = _("`rollout-*.jsonl`; also the active context after the last compaction")
    live = True

    def detect(self, head: Sequence[Record]) -> bool:
        return any(
            as_text(record.fields.get("type")) in _TYPES
            and isinstance(record.fields.get("payload"), dict)
            for record in head
        )

    def read(self, records: Iterable[Record]) -> Reading:
        rollout = _Rollout()
        for record in records:
            rollout.add(record)
        whole = fold(rollout.items)
        ignored = rollout.ignored + Counter(whole.ignored)
        used = len(rollout.items) - sum(whole.ignored.values())
        return Reading(rollout.sessions(whole), used, dict(ignored), tuple(rollout.skipped))


@dataclass(slots=True)
class _Rollout:
    items: list[Item] = field(default_factory=list[Item])
    active: list[Item] | None = None
    meta: dict[str, Any] = field(default_factory=dict[str, Any])
    model: object = None
    ignored: Counter[str] = field(default_factory=Counter[str])
    skipped: list[Skipped] = field(default_factory=list[Skipped])

    def add(self, record: Record) -> None:
        fields = as_object(record.fields.get("payload"))
        kind = str(record.fields.get("type"))
        if kind == "response_item" and fields:
            self._take(Item(fields, _origin(record, fields), kind), record)
        elif kind == "compacted":
            self.active = list(_replacement(fields, record))
            self._ignore(kind, {})
        else:
            self._learn(kind, fields)
            self._ignore(kind, fields)

    def _ignore(self, kind: str, fields: dict[str, Any]) -> None:
        inner = as_text(fields.get("type"))
        self.ignored[f"{kind}/{inner}" if inner else kind] += 1

    def _take(self, item: Item, record: Record) -> None:
        try:
            fold([item])
        except SessionError as error:
            self.skipped.append(Skipped(error.reason, line=record.line, record=record.position))
            return
        self.items.append(item)
        if self.active is not None:
            self.active.append(item)

    def _learn(self, kind: str, fields: dict[str, Any]) -> None:
        if kind == "session_meta":
            self.meta = self.meta or fields
        elif kind == "turn_context":
            self.model = fields.get("model") or self.model
        elif fields.get("type") == "token_count":
            self._add_usage(fields.get("info"))

    def _add_usage(self, info: object) -> None:
        usage = openai_usage(as_object(info).get("last_token_usage"))
        for items in (self.items, self.active or []):
            last = next((i for i in reversed(range(len(items))) if speaks(items[i])), None)
            if usage and last is not None:
                items[last] = usage_added(items[last], usage)

    def sessions(self, whole: Folded) -> tuple[Session, ...]:
        if not whole.messages:
            return ()
        id_ = id_of(self.meta, ("id", "session_id"), position=0)
        sessions = [as_session(whole.messages, id=id_, format=NAME, model=self.model)]
        active = fold(self.active or ()).messages
        if active:
            title = _("active context after the last compaction")
            made = as_session(
                active, id=f"{id_}:active", format=NAME, title=title, model=self.model
            )
            sessions.append(made)
        return tuple(sessions)


def _origin(record: Record, fields: dict[str, Any]) -> Origin:
    return Origin(
        line=record.line,
        record=as_text(fields.get("id")),
        timestamp=as_text(record.fields.get("timestamp")) or None,
    )


def _replacement(fields: dict[str, Any], record: Record) -> Iterable[Item]:
    """The history a compaction left, else its message alone, without items that are no good."""
    given = as_list(fields.get("replacement_history"))
    if not given and fields.get("message"):
        given = [{"role": "user", "content": fields["message"]}]
    for value in given:
        item = Item(as_object(value), _origin(record, {}), "replacement_history")
        try:
            fold([item])
        except SessionError:
            continue
        yield item
