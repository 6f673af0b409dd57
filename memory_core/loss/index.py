"""What a session says, read once; every config is measured against the same reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memory_core.facts import Fact, FactKind, Unit, all_units, content_words
from memory_core.loss.terms import Mask, Numbers, Terms
from memory_core.messages import ChatMessage

GATE: Final = 3
"""A line holds an item only with one in so many of the other words it was said with."""

_AMOUNTS: Final = frozenset({"number", "money", "quantity"})

Progress = Callable[[int, int], None]
"""Called with (messages read, all). What it raises ends the reading."""


@dataclass(frozen=True, slots=True)
class Item:
    """Something that can be lost, as it was first written; `first` is that message's index."""

    kind: FactKind
    text: str
    first: int


@dataclass(frozen=True, slots=True)
class Line:
    """What a line holds: items, each with the first message that says it so, and words."""

    items: tuple[tuple[int, int], ...]
    words: tuple[int, ...]


class Index:
    """The items and words of a session, by number, in order of appearance."""

    def __init__(
        self, messages: Sequence[ChatMessage], *, progress: Progress | None = None
    ) -> None:
        self.messages = tuple(messages)
        self.items: list[Item] = []
        self.said = Terms()
        """The items of every message, by `name_of`."""
        self.words = Terms()
        """The content words of every message."""
        self.lines: dict[str, Line] = {}
        """Lines of shortened outputs and summaries, as far as they have been read."""
        self._settings: list[list[tuple[int, frozenset[str]]]] = []
        self._own_words: list[frozenset[str]] = []
        for at, message in enumerate(self.messages):
            self._read(at, all_units(message, at))
            if progress is not None:
                progress(at + 1, len(self.messages))

    @cached_property
    def kinds(self) -> tuple[FactKind, ...]:
        """The kinds of items there are, most frequent first."""
        counts: Counter[FactKind] = Counter(item.kind for item in self.items)
        return tuple(sorted(counts, key=lambda kind: (-counts[kind], kind)))

    @cached_property
    def kind_numbers(self) -> Numbers:
        """By item: the place of its kind in `kinds`."""
        places = {kind: place for place, kind in enumerate(self.kinds)}
        return np.array([places[item.kind] for item in self.items], np.int64)

    @cached_property
    def anchored(self) -> Mask:
        """By item: True where the system messages at the start say it: they never leave."""
        return self._anchored(self.said)

    @cached_property
    def anchored_words(self) -> Mask:
        """By word: the same."""
        return self._anchored(self.words)

    @cached_property
    def item_words(self) -> Numbers:
        """The words that stand in an item."""
        words = {word for own in self._own_words for word in own}
        return np.array(self.words.known(sorted(words)), np.int64)

    @cached_property
    def word_weights(self) -> NDArray[np.float64]:
        """By word: its inverse document frequency, ln(1 + messages / messages that say it)."""
        return np.log1p(len(self.messages) / np.maximum(1, self.words.counts))

    def first_said_with(self, item: int, words: frozenset[str]) -> int | None:
        """The first message that says an item in a setting which a line of `words` keeps.

        A setting is the sentence, log line or record around the item. None where a line keeps
        none: it holds the item by its name only.
        """
        own = self._own_words[item]
        for at, setting in self._settings[item]:
            around = setting - own
            if len(around & words) * GATE >= len(around):
                return at
        return None

    def _read(self, at: int, found: Sequence[Unit]) -> None:
        self.words.say(at, chain.from_iterable([unit.words for unit in found]))
        telling = [unit for unit in found if unit.facts]
        named = [[name_of(fact) for fact in unit.facts] for unit in telling]
        self.said.say(at, chain.from_iterable(named))
        numbers = self.said.numbers
        for unit, names in zip(telling, named, strict=True):
            setting = at, frozenset(unit.words)
            for name, fact in zip(names, unit.facts, strict=True):
                number = numbers[name]
                if number == len(self.items):
                    self.items.append(Item(fact.kind, fact.text, at))
                    self._own_words.append(frozenset(content_words(fact.text)))
                    self._settings.append([])
                self._settings[number].append(setting)

    def _anchored(self, terms: Terms) -> Mask:
        found = np.zeros(len(terms), np.bool_)
        for at, message in enumerate(self.messages):
            if not message.is_system:
                break
            found[terms.said(at)] = True
        return found


def name_of(fact: Fact) -> str:
    """What makes two facts the same item: `1,000` is `1000`, and addresses ignore case."""
    if fact.kind in _AMOUNTS:
        return fact.text.replace(",", "")
    return fact.text.lower() if fact.kind in ("email", "url") else fact.text
