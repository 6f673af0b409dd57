"""The default summariser: verbatim extracts that say the most facts and words within the cap."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from memory_core.summarizing.coverage import ranked
from memory_core.summarizing.lines import LineCache, MessageLines
from memory_core.summarizing.request import SummaryRequest
from memory_core.tokens.counting import TokenCounter

LINE_COST: Final = 8
"""Tokens a line costs in the ranking beside its own: keeps out fragments that say one thing."""

_KEPT_RANKINGS: Final = 8
_MOST_MISSES: Final = 40


class ExtractiveSummarizer:
    """A cumulative `Summarizer`: one verbatim unit a line, in session order, each with its `[#n]`.

    A pure function of `behind`, `cap` and `count`: the same bytes whatever was asked before. What
    it keeps between calls only saves time: the lines of each message, and the ranking behind the
    last 8 cuts, which no cap changes. Threads may share one.
    """

    def __init__(self) -> None:
        self._cache = LineCache()
        self._rankings: OrderedDict[tuple[MessageLines, ...], _Ranking] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, request: SummaryRequest) -> str:
        with self._lock:
            ranking = self._ranking(request)
            chosen = ranking.within(request.cap)
            return _joined(ranking, chosen, request.cap, request.count)

    def _ranking(self, request: SummaryRequest) -> _Ranking:
        self._cache.trim()
        messages = tuple(self._cache.lines_of(item, request.count) for item in request.behind)
        known = self._rankings.get(messages)
        if known is None:
            known = self._rankings[messages] = _Ranking(messages, self._cache)
            if len(self._rankings) > _KEPT_RANKINGS:
                self._rankings.popitem(last=False)
        else:
            self._rankings.move_to_end(messages)
        return known


class _Ranking:
    """The lines behind one cut, best first, ranked only as far as a cap has asked."""

    def __init__(self, messages: Sequence[MessageLines], cache: LineCache) -> None:
        self.lines = [line for message in messages for line in message.lines]
        self.costs: list[int] = []
        self._order: list[int] = []
        self._rest: Iterator[int] = iter(())
        if self.lines:
            self._rank(messages, cache)

    def _rank(self, messages: Sequence[MessageLines], cache: LineCache) -> None:
        costs = np.concatenate([message.costs for message in messages])
        features = np.concatenate([message.features for message in messages])
        frequency = np.bincount(features)
        present = np.flatnonzero(frequency)
        local = np.zeros(len(frequency), np.int32)
        local[present] = np.arange(len(present), dtype=np.int32)
        self.costs = costs.tolist()
        self._rest = ranked(
            local[features],
            np.concatenate([message.lengths for message in messages]),
            weights=cache.worth(frequency, len(self.lines))[present],
            factors=np.repeat(
                [message.factor for message in messages],
                [len(message.lines) for message in messages],
            ),
            costs=costs + LINE_COST,
        )

    def __iter__(self) -> Iterator[int]:
        yield from self._order
        for line in self._rest:
            self._order.append(line)
            yield line

    def within(self, cap: int) -> list[int]:
        """The best lines that fit `cap` together, best first; passes over 40 that do not fit."""
        chosen: list[int] = []
        left, misses = cap, 0
        for line in self:
            if self.costs[line] <= left:
                left -= self.costs[line]
                chosen.append(line)
            else:
                misses += 1
            if left <= 0 or misses > _MOST_MISSES:
                break
        return chosen


def _joined(ranking: _Ranking, chosen: list[int], cap: int, count: TokenCounter) -> str:
    """The lines in session order; the worst leave while the whole exceeds the cap."""
    while chosen:
        text = "\n".join(ranking.lines[line] for line in sorted(chosen))
        over = count(text) - cap
        if over <= 0:
            return text
        while chosen and over > 0:
            over -= ranking.costs[chosen.pop()]
    return ""
