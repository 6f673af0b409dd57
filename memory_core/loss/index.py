"""What a session says, read once; every config is measured against the same reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memory_core.facts import Fact, FactKind, Unit, all_units, content_words, statements
from memory_core.loss.spoken import Spoken
from memory_core.loss.terms import Mask, Numbers, Terms
from memory_core.messages import ChatMessage

Setting = frozenset[str]
"""The words around an item."""

GATE: Final = 3
"""A line holds an item only with one in so many of the other words it was said with."""

_AT_ONCE: Final = 50
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
    """What a line holds: items, each with the first message that says it so, words, statements."""

    items: tuple[tuple[int, int], ...]
    words: tuple[int, ...]
    statements: tuple[int, ...]


class Index:
    """The items, words and statements of a session, by number, in order of appearance."""

    def __init__(
        self, messages: Sequence[ChatMessage], *, progress: Progress | None = None
    ) -> None:
        self.messages = tuple(messages)
        self.items: list[Item] = []
        self.said = Terms()
        """The items of every message, by `name_of`."""
        self.words = Terms()
        """The content words of every message."""
        self.spoken = Spoken()
        """The statements of every message."""
        self.lines: dict[tuple[str, int], Line] = {}
        """Lines of shortened outputs (by message) and of summaries (-1), as far as they were read.
        """
        self._settings: list[list[tuple[int, Setting]]] = []
        self._item_words: dict[str, None] = {}
        for start in range(0, len(self.messages), _AT_ONCE):
            block = self.messages[start : start + _AT_ONCE]
            for at, found in enumerate(all_units(block, start), start):
                self._read(at, found)
                self.spoken.say(at, statements(self.messages[at], at))
            if progress is not None:
                progress(start + len(block), len(self.messages))

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
    def anchored_statements(self) -> Mask:
        """By statement: the same."""
        return self._anchored(self.spoken.said)

    @cached_property
    def item_words(self) -> Numbers:
        """The words that stand in an item."""
        return np.array(self.words.known(self._item_words), np.int64)

    @cached_property
    def word_weights(self) -> NDArray[np.float64]:
        """By word: its inverse document frequency, ln(1 + messages / messages that say it)."""
        return np.log1p(len(self.messages) / np.maximum(1, self.words.counts))

    def first_said_with(self, item: int, words: Setting, *, quoted: frozenset[int]) -> int | None:
        """The first message that says an item in a setting which a line of `words` keeps.

        None where a line keeps none: it holds the item by its name only. Both settings are as
        `setting_of` gives them. Where an item stood alone, as in a listing of files, its setting is
        the message: such a line has to quote that one, else a bare list of names would keep it.
        """
        for at, setting in self._settings[item]:
            if len(setting & words) * GATE >= len(setting) and (setting or at in quoted):
                return at
        return None

    def _read(self, at: int, found: Sequence[Unit]) -> None:
        self.words.say(at, chain.from_iterable([unit.words for unit in found]))
        telling = [unit for unit in found if unit.facts]
        named = [[name_of(fact) for fact in unit.facts] for unit in telling]
        self.said.say(at, chain.from_iterable(named))
        numbers = self.said.numbers
        for unit, names in zip(telling, named, strict=True):
            setting = at, setting_of(unit)
            for name, fact in zip(names, unit.facts, strict=True):
                number = numbers[name]
                if number == len(self.items):
                    self.items.append(Item(fact.kind, fact.text, at))
                    self._item_words.update(dict.fromkeys(words_of(fact.text)))
                    self._settings.append([])
                self._settings[number].append(setting)

    def _anchored(self, terms: Terms) -> Mask:
        found = np.zeros(len(terms), np.bool_)
        for at, message in enumerate(self.messages):
            if not message.is_system:
                break
            found[terms.said(at)] = True
        return found


def setting_of(unit: Unit) -> Setting:
    """The words of a sentence, log line or record that stand in none of its items."""
    words = frozenset(unit.words)
    return words.difference(*(words_of(fact.text) for fact in unit.facts))


@lru_cache(maxsize=65_536)
def words_of(text: str) -> frozenset[str]:
    """The content words within an item."""
    return frozenset(content_words(text))


def name_of(fact: Fact) -> str:
    """What makes two facts the same item: `1,000` is `1000`, and addresses ignore case."""
    if fact.kind in _AMOUNTS:
        return fact.text.replace(",", "")
    return fact.text.lower() if fact.kind in ("email", "url") else fact.text
