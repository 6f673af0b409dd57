"""Recorded sessions: any known file in, sessions with provenance and a report of the load out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, Final

from memory_core.errors import SessionError
from memory_core.sessions.anthropic_messages import AnthropicMessages
from memory_core.sessions.claude_code import ClaudeCode
from memory_core.sessions.codex import Codex
from memory_core.sessions.decoding import utf8_stream
from memory_core.sessions.format import Reading, Record, SessionFormat
from memory_core.sessions.openai_chat import OpenAIChat
from memory_core.sessions.openai_responses import OpenAIResponses
from memory_core.sessions.parsing import Broken
from memory_core.sessions.records import Item, read_records
from memory_core.sessions.session import Loaded, LoadReport, Session, Skipped
from memory_core.sessions.tau_bench import TauBench
from memory_core.texts import _

__all__ = ["FORMATS", "LARGEST_FILE", "load_bytes", "load_file", "pick"]

FORMATS: Final[Mapping[str, SessionFormat]] = {
    "claude-code": ClaudeCode(),
    "codex": Codex(),
    "tau-bench": TauBench(),
    "openai-responses": OpenAIResponses(),
    "anthropic": AnthropicMessages(),
    "openai-chat": OpenAIChat(),
}
"""Every format by name, asked in this order: the first that recognises a file reads it."""

LARGEST_FILE: Final = 200_000_000
"""Bytes a file may have unless the caller allows more."""

_HEAD: Final = 256
_KEYS_SHOWN: Final = 8
_SESSIONS_SHOWN: Final = 20


def load_file(path: str | Path, *, limit: int = LARGEST_FILE) -> Loaded:
    """All sessions of the file at `path`, recognised by content, never by suffix.

    Raises `SessionError` naming the file, and the line where one is to blame.
    """
    found = Path(path)
    try:
        if not found.is_file():
            reason = _("not a regular file") if found.exists() else _("no such file")
            raise SessionError(reason, file=found)
        size = found.stat().st_size
        _check_size(size, name=str(found), limit=limit)
        with found.open("rb") as stream:
            return _load(stream, name=str(found), size=size)
    except OSError as error:
        raise SessionError(error.strerror or str(error), file=found) from None


def load_bytes(data: bytes, *, name: str, limit: int = LARGEST_FILE) -> Loaded:
    """All sessions in the bytes of an upload; `name` is used in errors and the report."""
    _check_size(len(data), name=name, limit=limit)
    return _load(BytesIO(data), name=name, size=len(data))


def pick(sessions: Sequence[Session], wanted: str | None) -> Session:
    """The session with this id or 0-based index; the first if none is asked for.

    Raises `SessionError` listing what there is.
    """
    if wanted is None:
        return sessions[0]
    by_id = {session.id: session for session in sessions}
    if wanted in by_id:
        return by_id[wanted]
    number = int(wanted[:10]) if wanted.isdecimal() and wanted.isascii() else len(sessions)
    if number < len(sessions):
        return sessions[number]
    listed = [f"{index} = {session.id}" for index, session in enumerate(sessions)]
    shown = ", ".join(listed[:_SESSIONS_SHOWN])
    if len(listed) > _SESSIONS_SHOWN:
        shown += ", …"
    reason = _("no session {wanted!r}; there are {count}: {shown}")
    raise SessionError(reason.format(wanted=wanted, count=len(sessions), shown=shown))


def _check_size(size: int, *, name: str, limit: int) -> None:
    if size > limit:
        reason = _("{size} bytes are more than the limit of {limit}")
        raise SessionError(reason.format(size=size, limit=limit), file=name)


@dataclass(slots=True)
class _Intake:
    """Counts what passes on its way to a format, and decides about what is no record."""

    live: bool
    read: int = 0
    skipped: list[Skipped] = field(default_factory=list[Skipped])

    def records(self, items: Iterable[Item]) -> Iterator[Record]:
        for item in items:
            self.read += 1
            if isinstance(item, Record):
                yield item
            elif isinstance(item, Skipped):
                self.skipped.append(item)
            elif self.live:
                self.skipped.append(Skipped(item.reason, line=item.line, record=self.read - 1))
            else:
                raise SessionError(item.reason, line=item.line)


def _load(stream: BinaryIO, *, name: str, size: int) -> Loaded:
    try:
        items = read_records(utf8_stream(stream))
        head = list(islice(items, _HEAD))
        format_name = _recognised(head)
        intake = _Intake(live=FORMATS[format_name].live)
        reading = FORMATS[format_name].read(intake.records(chain(head, items)))
        if not reading.sessions:
            raise _nothing_in(reading, FORMATS[format_name].label)
    except SessionError as error:
        raise SessionError(error.reason, file=name, line=error.line) from None
    return Loaded(
        _with_unique_ids(reading.sessions), _report(reading, intake, format_name, name, size)
    )


def _nothing_in(reading: Reading, label: str) -> SessionError:
    """No message of a file could be used; the first that was skipped says why."""
    if not reading.skipped:
        return SessionError(_("{label}, but without a single message").format(label=label))
    first = reading.skipped[0]
    reason = _("{label}, but without a single message: {reason}")
    return SessionError(reason.format(label=label, reason=first.reason), line=first.line)


def _report(
    reading: Reading, intake: _Intake, format_name: str, name: str, size: int
) -> LoadReport:
    return LoadReport(
        file=name,
        format=format_name,
        bytes=size,
        records_read=intake.read,
        records_used=reading.used,
        ignored=dict(reading.ignored),
        skipped=tuple(sorted((*intake.skipped, *reading.skipped), key=lambda one: one.record or 0)),
        notes=reading.notes,
    )


def _recognised(head: Sequence[Item]) -> str:
    records = [item for item in head if isinstance(item, Record)]
    for name, known in FORMATS.items():
        if known.detect(records):
            return name
    broken = next((item for item in head if isinstance(item, Broken)), None)
    if broken:
        raise SessionError(broken.reason, line=broken.line)
    reason = _("no known session format: {found}; known are {known}")
    labels = ", ".join(known.label for known in FORMATS.values())
    raise SessionError(reason.format(found=_seen(head, records), known=labels))


def _seen(head: Sequence[Item], records: Sequence[Record]) -> str:
    if not records:
        return _("no JSON object among the first {count} values").format(count=len(head))
    keys = list(records[0].fields)
    shown = ", ".join(repr(key[:40]) for key in keys[:_KEYS_SHOWN])
    if len(keys) > _KEYS_SHOWN:
        shown += ", …"
    return _("objects with {keys}").format(keys=shown or _("no keys"))


def _with_unique_ids(sessions: Iterable[Session]) -> tuple[Session, ...]:
    taken: set[str] = set()
    repeats: Counter[str] = Counter()
    unique: list[Session] = []
    for session in sessions:
        id_ = session.id
        while id_ in taken:
            repeats[session.id] += 1
            id_ = f"{session.id}#{repeats[session.id] + 1}"
        taken.add(id_)
        unique.append(session if id_ == session.id else replace(session, id=id_))
    return tuple(unique)
