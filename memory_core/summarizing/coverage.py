"""Greedy coverage: the order in which units say the most that is not yet said, per token."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

STALE: Final = 0.3
"""A unit is left out once no more than this share of what it says is new: it nearly repeats."""

_PATIENCE: Final = 16

Ids = NDArray[np.int32]
Weights = NDArray[np.float64]


def ranked(
    features: Ids, lengths: Ids, *, weights: Weights, factors: Weights, costs: Ids
) -> Iterator[int]:
    """Unit numbers, best gain per token first (lazy greedy; ties go to the earlier unit).

    Unit u holds the next `lengths[u]` (at least 1) entries of `features`, indices into `weights`.
    It gains `factors[u]` times the weights that no earlier unit has taken, for `costs[u]` (at
    least 1) tokens.
    """
    open_units = _OpenUnits(features, lengths, weights=weights, rates=factors / costs)
    while (unit := open_units.best()) is not None:
        open_units.take(unit)
        yield unit


class _OpenUnits:
    """Units not yet taken, in a heap by upper bounds of their gain per token.

    The bound at the top is reckoned anew until it is current. Where units are so alike that one
    choice changes the gains of most, all are reckoned at once instead of one by one.
    """

    def __init__(self, features: Ids, lengths: Ids, *, weights: Weights, rates: Weights) -> None:
        ends = np.cumsum(lengths)
        self._features, self._starts, self._rates = features, ends - lengths, rates
        self._new = weights.copy()
        self._least = np.add.reduceat(self._new[features], self._starts) * STALE
        self._flat, self._left = features.tolist(), weights.tolist()
        self._spans = list(zip(self._starts.tolist(), ends.tolist(), strict=True))
        self._rate, self._floor = rates.tolist(), self._least.tolist()
        self._current = bytearray(len(lengths))
        self._heap: list[tuple[float, int]] = []
        self._touched: list[int] = []
        self._reckon_all()

    def best(self) -> int | None:
        """The unit with the greatest gain per token, None once nothing new is left to say."""
        heap, current = self._heap, self._current
        while heap:
            unit = heap[0][1]
            if current[unit]:
                return unit
            if len(self._touched) * _PATIENCE > len(heap):
                self._reckon_all()
                continue
            gain = sum([self._left[feature] for feature in self._own(unit)])
            if gain <= self._floor[unit]:
                heapq.heappop(heap)
            else:
                heapq.heapreplace(heap, (-gain * self._rate[unit], unit))
            current[unit] = 1
            self._touched.append(unit)
        return None

    def take(self, unit: int) -> None:
        """Take the best unit: what it says is no longer new."""
        heapq.heappop(self._heap)
        own = self._own(unit)
        self._new[own] = 0.0
        for feature in own:
            self._left[feature] = 0.0
        for other in self._touched:
            self._current[other] = 0
        self._touched.clear()

    def _own(self, unit: int) -> list[int]:
        start, end = self._spans[unit]
        return self._flat[start:end]

    def _reckon_all(self) -> None:
        gains = np.add.reduceat(self._new[self._features], self._starts)
        left = np.flatnonzero(gains > self._least)
        bounds = (-gains[left] * self._rates[left]).tolist()
        self._heap[:] = zip(bounds, left.tolist(), strict=True)
        heapq.heapify(self._heap)
        self._touched = left.tolist()
        for unit in self._touched:
            self._current[unit] = 1
