"""Memories to test with: small, counted in words, with a summariser that remembers."""

from __future__ import annotations

from typing import Any

from memory_core.gauge import Gauge
from memory_core.manager import AgentMemoryManager
from memory_core.report import Report
from memory_core.snapshot import MemoryState
from memory_core.summarizing.request import Summarizer, SummaryRequest
from tests.saying import (
    settings,
    user,
    words,
)

TIGHT = {"max_token_budget": 200, "sliding_window_size": 4}


def memory(
    summarizer: Summarizer | None = None, *, state: MemoryState | None = None, **fields: Any
) -> AgentMemoryManager:
    config = settings(**{**TIGHT, **fields})
    gauge = Gauge(config, count=words)
    return AgentMemoryManager(config, summarizer=summarizer, state=state, gauge=gauge)


def reported(manager: AgentMemoryManager) -> Report:
    assert manager.report is not None
    return manager.report


class Recorder:
    """A folding summariser that keeps what it was asked and answers with given texts."""

    def __init__(self, *answers: str) -> None:
        self.requests: list[SummaryRequest] = []
        self._answers = list(answers)

    def __call__(self, request: SummaryRequest) -> str:
        self.requests.append(request)
        return self._answers.pop(0) if self._answers else f"summary {len(self.requests)}"


HI = user("hi")
