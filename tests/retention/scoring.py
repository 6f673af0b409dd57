"""How much of what the calls of a session needed stands in the windows of one method."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from memory_core.gauge import Gauge
from memory_core.messages import ChatMessage
from tests.retention.items import holds, words
from tests.retention.needs import Case, Need, Point, said

CONTEXT: Final = 3
"""An item counts as present beside one of this many words of a place where it was said."""

MEASURES: Final = (
    "labelled call",
    "labelled value",
    "recorded call",
    "recorded value",
    "FRR",
    "FRR, no gate",
    "FRR 4-9",
    "FRR 10-29",
    "FRR 30+",
    "prose",
)

Window = Sequence[ChatMessage]
Method = Callable[[Sequence[ChatMessage], int], Window]
"""From a history and a budget in tokens to the messages sent."""


@dataclass(frozen=True, slots=True)
class Score:
    """Of one session under one method: by measure, how many were asked for and how many stood."""

    found: Counter[str] = field(default_factory=Counter[str])
    asked: Counter[str] = field(default_factory=Counter[str])
    points: int = 0
    """Call points whose history exceeds the budget."""
    over: int = 0
    """Of these, with a window over the budget."""
    compactions: int = 0
    """Of these, with fewer messages in the window than in the history."""


def budget_of(case: Case, share: float, gauge: Gauge) -> int:
    """System tokens and a share of all other tokens of the whole session."""
    system = gauge.tokens(case.anchor) if case.anchor else 0
    return system + int(share * (sum(map(gauge.tokens, case.messages)) - system))


def score(case: Case, method: Method, *, budget: int, gauge: Gauge) -> Score:
    """One window at every call point whose history is longer than the budget."""
    found, asked = Counter[str](), Counter[str]()
    ends = np.cumsum([gauge.tokens(message) for message in case.messages])
    points = [point for point in case.points if ends[point.at - 1] > budget]
    over = compactions = 0
    for point in points:
        window = method(case.messages[: point.at], budget)
        over += sum(map(gauge.tokens, window)) > budget
        compactions += len(window) < point.at
        for measure, is_there in _marks(point, _Seen(window)):
            asked[measure] += 1
            found[measure] += is_there
    return Score(found, asked, len(points), over, compactions)


class _Seen:
    """A window as a reader sees it: its lines, and all of its text."""

    def __init__(self, window: Window) -> None:
        self.text = "\n".join(said(message) for message in window)
        self._lines = self.text.split("\n")
        self._words: dict[int, set[str]] = {}

    def words(self) -> set[str]:
        return words(self.text)

    def presence(self, need: Need) -> tuple[bool, bool]:
        """Whether the item stands there at all, and whether with its context in one line."""
        lines = [at for at, line in enumerate(self._lines) if holds(line, need.item)]
        return bool(lines), any(self._is_in_context(need, line) for line in lines)

    def _is_in_context(self, need: Need, line: int) -> bool:
        if line not in self._words:
            self._words[line] = words(self._lines[line])
        here = self._words[line]
        return any(CONTEXT * len(here & source) >= len(source) for source in need.sources)


def _marks(point: Point, seen: _Seen) -> Iterable[tuple[str, bool]]:
    yield from _call_marks("labelled", point.labelled, seen)
    for values in point.recorded:
        yield from _call_marks("recorded", values, seen)
    for need in point.needs:
        alone, in_context = seen.presence(need)
        yield "FRR, no gate", alone
        yield "FRR", in_context
        gap = "4-9" if need.gap < 10 else "10-29" if need.gap < 30 else "30+"
        yield f"FRR {gap}", in_context
    if point.prose:
        there = seen.words()
        for word in point.prose:
            yield "prose", word in there


def _call_marks(kind: str, values: Sequence[str], seen: _Seen) -> Iterable[tuple[str, bool]]:
    there = [value in seen.text for value in values]
    for one in there:
        yield f"{kind} value", one
    if there:
        yield f"{kind} call", all(there)


@dataclass(frozen=True, slots=True)
class Figure:
    """A share with its 95 % interval over sessions; `n` = how many it is a share of."""

    share: float
    low: float
    high: float
    n: int


def figure(scores: Sequence[Score], measure: str) -> Figure | None:
    """The share over all sessions, None where nothing was asked for."""
    found = np.array([one.found[measure] for one in scores], float)
    asked = np.array([one.asked[measure] for one in scores], float)
    if not asked.sum():
        return None
    drawn = np.random.default_rng(0).integers(0, len(scores), (1000, len(scores)))
    sums = asked[drawn].sum(axis=1)
    shares = found[drawn].sum(axis=1)[sums > 0] / sums[sums > 0]
    low, high = np.quantile(shares, [0.025, 0.975])
    return Figure(found.sum() / asked.sum(), float(low), float(high), int(asked.sum()))


def twins(table: Mapping[str, Sequence[Score]]) -> list[tuple[str, str]]:
    """Methods of different names with the same digits in every cell, over all sessions together.

    Only sessions that both compacted count: without a compaction nothing need differ.
    """
    names = list(table)
    return [
        (first, other)
        for place, first in enumerate(names)
        for other in names[place + 1 :]
        if _are_twins(table[first], table[other])
    ]


def _are_twins(first: Sequence[Score], other: Sequence[Score]) -> bool:
    both = [
        (one, two)
        for one, two in zip(first, other, strict=True)
        if one.compactions and two.compactions
    ]
    return bool(both) and all(one.found == two.found for one, two in both)
