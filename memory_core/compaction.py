"""Choosing a compaction: whether one is due, where it cuts, and how long its summary may be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memory_core import cutting
from memory_core.config import MemoryConfig
from memory_core.cutting import Cut, Room
from memory_core.ledger import Ledger
from memory_core.plan import Cause
from memory_core.trimming import Trimming


@dataclass(frozen=True, slots=True)
class Compaction:
    """A cut that is due; `cap` = the most tokens its summary message may take."""

    cut: Cut
    cause: Cause
    cap: int
    total_before: int


@dataclass(frozen=True, slots=True)
class Chooser:
    """Chooses on numbers only; may shorten outputs that would break the budget."""

    config: MemoryConfig
    ledger: Ledger
    trimming: Trimming
    room: Room
    held: int
    """Tokens held before the mark."""

    def choose(self, total: int) -> Compaction | None:
        """The compaction of a window of `total` tokens, None if nothing may leave."""
        wanted = self._wanted()
        cause = self._cause(wanted, over=total > self.config.trigger_tokens)
        cut = self._cut_at(wanted)
        excess = self.room.fixed + cut.bound(self.room) + cut.rest - self.room.budget
        if excess > 0:
            self.trimming.newest(wanted, excess)
            cut = self._holding(wanted)
            cause = Cause.BUDGET if cut.at > wanted else cause
        if not cut.leaves:
            return None
        cap = min(self.room.cap, cut.replaced - 1, self.room.budget - self.room.fixed - cut.rest)
        return Compaction(cut, cause, max(0, cap), total)

    def _cause(self, wanted: int, *, over: bool) -> Cause:
        if self.config.window_when == "never" or wanted < self._newest():
            return Cause.TARGET
        return Cause.TRIGGER if over else Cause.EVERY_CALL

    def _newest(self) -> int:
        size = self.config.sliding_window_size
        return max(self.ledger.mark, cutting.newest_cut(self.ledger, size))

    def _wanted(self) -> int:
        config = self.config
        if config.window_when == "never":
            fit = self._fit(config.target_ratio or config.summary_trigger_ratio)
            return fit.at if fit else cutting.last_cut(self.ledger)
        newest = self._newest()
        fit = self._fit(config.target_ratio) if config.target_ratio else None
        return min(fit.at, newest) if fit else newest

    def _fit(self, ratio: float) -> Cut | None:
        limit = int(ratio * self.config.max_token_budget)
        return cutting.first_fit(self._cuts(self.ledger.mark), self.room, limit, full_cap=True)

    def _holding(self, start: int) -> Cut:
        fit = cutting.first_fit(self._cuts(start), self.room, self.room.budget, full_cap=False)
        return fit or self._cut_at(cutting.last_cut(self.ledger))

    def _cut_at(self, at: int) -> Cut:
        return next(self._cuts(at))

    def _cuts(self, start: int) -> Iterator[Cut]:
        return cutting.cuts(self.ledger, self.room, start=start, held=self.held)
