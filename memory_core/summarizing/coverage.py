"""Greedy coverage: the order in which units say the most that is not yet said, per token."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

STALE: Final = 0.3
"""A unit is left out once no more than this share of what it says is new: it nearly repeats."""

FIRST_OPENED: Final = 128
"""Units opened at first; more cost time where a summary is short, fewer where it is long."""

_PATIENCE: Final = 16

Ids = NDArray[np.int32]
Places = NDArray[np.intp]
Weights = NDArray[np.float64]

_Open = tuple[float, int, int, int, float, float]
"""An opened unit: minus its bound, its number, start, end, rate and least gain."""


def ranked(features: Places, edges: Places, *, weights: Weights, rates: Weights) -> Iterator[int]:
    """Unit numbers, best gain per token first (lazy greedy; ties go to the earlier unit).

    Unit u holds `features[edges[u]:edges[u + 1]]` (at least 1), indices into `weights`. It gains
    `rates[u]` times the weights that no earlier unit has taken.
    """
    units = _OpenUnits(features, edges, weights=weights, rates=rates)
    while (unit := units.take()) is not None:
        yield unit


class _OpenUnits:
    """Units not yet taken, by upper bounds of their gain per token.

    The bound at the top is reckoned anew until it is current. Where units are so alike that one
    choice changes the gains of most, all are reckoned at once instead of one by one. Only units
    with the best bounds are opened, which puts them in the heap; the others wait in arrays.
    """

    def __init__(
        self, features: Places, edges: Places, *, weights: Weights, rates: Weights
    ) -> None:
        self._features, self._rates = features, rates
        self._starts, self._ends = edges[:-1], edges[1:]
        self._new = weights.copy()
        self._heap: list[_Open] = []
        gains = self._gains()
        self._least = gains * STALE
        self._wait(gains)

    def take(self) -> int | None:
        """The unit with the greatest gain per token, None once nothing new is left to say.

        What it says is no longer new.
        """
        best = self._best()
        if best is None:
            return None
        heapq.heappop(self._heap)
        self._new[self._features[best[2] : best[3]]] = 0.0
        self._are_all_current = False
        self._current.clear()
        return best[1]

    def _best(self) -> _Open | None:
        heap = self._heap
        while heap or len(self._waiting):
            if not heap or heap[0][0] > self._limit:
                self._open()
            elif self._are_all_current or self._settled():
                return heap[0]
            elif heap and heap[0][0] <= self._limit:
                self._wait(self._gains())
        return None

    def _settled(self) -> bool:
        """Reckon the tops anew until one is current; False where units have to be opened first.

        False also where so many were that it is better to reckon all at once.
        """
        heap, limit, current = self._heap, self._limit, self._current
        new, features, waiting = self._new, self._features, len(self._waiting)
        while heap and heap[0][0] <= limit:
            _, unit, start, end, rate, least = heap[0]
            if unit in current:
                return True
            if len(current) * _PATIENCE > len(heap) + waiting:
                return False
            gain = sum(new[features[start:end]].tolist())
            if gain <= least:
                heapq.heappop(heap)
            else:
                heapq.heapreplace(heap, (-gain * rate, unit, start, end, rate, least))
            current.add(unit)
        return False

    def _gains(self) -> Weights:
        return np.add.reduceat(np.take(self._new, self._features, mode="clip"), self._starts)

    def _wait(self, gains: Weights) -> None:
        """Let all units wait that say enough, by these gains."""
        self._waiting: Places = np.flatnonzero(gains > self._least)
        self._bounds: Weights = -gains[self._waiting] * self._rates[self._waiting]
        self._heap.clear()
        self._limit = -np.inf
        self._opened = FIRST_OPENED
        self._are_all_current = True
        self._current: set[int] = set()

    def _open(self) -> None:
        """Put the waiting units with the best bounds in the heap, each time twice as many."""
        bounds, waiting = self._bounds, self._waiting
        if len(waiting) > self._opened:
            self._limit = float(np.partition(bounds, self._opened)[self._opened])
            others = bounds > self._limit
            self._bounds, self._waiting = bounds[others], waiting[others]
            bounds, waiting = bounds[~others], waiting[~others]
        else:
            self._limit = np.inf
            self._bounds, self._waiting = bounds[:0], waiting[:0]
        self._opened *= 2
        self._heap += zip(
            bounds.tolist(),
            waiting.tolist(),
            self._starts[waiting].tolist(),
            self._ends[waiting].tolist(),
            self._rates[waiting].tolist(),
            self._least[waiting].tolist(),
            strict=True,
        )
        heapq.heapify(self._heap)
