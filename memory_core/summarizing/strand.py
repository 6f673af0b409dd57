"""The lines of one history as it grows: arrays that only get longer, of which a cut is a view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress, count
from operator import is_not
from typing import Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from memory_core.summarizing.coverage import Ids, Places, Weights
from memory_core.summarizing.lines import WORD, LineCache, MessageLines
from memory_core.summarizing.request import Numbered
from memory_core.tokens.counting import TokenCounter

LINE_COST: Final = 8
"""Tokens a line costs in the ranking beside its own: keeps out fragments that say one thing."""

_Number = TypeVar("_Number", bound=np.generic)


class _Growing(Generic[_Number]):
    """An array that gets longer; heads given before keep what they hold."""

    def __init__(self, *first: float, dtype: type[_Number]) -> None:
        self._room: NDArray[_Number] = np.array(first, dtype)
        self.size = len(first)

    def __iadd__(self, values: NDArray[np.generic]) -> _Growing[_Number]:
        end = self.size + len(values)
        if end > len(self._room):
            room = np.empty(2 * end, self._room.dtype)
            room[: self.size] = self.head(self.size)
            self._room = room
        self._room[self.size : end] = values
        self.size = end
        return self

    def head(self, end: int) -> NDArray[_Number]:
        return self._room[:end]


@dataclass(frozen=True, slots=True)
class Cut:
    """The lines before a cut, as a ranking needs them: what `ranked` takes, and their costs."""

    lines: Sequence[str]
    """Lines of the whole strand: those of the cut are its first."""
    costs: Ids
    features: Places
    edges: Places
    weights: Weights
    rates: Weights


class Strand:
    """The messages of one history, counted by one counter, as far as any request has shown them."""

    def __init__(self, cache: LineCache, counter: TokenCounter) -> None:
        self._cache, self._counter = cache, counter
        self._items: list[Numbered] = []
        self._messages: list[MessageLines] = []
        self._ends = [0]
        self._lines: list[str] = []
        self._costs = _Growing(dtype=np.int32)
        self._features = _Growing(dtype=np.intp)
        self._edges = _Growing(0, dtype=np.intp)
        self._rates = _Growing(dtype=np.float64)
        self._kinds = _Growing(dtype=np.float64)
        self._numbers = np.empty(0, np.int32)
        self._frequency = np.empty(0, np.intp)
        self._counted = 0

    @property
    def size(self) -> int:
        """Lines and messages it holds."""
        return len(self._lines) + len(self._items)

    def fits(self, behind: Sequence[Numbered], counter: TokenCounter) -> bool:
        """Whether these messages are its first ones, or go on after its last."""
        if counter != self._counter:
            return False
        items = self._items
        for at in compress(count(), map(is_not, items, behind)):
            mine, other = items[at], behind[at]
            is_same = mine.message is other.message and mine.index == other.index
            if not is_same and self._cache.lines_of(other, counter) is not self._messages[at]:
                return False
            items[at] = other
        return True

    def grow(self, behind: Sequence[Numbered]) -> None:
        """Take the messages of `behind`, which fits, that are new."""
        items = behind[len(self._items) :]
        if not items:
            return
        messages = [self._cache.lines_of(item, self._counter) for item in items]
        sizes = [len(message.lines) for message in messages]
        costs = np.concatenate([message.costs for message in messages])
        lengths = np.concatenate([message.lengths for message in messages])
        self._items += items
        self._messages += messages
        self._ends += (self._ends[-1] + np.cumsum(sizes)).tolist()
        self._lines += [line for message in messages for line in message.lines]
        self._costs += costs
        self._rates += np.repeat([message.factor for message in messages], sizes) / (
            costs + LINE_COST
        )
        self._edges += self._features.size + np.cumsum(lengths, dtype=np.intp)
        self._features += self._own(np.concatenate([message.features for message in messages]))

    def cut(self, length: int) -> Cut:
        """The lines of its first `length` messages."""
        lines = self._ends[length]
        edges = self._edges.head(lines + 1)
        features = self._features.head(int(edges[-1]))
        return Cut(
            lines=self._lines,
            costs=self._costs.head(lines),
            features=features,
            edges=edges,
            weights=self._worth(self._seen(features), lines),
            rates=self._rates.head(lines),
        )

    def _own(self, features: Ids) -> Ids:
        """These features by the strand's own numbers, which count from 0 without gaps."""
        most = int(features.max(initial=-1)) + 1
        if most > len(self._numbers):
            numbers = np.full(2 * most, -1, np.int32)
            numbers[: len(self._numbers)] = self._numbers
            self._numbers = numbers
        new = np.unique(features[self._numbers[features] < 0])
        self._numbers[new] = np.arange(self._kinds.size, self._kinds.size + len(new))
        self._kinds += self._cache.kinds(new)
        return self._numbers[features]

    def _seen(self, features: Places) -> Places:
        """In how many lines each feature stands; costs only what is new since a shorter cut."""
        if len(features) < self._counted:
            self._frequency, self._counted = self._frequency[:0], 0
        known = self._frequency
        seen = np.bincount(features[self._counted :], minlength=len(known))
        seen[: len(known)] += known
        self._frequency, self._counted = seen, len(features)
        return seen

    def _worth(self, seen: Places, total: int) -> Weights:
        """The weight of every feature, given in how many of `total` lines each stands.

        A word counts by its rarity. A fact does not: one that comes up again is likely to be needed
        again. Features that stand in no line weigh anything.
        """
        times = np.flatnonzero(np.bincount(seen))
        rarity, repeat = np.zeros((2, int(times.max(initial=0)) + 1))
        at_least_once = np.maximum(times, 1)
        rarity[times] = np.log1p(total / at_least_once) / np.log1p(total)
        repeat[times] = np.sqrt(np.log2(1 + at_least_once))
        kinds = self._kinds.head(len(seen))
        return kinds * np.where(kinds == WORD, rarity[seen], repeat[seen])
