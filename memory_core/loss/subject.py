"""One thing to follow through a session: an item, or any words."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Protocol

from memory_core.errors import NotSaid
from memory_core.facts import fold, passages
from memory_core.loss.index import Index
from memory_core.loss.needs import LEAST_GAP, before
from memory_core.loss.reader import SUMMARY, Reader
from memory_core.messages import ChatMessage
from memory_core.texts import _


class Subject(Protocol):
    """What a lifeline follows."""

    @property
    def text(self) -> str: ...

    @property
    def said(self) -> tuple[int, ...]:
        """The messages that say it, ascending."""
        ...

    def is_in(self, text: str, *, until: int, source: int = SUMMARY) -> bool:
        """Whether a text that stands for messages before index `until` still holds it.

        `source` is the message it is a shortened form of.
        """
        ...


@dataclass(frozen=True, slots=True)
class Followed:
    """An item of an index; a text holds it as `Index.first_said_with` says."""

    number: int
    text: str
    said: tuple[int, ...]
    reader: Reader

    def is_in(self, text: str, *, until: int, source: int = SUMMARY) -> bool:
        return any(
            item == self.number and since < until
            for line in self.reader.read(text, source=source)
            for item, since in line.items
        )


@dataclass(frozen=True, slots=True)
class Told:
    """A statement of an index; a line keeps it as `Spoken.held` says."""

    number: int
    text: str
    said: tuple[int, ...]
    reader: Reader

    def is_in(self, text: str, *, until: int, source: int = SUMMARY) -> bool:  # noqa: ARG002
        return any(self.number in line.statements for line in self.reader.read(text, source=source))


@dataclass(frozen=True, slots=True)
class Words:
    """Any words, as they stand: upper and lower case, and runs of white space, are one."""

    text: str
    said: tuple[int, ...]

    def is_in(
        self,
        text: str,
        *,
        until: int,  # noqa: ARG002 - as an item is asked
        source: int = SUMMARY,  # noqa: ARG002
    ) -> bool:
        return _plain(self.text) in _plain(text)


def follow(index: Index, text: str) -> Followed | Told | Words:
    """The item or statement with this text, else the words; raises `NotSaid` if none says it."""
    wanted = fold(text)
    for name in (text, wanted, wanted.replace(",", ""), wanted.lower()):
        if name in index.said:
            return item_of(index, index.said.numbers[name])
    for kind in index.spoken.kinds:
        name = f"{kind} {_plain(text)}"
        if name in index.spoken.said:
            return statement_of(index, index.spoken.said.numbers[name])
    said = tuple(
        at
        for at, message in enumerate(index.messages)
        if wanted and _plain(wanted) in _said(message)
    )
    if not said:
        raise NotSaid(_("no message of this session says {text!r}").format(text=text[:80]))
    return Words(wanted, said)


def item_of(index: Index, number: int) -> Followed:
    """An item by its number."""
    said = tuple(index.said.messages(number))
    return Followed(number, index.items[number].text, said, Reader(index))


def statement_of(index: Index, number: int) -> Told:
    """A statement by its number."""
    said = tuple(index.spoken.said.messages(number))
    return Told(number, index.spoken.statements[number].text, said, Reader(index))


def uses_of(subject: Subject, index: Index) -> tuple[int, ...]:
    """The assistant's messages that say it at least `LEAST_GAP` messages after it was last said."""
    return tuple(
        at
        for at in subject.said[1:]
        if index.messages[at].role == "assistant" and at - before(subject.said, at) >= LEAST_GAP
    )


def _said(message: ChatMessage) -> str:
    called = [
        part
        for call in message.tool_calls
        for part in (call.arguments, *passages(call.arguments, call.name, longest=None))
    ]
    return _plain("\n".join([message.text, *called]))


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", fold(text)).casefold()
