"""Pins as a person writes them, and those that name no message."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from memory_core.errors import InvalidConfig
from memory_core.messages import ChatMessage
from memory_core.texts import _

Pin = int | str

_BETWEEN: Final = re.compile(r"[,;\s]+")
_NEGATIVE: Final = re.compile(r"-\d+")
_NUMBER: Final = re.compile(r"[0-9]{1,9}")


def parse_pins(text: str) -> tuple[Pin, ...]:
    """Message numbers or ids, parted by commas, semicolons or spaces.

    Raises `InvalidConfig` for a negative number.
    """
    items = [item for item in _BETWEEN.split(text) if item]
    for item in items:
        if _NEGATIVE.fullmatch(item):
            reason = _("pins: {item!r} is negative; messages are numbered from 0")
            raise InvalidConfig(reason.format(item=item))
    return tuple(int(item) if _NUMBER.fullmatch(item) else item for item in items)


def unknown_pins(pins: Sequence[Pin], messages: Sequence[ChatMessage]) -> list[Pin]:
    """The pins that are neither a 0-based index nor an id of these messages."""
    ids = {message.id for message in messages} if pins else set[str | None]()
    return [
        pin
        for pin in pins
        if not (0 <= pin < len(messages) if isinstance(pin, int) else pin in ids)
    ]
