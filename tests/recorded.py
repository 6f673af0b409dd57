"""Recorded sessions to test with: our samples, and the real ones where they are at hand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from memory_core.config import MemoryConfig
from memory_core.errors import SessionError
from memory_core.gauge import Gauge
from memory_core.messages import ChatMessage
from memory_core.plan import Plan
from memory_core.replay import Replay, replay, summarizer_of
from memory_core.sessions import load_file
from memory_core.sessions.session import Session
from memory_core.summarizing.request import SummaryRequest
from tests.saying import settings
from tests.setup.folders import ROOT, SHARED

OF_EACH_FILE: Final = 4


CONFIGS: Final[dict[str, dict[str, Any]]] = {
    "article": {},
    "agent": {
        "max_token_budget": 16_000,
        "tool_pruning_threshold": 1_000,
        "threshold_unit": "tokens",
        "pruning_style": "head_tail",
    },
    "strict": {
        "max_token_budget": 2_000,
        "sliding_window_size": 4,
        "provider_profile": "strict",
    },
    "window only": {
        "window_when": "every_call",
        "sliding_window_size": 20,
        "summarizer": "none",
    },
    "target": {"target_ratio": 0.5, "pruning_style": "json"},
    "tiny": {"max_token_budget": 300, "pruning_style": "placeholder"},
}


def _sessions() -> dict[str, Session]:
    found: dict[str, Session] = {}
    files = sorted((ROOT / "sample_sessions").glob("*.json"))
    if SHARED.is_dir():
        files += sorted(path for path in (SHARED / "sessions").iterdir() if path.is_file())
    for file in files:
        for session in _sessions_of(file)[:OF_EACH_FILE]:
            found[f"{file.stem[:30]}:{session.id[:12]}"] = session
    return found


def _sessions_of(file: Path) -> tuple[Session, ...]:
    try:
        return load_file(file).sessions
    except SessionError:
        return ()


SESSIONS: Final = _sessions()


every_session = pytest.mark.parametrize("name", SESSIONS)


every_config = pytest.mark.parametrize("config_name", CONFIGS)


@dataclass(frozen=True)
class Run:
    """A session replayed once, and what its summariser was asked."""

    session: Session
    config: MemoryConfig
    result: Replay
    requests: list[SummaryRequest]

    @property
    def messages(self) -> tuple[ChatMessage, ...]:
        return self.session.messages

    def windows(self) -> list[tuple[Plan, tuple[ChatMessage, ...]]]:
        return [(plan, self.result.window(plan)) for plan in self.result.plans]


GAUGE: Final = Gauge(settings())
"""All configs here count alike."""


@cache
def run_of(name: str, config_name: str) -> Run:
    session, config = SESSIONS[name], settings(**CONFIGS[config_name])
    requests: list[SummaryRequest] = []
    summarize = summarizer_of(config)

    def recorded(request: SummaryRequest) -> str:
        assert summarize is not None
        requests.append(request)
        return summarize(request)

    result = replay(session.messages, config, summarizer=recorded, gauge=GAUGE)
    return Run(session, config, result, requests)
