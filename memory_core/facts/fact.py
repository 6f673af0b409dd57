"""A fact: one thing a text holds that can be lost, such as an id, a path or an amount."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FactKind = Literal[
    "url", "email", "path", "date", "money", "quantity", "error", "id", "number", "name"
]


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact of a text: `text` is `source[start:end]`."""

    kind: FactKind
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class MessageFact:
    """One fact of a message: where it stands in the session and in the message.

    `call` is the 0-based tool call whose arguments hold the fact, None for the content;
    `start` and `end` are offsets into that text.
    """

    kind: FactKind
    text: str
    message: int
    call: int | None
    start: int
    end: int
