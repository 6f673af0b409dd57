"""Cutting a text into passages: sentences, log lines, and JSON as `path=value` records."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, cast

from memory_core.messages import clean_text

LONGEST: Final = 240
"""Most characters of one passage."""

_LARGEST_JSON: Final = 1_000_000
LONGEST_TEXT: Final = 96_000
"""Characters of a text from which on its middle is left out: two thirds are its head."""

_LONGEST_PATH: Final = 100
_SENTENCE_END: Final = re.compile(
    r"[.!?…][\"'\u201d\u2019)\]]{0,2}[ ](?![a-z])"
    r"|(?<=[다요죠까][.!?])(?=[가-힣])|[\u3002\uff01\uff1f](?=.)"
)
_ABBREVIATION: Final = re.compile(
    r"(?<![^ (])(?:[A-Za-z]|e\.g|i\.e|Mr|Mrs|Ms|Dr|St|No|vs|etc|cf|Inc|Ltd|Fig|approx)\. \Z"
)
_BREAK: Final = re.compile(r"[,;:|] | ")

_Json = str | bool | None | list["_Json"] | dict[str, "_Json"]


def passages(text: str, path: str = "", *, longest: int | None = LONGEST_TEXT) -> Iterator[str]:
    """The passages of `text` in order, each one line of at most about 240 characters.

    White space is folded to single spaces. JSON (the whole text or a whole line) becomes one record
    per object, `path.key=value, key=value`, its own path starting with `path`; a string too long
    for a record is cut like a text. Of a text of more than `longest` characters the first two
    thirds of so many and the last third are read; None reads all.
    """
    value = _parsed(text)
    if value is not None:
        yield from map(clean_text, _records(path, value))
        return
    if longest is not None and len(text) > longest:
        head = longest * 2 // 3
        text = text[:head] + "\n" + text[head - longest :]
    for line in text.splitlines():
        value = _parsed(line)
        if value is not None:
            yield from map(clean_text, _records(path, value))
        elif folded := fold(line):
            yield from _sentences(folded)


def fold(text: str) -> str:
    """`text` with each run of white space as one space."""
    return " ".join(text.split())


def _parsed(text: str) -> list[_Json] | dict[str, _Json] | None:
    stripped = text[:64].lstrip()
    if not stripped.startswith(("{", "[")) or len(text) > _LARGEST_JSON:
        return None
    try:
        value = cast("_Json", json.loads(text, parse_int=str, parse_float=str, parse_constant=str))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, list | dict) and value else None


def _records(path: str, value: _Json) -> Iterator[str]:
    pending: list[tuple[str, _Json]] = [(path, value)]
    while pending:
        path, value = pending.pop()
        if isinstance(value, dict):
            pairs = [
                (key, item) for key, item in value.items() if not isinstance(item, list | dict)
            ]
            yield from _record(path, pairs)
            nested = [
                (_ending(f"{path}.{key}" if path else key), item)
                for key, item in value.items()
                if isinstance(item, list | dict)
            ]
            pending.extend(reversed(nested))
        elif isinstance(value, list):
            yield from _packed(
                _ending(path) + "=",
                (_scalar(item) for item in value if not isinstance(item, list | dict)),
            )
            nested = [
                (_ending(f"{path}[{number}]"), item)
                for number, item in enumerate(value)
                if isinstance(item, list | dict)
            ]
            pending.extend(reversed(nested))


def _record(path: str, pairs: Sequence[tuple[str, _Json]]) -> Iterator[str]:
    short: list[str] = []
    long: list[tuple[str, str]] = []
    for key, item in pairs:
        text = _scalar(item)
        if len(text) > LONGEST or "\n" in text:
            long.append((key, text))
        else:
            short.append(f"{fold(key)}={fold(text)}")
    prefix = _ending(fold(path)) + "." if path else ""
    yield from _packed(prefix, short)
    for key, text in long:
        yield from passages(text, _ending(prefix + key))


def _ending(path: str) -> str:
    """The end of a path that is too long to stand before every value."""
    return path if len(path) <= _LONGEST_PATH else "…" + path[1 - _LONGEST_PATH :]


def _packed(prefix: str, pieces: Iterable[str]) -> Iterator[str]:
    line = ""
    for piece in pieces:
        if line and len(prefix) + len(line) + len(piece) > LONGEST:
            yield from _cut(prefix + line)
            line = ""
        line = f"{line}, {piece}" if line else piece
    if line:
        yield from _cut(prefix + line)


def _scalar(value: _Json) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value)


def _sentences(line: str) -> Iterator[str]:
    start = 0
    for found in _SENTENCE_END.finditer(line):
        end = found.end()
        if not _ABBREVIATION.search(line, max(start, end - 9), end):
            yield from _cut(line[start:end].rstrip())
            start = end
    yield from _cut(line[start:])


def _cut(passage: str) -> Iterator[str]:
    """`passage` in pieces of at most `LONGEST` characters, cut behind a space if there is one."""
    while len(passage) > LONGEST:
        at = max(
            (found.end() for found in _BREAK.finditer(passage, LONGEST // 2, LONGEST)),
            default=LONGEST,
        )
        yield passage[:at].rstrip()
        passage = passage[at:]
    if passage:
        yield passage
