"""Notes of a model where they are at hand, verbatim extracts where it was not asked yet."""

from __future__ import annotations

from memory_core.errors import NotAsked
from memory_core.summarizing.request import Summarizer, SummaryRequest


class StandIn:
    """Asks `first`; where that raises `NotAsked`, `second` stands in."""

    def __init__(self, first: Summarizer, second: Summarizer) -> None:
        self._first = first
        self._second = second

    def __call__(self, request: SummaryRequest) -> str:
        try:
            return self._first(request)
        except NotAsked:
            return self._second(request)
