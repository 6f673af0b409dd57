"""From UTF-8 bytes to JSON values that are safe to walk: finite, shallow, well-formed."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, cast

from memory_core.messages import clean_text
from memory_core.texts import _

DEEPEST: Final = 200
"""Levels of lists and objects a record may nest."""

_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Broken:
    """Bytes that hold no usable JSON value: why, and the line (1-based) inside them."""

    reason: str
    line: int


def parse(raw: bytes) -> object:
    """The JSON value in `raw`, or `Broken`.

    NaN and infinities, which are not JSON, become null; of equal keys the last one counts.
    """
    try:
        text = raw.decode("utf-8", "surrogatepass")
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        problem = _("not JSON: {problem} (column {column})")
        return Broken(problem.format(problem=error.msg, column=error.colno), error.lineno)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        return Broken(_("not UTF-8 text: byte {position}").format(position=error.start), line)
    except RecursionError:
        return Broken(_too_deep(), 1)
    except ValueError:
        return Broken(_("not JSON: a number has too many digits"), 1)
    if _is_too_deep(value):
        return Broken(_too_deep(), 1)
    return _cleaned(value) if _SURROGATE.search(text) else value


def _too_deep() -> str:
    return _("nested more than {levels} levels deep").format(levels=DEEPEST)


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


_DECODER: Final = json.JSONDecoder(parse_float=_finite, parse_constant=lambda _name: None)


def _is_too_deep(value: object) -> bool:
    level = [value]
    for _depth in range(DEEPEST):
        level = [
            inner for outer in level for inner in _inside(outer) if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def _inside(value: object) -> Iterable[Any]:
    if isinstance(value, dict):
        return cast("dict[str, Any]", value).values()
    return cast("list[Any]", value) if isinstance(value, list) else ()


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        return {clean_text(key): _cleaned(item) for key, item in fields.items()}
    if isinstance(value, list):
        return [_cleaned(item) for item in cast("list[Any]", value)]
    return value
