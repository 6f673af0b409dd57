"""Units: the smallest pieces of a message that are kept or lost as a whole."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, repeat
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


def all_units(messages: Sequence[ChatMessage], first: int) -> Iterator[tuple[Unit, ...]]:
    """The units of each message without a limit; `first` is the index of the first message.

    Read together, many messages cost less than one after another.
    """
    lines = [list(_lines(message, longest=None)) for message in messages]
    indices = [first + place for place, own in enumerate(lines) for _line in own]
    found = iter(_numbered([line for own in lines for line in own], indices))
    for own in lines:
        yield tuple([next(found) for _line in own])


def call_units(call: ToolCall, index: int) -> tuple[Unit, ...]:
    """All units of one tool call, as `all_units` gives them."""
    return _units(list(passages(call.arguments, call.name, longest=None)), index)


def line_units(lines: Sequence[str], index: int) -> tuple[Unit, ...]:
    """A unit of each line as it stands; no line may hold a line end."""
    return _units(lines, index)


def _units(lines: Sequence[str], index: int) -> tuple[Unit, ...]:
    return tuple(_numbered(lines, repeat(index)))


def _numbered(lines: Sequence[str], indices: Iterable[int]) -> Iterator[Unit]:
    """A unit of each line, which is of the message with the index beside it."""
    facts = iter(extract("\n".join(lines)))
    fact = next(facts, None)
    start = 0
    for line, index in zip(lines, indices, strict=False):
        end = start + len(line)
        own: list[Fact] = []
        while fact is not None and fact.start < end:
            own.append(Fact(fact.kind, fact.text, fact.start - start, fact.end - start))
            fact = next(facts, None)
        yield Unit(index, line, tuple(own), content_words(line))
        start = end + 1


def _lines(message: ChatMessage, *, longest: int | None = LONGEST_TEXT) -> Iterator[str]:
    yield from passages(message.text, longest=longest)
    for call in message.tool_calls:
        yield from passages(call.arguments, call.name, longest=longest)


def _sample(lines: Iterator[str]) -> list[str]:
    first = list(islice(lines, _FIRST))
    return first + list(deque(lines, maxlen=_LAST))
