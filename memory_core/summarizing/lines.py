"""The lines a message can give to a summary, and what each says, worked out once per content."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from memory_core.facts import FactKind, Unit, units
from memory_core.messages import ChatMessage, Role
from memory_core.summarizing.coverage import Ids, Weights
from memory_core.summarizing.request import Numbered
from memory_core.tokens.counting import TokenCounter

WORD: Final = 1.0
KIND_WEIGHTS: Final[Mapping[FactKind, float]] = {
    "id": 7.0,
    "path": 7.0,
    "url": 7.0,
    "email": 7.0,
    "error": 7.0,
    "date": 5.0,
    "money": 5.0,
    "quantity": 3.5,
    "name": 3.5,
    "number": 2.5,
}
"""What one fact is worth, in words that stand in no other line."""

ROLE_FACTORS: Final[Mapping[Role, float]] = {"user": 1.9, "assistant": 1.7}
"""People's goals and limits, and what the assistant made of them, count more than tool output."""

MOST_LINES: Final = 100_000
"""Lines kept of messages that may come again."""

MOST_FEATURES: Final = 1_000_000

_Key = tuple[int, str, str, tuple[tuple[str, str], ...], TokenCounter]


@dataclass(frozen=True, slots=True, eq=False)
class MessageLines:
    """A message's lines: line i costs `costs[i]` and holds the next `lengths[i]` of `features`."""

    lines: tuple[str, ...]
    features: Ids
    lengths: Ids
    costs: Ids
    factor: float


class _Features(dict[str, int]):
    """Ids of features (facts and words) by name, in order of appearance, and their kinds."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds = array("d")

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        self.kinds.append(WORD)
        return number

    def of(self, unit: Unit) -> list[int]:
        facts = {f"{fact.kind}:{fact.text}": KIND_WEIGHTS[fact.kind] for fact in unit.facts}
        own = [self[name] for name in facts]
        for number, kind in zip(own, facts.values(), strict=True):
            self.kinds[number] = kind
        return own + [self[word] for word in unit.words]


class LineCache:
    """Lines of the messages seen last; a feature (fact or word) has one id in all of them."""

    def __init__(self) -> None:
        self._messages: OrderedDict[_Key, MessageLines] = OrderedDict()
        self._objects: dict[tuple[int, int], tuple[ChatMessage, TokenCounter, MessageLines]] = {}
        self._lines = 0
        self._features = _Features()

    def lines_of(self, numbered: Numbered, count: TokenCounter) -> MessageLines:
        """The message's lines, costs by `count` with the line end."""
        # Messages are values, so the same object has the same lines; content is compared only once.
        place = numbered.index, id(numbered.message)
        same = self._objects.get(place)
        if same is not None and same[1] is count:
            return same[2]
        lines = self._by_content(numbered, count)
        self._objects[place] = numbered.message, count, lines
        return lines

    def _by_content(self, numbered: Numbered, count: TokenCounter) -> MessageLines:
        key = _key(numbered, count)
        known = self._messages.get(key)
        if known is None:
            known = self._messages[key] = self._read(numbered, count)
            self._lines += len(known.lines)
        else:
            self._messages.move_to_end(key)
        return known

    def kinds(self, features: Ids) -> Weights:
        """What each of these features is worth for its kind."""
        return np.frombuffer(self._features.kinds)[features]

    def trim(self) -> bool:
        """Forget what is too much: the messages unused longest, or all if features are too many.

        True where all went, and features are numbered anew.
        """
        if self._lines > MOST_LINES or len(self._objects) > MOST_LINES:
            self._objects.clear()
        while self._lines > MOST_LINES:
            self._lines -= len(self._messages.popitem(last=False)[1].lines)
        if len(self._features) <= MOST_FEATURES:
            return False
        self._messages.clear()
        self._objects.clear()
        self._lines, self._features = 0, _Features()
        return True

    def _read(self, numbered: Numbered, count: TokenCounter) -> MessageLines:
        lines: list[str] = []
        features: list[int] = []
        lengths: list[int] = []
        for unit in units(numbered.message, numbered.index):
            own = self._features.of(unit)
            if own:
                lines.append(line_of(unit, numbered.message))
                features += own
                lengths.append(len(own))
        return MessageLines(
            lines=tuple(lines),
            features=np.array(features, np.int32),
            lengths=np.array(lengths, np.int32),
            costs=np.array([max(1, count(line + "\n")) for line in lines], np.int32),
            factor=ROLE_FACTORS.get(numbered.message.role, 1.0),
        )


def line_of(unit: Unit, message: ChatMessage) -> str:
    """A unit as a line of a summary: `[#n] text`, or `[#n] user: text` where a user said it."""
    who = "user: " if message.role == "user" else ""
    return f"[#{unit.message}] {who}{unit.text}"


def _key(numbered: Numbered, count: TokenCounter) -> _Key:
    message = numbered.message
    calls = tuple((call.name, call.arguments) for call in message.tool_calls)
    return numbered.index, message.role, message.text, calls, count
