"""How long each step of a call took, by a clock that is passed in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

Clock = Callable[[], float]
"""Returns seconds; only differences count."""
Step = Literal["repair", "prune", "choose", "summarise", "finish"]


class Laps:
    """Seconds by step, one mapping per call point; without a clock it stays empty."""

    def __init__(self, clock: Clock | None) -> None:
        self.points: list[Mapping[Step, float]] = []
        self._clock = clock
        self._current: dict[Step, float] = {}
        self._since = 0.0

    def start(self) -> None:
        """The next step begins now."""
        if self._clock is not None:
            self._since = self._clock()

    def end(self, step: Step) -> None:
        """`step` ends now, and the next begins."""
        if self._clock is not None:
            now = self._clock()
            self._current[step] = self._current.get(step, 0.0) + now - self._since
            self._since = now

    def next_point(self) -> None:
        """The call point is done."""
        if self._clock is not None:
            self.points.append(self._current)
            self._current = {}
