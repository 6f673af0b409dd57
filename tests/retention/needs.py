"""What each call of a session needed of what was said long before it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memory_core.messages import ChatMessage
from tests.retention.items import items, pieces, words

OLDEST_SEEN: Final = 4
"""A need was last seen at least this many messages before."""
RARE: Final = 3
"""A word of the prose control stands in at most this many messages before it is used again."""
_SHORTEST_WORD: Final = 4


@dataclass(frozen=True, slots=True)
class Need:
    """An item a call uses, last seen `gap` messages before.

    `sources` holds the other words of each place where it was said; a place without any, as a line
    of a listing, counts only where there is no other.
    """

    item: str
    gap: int
    sources: frozenset[frozenset[str]]


@dataclass(frozen=True, slots=True)
class Point:
    """A call point: the assistant message `at`, and what it needed of `messages[:at]`."""

    at: int
    needs: tuple[Need, ...]
    prose: tuple[str, ...]
    labelled: tuple[str, ...]
    """Values of the arguments that the label of its call names."""
    recorded: tuple[tuple[str, ...], ...]
    """For each of its calls, the values of the arguments as recorded."""


@dataclass(frozen=True, slots=True)
class Case:
    """A recorded session and what its calls needed."""

    name: str
    messages: tuple[ChatMessage, ...]
    points: tuple[Point, ...]

    @property
    def anchor(self) -> ChatMessage | None:
        first = self.messages[0]
        return first if first.role in ("system", "developer") else None


Values = tuple[str, ...]
Labels = Mapping[int, Values]
"""By message, the values its call should have."""


def said(message: ChatMessage) -> str:
    """All a message says, names and arguments of its calls included."""
    lines = [message.text]
    lines += [f"{call.name} {call.arguments}" for call in message.tool_calls]
    return "\n".join(lines)


def case_of(
    name: str,
    messages: Sequence[ChatMessage],
    *,
    labels: Labels,
    recorded: Mapping[int, tuple[Values, ...]],
) -> Case:
    """The needs of every call point of a session, in its order."""
    return _Reader(messages).case(name, labels=labels, recorded=recorded)


class _Reader:
    """Goes through a session once and keeps where everything was seen last."""

    def __init__(self, messages: Sequence[ChatMessage]) -> None:
        self._messages = tuple(messages)
        self._texts = [said(message) for message in messages]
        first = self._messages[0].role in ("system", "developer")
        self._first = int(first)
        self._system = self._texts[0] if first else ""
        self._system_words = words(self._system)
        self._all_items = {item for text in self._texts for item in items(text)}
        self._in_items = {word for item in self._all_items for word in words(item)}
        self._seen: dict[str, int] = {}
        self._sources: dict[str, set[frozenset[str]]] = {}
        self._words: dict[str, int] = {}
        self._frequency: Counter[str] = Counter()

    def case(
        self, name: str, *, labels: Labels, recorded: Mapping[int, tuple[Values, ...]]
    ) -> Case:
        points: list[Point] = []
        for at in range(self._first, len(self._messages)):
            if self._messages[at].role == "assistant" and at > self._first:
                points.append(
                    Point(
                        at=at,
                        needs=self._needs(at),
                        prose=self._prose(at),
                        labelled=self._old(labels.get(at, ()), at),
                        recorded=tuple(self._old(one, at) for one in recorded.get(at, ())),
                    )
                )
            self._read(at)
        return Case(name, self._messages, tuple(points))

    def _needs(self, at: int) -> tuple[Need, ...]:
        return tuple(
            Need(item, at - self._seen[item], self._around(item))
            for item in sorted(items(self._texts[at]))
            if at - self._seen.get(item, at) >= OLDEST_SEEN and item not in self._system
        )

    def _around(self, item: str) -> frozenset[frozenset[str]]:
        told = frozenset(source for source in self._sources[item] if source)
        return told or frozenset({frozenset[str]()})

    def _prose(self, at: int) -> tuple[str, ...]:
        return tuple(
            word
            for word in sorted(words(self._texts[at]))
            if at - self._words.get(word, at) >= OLDEST_SEEN
            and self._frequency[word] <= RARE
            and (len(word) >= _SHORTEST_WORD or not word.isascii())
            and word not in self._system_words
            and word not in self._in_items
        )

    def _old(self, values: Values, at: int) -> Values:
        """Those values that were seen before, but neither in the system message nor lately."""
        old = "\n".join(self._texts[self._first : max(self._first, at - OLDEST_SEEN)])
        new = "\n".join(self._texts[max(self._first, at - OLDEST_SEEN) : at])
        return tuple(
            value
            for value in dict.fromkeys(values)
            if value in old and value not in new and value not in self._system
        )

    def _read(self, at: int) -> None:
        for piece in pieces(self._texts[at]):
            around = words(piece)
            for item in items(piece):
                source = frozenset(around - words(item))
                self._sources.setdefault(item, set()).add(source)
        # An item may lie across two pieces; it is then seen, and its source is the item itself.
        for item in items(self._texts[at]):
            self._seen[item] = at
            self._sources.setdefault(item, {frozenset()})
        for word in words(self._texts[at]):
            self._words[word] = at
            self._frequency[word] += 1
