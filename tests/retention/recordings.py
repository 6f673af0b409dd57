"""The sessions retention is measured on: labelled tool runs, and long coding sessions."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from memory_core.sessions import load_file
from tests.retention.labels import labelled_values, read_actions, recorded_values
from tests.retention.needs import Case, case_of
from tests.setup.folders import ROOT, SHARED

TOOL_RUNS: Final = SHARED / "sessions" / "tau_bench_airline_gpt4o_first40.json"
LONG: Final = SHARED / "sessions" / "claude_code_spotter_258c7280.jsonl"
OTHERS: Final = (
    "codex_rollout_all_record_types.jsonl",
    "mini_swe_agent_github_issue.traj.json",
    "swe_agent_marshmallow_function_calling.traj",
    "who_and_when_hand_crafted_44.json",
)
SAMPLES: Final = ("coding_agent", "customer_service_ko", "data_analysis", "long_chat_ko")


@cache
def tool_runs() -> tuple[Case, ...]:
    """All labelled runs: settings are chosen on the even ones, and reported on the odd ones."""
    actions = read_actions(TOOL_RUNS)
    sessions = load_file(TOOL_RUNS).sessions
    return tuple(
        case_of(
            session.id,
            session.messages,
            labels=labelled_values(session.messages, wanted),
            recorded=recorded_values(session.messages),
        )
        for session, wanted in zip(sessions, actions, strict=True)
    )


@cache
def cases(file: Path) -> tuple[Case, ...]:
    """The sessions of a file without labels."""
    return tuple(
        case_of(
            session.id,
            session.messages,
            labels={},
            recorded=recorded_values(session.messages),
        )
        for session in load_file(file).sessions
    )


def sample(name: str) -> Case:
    """One of our own sample sessions."""
    return cases(ROOT / "sample_sessions" / f"{name}.json")[0]
