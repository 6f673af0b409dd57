"""The default summariser: verbatim extracts that say the most facts and words within the cap."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Final

from memory_core.summarizing.coverage import ranked
from memory_core.summarizing.lines import MOST_LINES, LineCache
from memory_core.summarizing.request import SummaryRequest
from memory_core.summarizing.strand import Cut, Strand
from memory_core.tokens.counting import TokenCounter

_KEPT: Final = 8
_MOST_MISSES: Final = 40


class ExtractiveSummarizer:
    """A cumulative `Summarizer`: one verbatim unit a line, in session order, each with its `[#n]`.

    A pure function of `behind`, `cap` and `count`: the same bytes whatever was asked before. What
    it keeps between calls only saves time: the lines of each message, the last 8 histories as they
    grew, and the ranking behind the last 8 cuts, which no cap changes. Threads may share one.
    """

    def __init__(self) -> None:
        self._cache = LineCache()
        self._strands: list[Strand] = []
        self._rankings: OrderedDict[tuple[Strand, int], _Ranking] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, request: SummaryRequest) -> str:
        with self._lock:
            ranking = self._ranking(request)
            chosen = ranking.within(request.cap)
            return _joined(ranking, chosen, request.cap, request.count)

    def _ranking(self, request: SummaryRequest) -> _Ranking:
        strand = self._strand(request)
        strand.grow(request.behind)
        key = strand, len(request.behind)
        known = self._rankings.get(key)
        if known is None:
            known = self._rankings[key] = _Ranking(strand.cut(len(request.behind)))
        self._rankings.move_to_end(key)
        self._trim()
        return known

    def _strand(self, request: SummaryRequest) -> Strand:
        """The history that these messages belong to, as the last of all."""
        for at in reversed(range(len(self._strands))):
            if self._strands[at].fits(request.behind, request.count):
                self._strands.append(self._strands.pop(at))
                return self._strands[-1]
        self._strands.append(Strand(self._cache, request.count))
        return self._strands[-1]

    def _trim(self) -> None:
        if self._cache.trim():
            self._strands.clear()
            self._rankings.clear()
        while len(self._strands) > _KEPT or self._older() > MOST_LINES:
            del self._strands[0]
        while len(self._rankings) > _KEPT:
            self._rankings.popitem(last=False)

    def _older(self) -> int:
        return sum(strand.size for strand in self._strands[:-1])


class _Ranking:
    """The lines before one cut, best first, ranked only as far as a cap has asked."""

    def __init__(self, cut: Cut) -> None:
        self._cut = cut
        self._order: list[int] = []
        self._rest: Iterator[int] = iter(())
        if len(cut.costs):
            self._rest = ranked(cut.features, cut.edges, weights=cut.weights, rates=cut.rates)

    def __iter__(self) -> Iterator[int]:
        yield from self._order
        for line in self._rest:
            self._order.append(line)
            yield line

    def cost(self, line: int) -> int:
        return int(self._cut.costs[line])

    def within(self, cap: int) -> list[int]:
        """The best lines that fit `cap` together, best first; passes over 40 that do not fit."""
        chosen: list[int] = []
        left, misses = cap, 0
        for line in self:
            cost = self.cost(line)
            if cost <= left:
                left -= cost
                chosen.append(line)
            else:
                misses += 1
            if left <= 0 or misses > _MOST_MISSES:
                break
        return chosen

    def text(self, chosen: Sequence[int]) -> str:
        """These lines in session order."""
        return "\n".join([self._cut.lines[line] for line in sorted(chosen)])


def _joined(ranking: _Ranking, chosen: list[int], cap: int, count: TokenCounter) -> str:
    """The chosen lines; the worst leave while the whole exceeds the cap."""
    while chosen:
        text = ranking.text(chosen)
        over = count(text) - cap
        if over <= 0:
            return text
        while chosen and over > 0:
            over -= ranking.cost(chosen.pop())
    return ""
