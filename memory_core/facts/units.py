"""Units: the smallest pieces of a message that are kept or lost as a whole."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from memory_core.facts.extraction import extract
from memory_core.facts.fact import Fact
from memory_core.facts.passages import LONGEST_TEXT, passages
from memory_core.facts.words import content_words
from memory_core.messages import ChatMessage, ToolCall

_FIRST: Final = 300
_LAST: Final = 100


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, log line or JSON record of message `message`; `facts` lie in `text`."""

    message: int
    text: str
    facts: tuple[Fact, ...]
    words: tuple[str, ...]


def units(message: ChatMessage, index: int) -> tuple[Unit, ...]:
    """The units of a message's text, then of its tool calls (`name.key=value`), in order.

    Of more than 400 units the first 300 and the last 100 are given.
    """
    return _units(_sample(_lines(message)), index)


def all_units(message: ChatMessage, index: int) -> tuple[Unit, ...]:
    """The same without a limit, however long the message is."""
    return _units(list(_lines(message, longest=None)), index)


def call_units(call: ToolCall, index: int) -> tuple[Unit, ...]:
    """All units of one tool call, as `all_units` gives them for its message."""
    return _units(list(passages(call.arguments, call.name, longest=None)), index)


def line_units(lines: Sequence[str], index: int) -> tuple[Unit, ...]:
    """A unit of each line as it stands; no line may hold a line end."""
    return _units(lines, index)


def _units(lines: Sequence[str], index: int) -> tuple[Unit, ...]:
    facts = iter(extract("\n".join(lines)))
    fact = next(facts, None)
    found: list[Unit] = []
    start = 0
    for line in lines:
        end = start + len(line)
        own: list[Fact] = []
        while fact is not None and fact.start < end:
            own.append(Fact(fact.kind, fact.text, fact.start - start, fact.end - start))
            fact = next(facts, None)
        found.append(Unit(index, line, tuple(own), content_words(line)))
        start = end + 1
    return tuple(found)


def _lines(message: ChatMessage, *, longest: int | None = LONGEST_TEXT) -> Iterator[str]:
    yield from passages(message.text, longest=longest)
    for call in message.tool_calls:
        yield from passages(call.arguments, call.name, longest=longest)


def _sample(lines: Iterator[str]) -> list[str]:
    first = list(islice(lines, _FIRST))
    return first + list(deque(lines, maxlen=_LAST))
