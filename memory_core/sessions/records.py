"""The records of a file: JSON document or JSONL, told apart by content and read line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import chain
from typing import Any, BinaryIO, Final, cast

from memory_core.errors import SessionError
from memory_core.sessions.format import Record
from memory_core.sessions.parsing import Broken, parse
from memory_core.sessions.session import Skipped
from memory_core.texts import _

_WRAPPINGS: Final = 3
"""How often a JSON text may be wrapped in a JSON string."""

Item = Record | Skipped | Broken


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    raw: bytes


def read_records(stream: BinaryIO) -> Iterator[Item]:
    """Every record of a UTF-8 `stream`, with those that are no object or no JSON in their places.

    JSONL is read line by line; a last line that is no JSON and has no end was being written when
    its writer stopped, and is skipped. Raises `SessionError` if the file as a whole holds no
    records.
    """
    start = stream.tell()
    lines = _lines(stream)
    first = next(lines, None)
    if first is None:
        raise SessionError(_("the file is empty"))
    value = parse(first.raw)
    if isinstance(value, Broken):
        stream.seek(start)
        return _whole(stream.read())
    second = next(lines, None)
    if second is None:
        return _document(value)
    return chain([_item(value, 0, first.number)], _jsonl(chain([second], lines), 1))


def _lines(stream: BinaryIO) -> Iterator[_Line]:
    return (_Line(number, raw) for number, raw in enumerate(stream, 1) if raw.strip())


def _jsonl(lines: Iterable[_Line], start: int) -> Iterator[Item]:
    for position, line in enumerate(lines, start):
        value = parse(line.raw)
        if isinstance(value, Broken) and not line.raw.endswith(b"\n"):
            reason = _("{reason}; the file ends within this line").format(reason=value.reason)
            yield Skipped(reason, line=line.number, record=position)
        else:
            yield _item(value, position, line.number)


def _item(value: object, position: int, line: int | None) -> Item:
    if isinstance(value, Broken):
        return Broken(value.reason, line or value.line)
    if isinstance(value, dict):
        return Record(cast("dict[str, Any]", value), position, line)
    reason = _("a {kind} where an object should be").format(kind=_kind(value))
    return Skipped(reason, line=line, record=position)


def _whole(raw: bytes) -> Iterator[Item]:
    """A document over several lines, or JSONL whose first line is damaged."""
    value = parse(raw)
    if not isinstance(value, Broken):
        return _document(value)
    if raw.lstrip()[:1] != b"[" and any(_is_object(line.raw) for line in _lines(BytesIO(raw))):
        return _jsonl(_lines(BytesIO(raw)), 0)
    raise SessionError(value.reason, line=value.line)


def _is_object(raw: bytes) -> bool:
    return raw.startswith(b"{") and isinstance(parse(raw), dict)


def _document(value: object) -> Iterator[Item]:
    for _wrapping in range(_WRAPPINGS):
        if not isinstance(value, str):
            break
        value = _unwrapped(value)
    if isinstance(value, list):
        elements = cast("list[object]", value)
        if not elements:
            raise SessionError(_("the file holds an empty list"))
        return (_item(element, position, None) for position, element in enumerate(elements))
    if isinstance(value, dict):
        return iter([_item(cast("object", value), 0, None)])
    raise SessionError(_("the file holds only a JSON {kind}").format(kind=_kind(value)))


def _unwrapped(text: str) -> object:
    value = parse(text.encode())
    if isinstance(value, Broken):
        reason = _("the file holds a JSON string, and inside it: {reason}")
        raise SessionError(reason.format(reason=value.reason))
    return value


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return _("boolean")
    if isinstance(value, str):
        return _("string")
    return _("list") if isinstance(value, list) else _("number")
