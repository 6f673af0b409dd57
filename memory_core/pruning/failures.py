"""Telling outputs that report a failure from those that do not."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final, cast

from memory_core.messages import ChatMessage

_FIRST_LINE: Final = re.compile(
    r"\s*(?:Traceback\b|error\b|(?:[A-Za-z_]\w{0,80}\.){0,8}[A-Za-z_]\w{0,80}(?:Error|Exception):)",
    re.IGNORECASE,
)


def is_error_output(message: ChatMessage) -> bool:
    """Whether a tool message reports a failure.

    It does if it, its metadata or a part of it has a true `is_error`, an `error` or the status
    "error", if its text is a JSON object with an `error`, or if the first line starts with
    Traceback, Error or `SomeError:`.
    """
    records = [message.metadata, message.model_extra or {}]
    if isinstance(message.content, tuple):
        records += [part.model_extra or {} for part in message.content]
    if any(_says_error(record) for record in records):
        return True
    text = message.text
    return _FIRST_LINE.match(text) is not None or _has_error_key(text)


def _says_error(record: Mapping[str, object]) -> bool:
    return bool(record.get("is_error") or record.get("error")) or record.get("status") == "error"


def _has_error_key(text: str) -> bool:
    if text.lstrip()[:1] != "{" or '"error"' not in text:
        return False
    try:
        fields = cast("dict[str, object]", json.loads(text))
    except (ValueError, RecursionError):
        return False
    return bool(fields.get("error"))
