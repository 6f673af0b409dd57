"""Style: the shape of a JSON text: keys, short values, error fields, first items of lists."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, cast

from memory_core.messages import clean_text
from memory_core.pruning.cuts import start_of
from memory_core.pruning.head_tail import head_tail
from memory_core.pruning.style import Body

ERROR_KEYS: Final = (
    "error",
    "errors",
    "message",
    "detail",
    "reason",
    "status",
    "code",
    "exit_code",
    "stderr",
    "traceback",
)
"""Keys that stay when others are left out, and whose values may be longer."""


@dataclass(frozen=True, slots=True)
class Measure:
    """The most of each kind that one shape shows."""

    items: int
    characters: int
    keys: int
    depth: int


MEASURES: Final = (
    Measure(items=100_000, characters=10_000, keys=100_000, depth=60),
    Measure(items=60, characters=1_000, keys=100_000, depth=12),
    Measure(items=30, characters=500, keys=100_000, depth=12),
    Measure(items=16, characters=300, keys=100_000, depth=12),
    Measure(items=8, characters=200, keys=100_000, depth=8),
    Measure(items=5, characters=100, keys=1_000, depth=6),
    Measure(items=3, characters=60, keys=100, depth=5),
    Measure(items=2, characters=30, keys=40, depth=4),
    Measure(items=1, characters=16, keys=20, depth=3),
    Measure(items=1, characters=10, keys=8, depth=2),
)
"""Tried in this order: the first shape that fits its room is taken."""


def json_shape(text: str) -> Body:
    """Falls back to head and tail where `text` is no JSON object or list, or no shape fits."""
    value = _parsed(text)
    ends = head_tail(text)
    if value is None:
        return ends

    def body(room: int) -> str:
        for measure in MEASURES:
            shape = _within(room, _chunks(value, measure))
            if shape is not None:
                return clean_text(shape)
        return ends(room)

    return body


def _parsed(text: str) -> object:
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _within(room: int, chunks: Iterable[str]) -> str | None:
    taken: list[str] = []
    left = room
    for chunk in chunks:
        left -= len(chunk)
        if left < 0:
            return None
        taken.append(chunk)
    return "".join(taken)


def _chunks(value: object, measure: Measure) -> Iterator[str]:
    """The shape of `value` piece by piece, so that a shape too long for its room stops early."""
    match value:
        case dict():
            yield from _object_chunks(cast("dict[str, object]", value), measure)
        case list():
            yield from _list_chunks(cast("list[object]", value), measure)
        case str() if len(value) > measure.characters:
            yield _quoted(start_of(value, measure.characters) + "…")
        case _:
            yield _quoted(value)


def _object_chunks(fields: dict[str, object], measure: Measure) -> Iterator[str]:
    if fields and not measure.depth:
        yield _quoted(f"… {len(fields)} keys")
        return
    keys = list(islice(fields, measure.keys))
    if len(keys) < len(fields):
        keys += [key for key in ERROR_KEYS if key in fields and key not in keys]
    deeper = replace(measure, depth=measure.depth - 1)
    wider = replace(deeper, characters=measure.characters * 4)
    yield "{"
    for position, key in enumerate(keys):
        yield f"{', ' if position else ''}{_quoted(key)}: "
        yield from _chunks(fields[key], wider if key in ERROR_KEYS else deeper)
    if len(keys) < len(fields):
        yield f', "…": "{len(fields) - len(keys)} more keys"'
    yield "}"


def _list_chunks(items: list[object], measure: Measure) -> Iterator[str]:
    if items and not measure.depth:
        yield _quoted(f"… {len(items)} items")
        return
    deeper = replace(measure, depth=measure.depth - 1)
    yield "["
    for position, item in enumerate(islice(items, measure.items)):
        yield ", " if position else ""
        yield from _chunks(item, deeper)
    if measure.items < len(items):
        yield f', "… {len(items) - measure.items} more items"'
    yield "]"


def _quoted(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
