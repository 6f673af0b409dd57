"""Where in a window something stands: models read its start and its end best."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

import numpy as np

from memory_core.loss.index import Index
from memory_core.loss.needs import Need
from memory_core.loss.standing import SHORT, WHOLE, Standing
from memory_core.loss.terms import Numbers
from memory_core.replay import Replay

THIRDS: Final = ("start", "middle", "end")


class Places:
    """Tells the third of a window, by tokens behind the anchor, in which an item stands last."""

    def __init__(self, replay: Replay, index: Index) -> None:
        gauge = replay.planner.gauge
        self._said = index.said
        self._tokens = np.array([gauge.tokens(one) for one in replay.messages], np.int64)
        self._prunings = replay.planner.ledger.prunings

    def thirds(self, needs: Sequence[Need], step: Standing) -> list[str]:
        """The third of each needed item that stands; the summary is where the window starts."""
        if not needs:
            return []
        ends = self._sent(step).cumsum()
        before = step.plan.parts.summary
        total = max(1, before + int(ends[-1]))
        found: list[str] = []
        for need in needs:
            row = self._newest(need, step)
            end = before + int(ends[row]) if row is not None else 0
            found.append(THIRDS[min(2, 3 * end // total)])
        return found

    def _sent(self, step: Standing) -> Numbers:
        """Tokens of each message as it is sent, without system messages."""
        codes = step.codes[: step.plan.at]
        sent = np.where(np.isin(codes, WHOLE), self._tokens[: step.plan.at], 0)
        for row in np.flatnonzero(codes == SHORT).tolist():
            sent[row] = self._prunings[row].after
        return sent

    def _newest(self, need: Need, step: Standing) -> int | None:
        """The last message that says an item and is sent whole or shortened."""
        said = self._said.messages(need.item)
        sent = (
            row
            for row in reversed(said[: bisect_left(said, need.at)])
            if step.codes[row] in WHOLE or step.codes[row] == SHORT
        )
        return next(sent, None)
