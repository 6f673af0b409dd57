"""What is kept of what later calls need: the least that any change has to hold.

Settings were chosen on the even tool runs; the bars are for the odd ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from memory_core.config import MemoryConfig
from memory_core.gauge import Gauge
from memory_core.presets import PRESETS
from tests.retention.methods import Baselines, full, library
from tests.retention.needs import Case
from tests.retention.recordings import LONG, TOOL_RUNS, cases, sample, tool_runs
from tests.retention.scoring import Method, Score, budget_of, figure, score, twins

GAUGE = Gauge(MemoryConfig())
BASELINES = Baselines(GAUGE)
METHODS: dict[str, Method] = {
    "keep_facts": library(PRESETS["keep_facts"].config, GAUGE),
    "chat": library(PRESETS["chat"].config, GAUGE),
    "article": library(MemoryConfig(summarizer="article"), GAUGE),
    "drop oldest": BASELINES.drop_oldest,
    "head+tail": BASELINES.head_tail,
    "TF-IDF MMR": BASELINES.tfidf_mmr,
    "bare items": BASELINES.bare_items,
    "full": full,
}

tools = pytest.mark.skipif(not TOOL_RUNS.is_file(), reason=f"{TOOL_RUNS} is not at hand")
long = pytest.mark.skipif(not LONG.is_file(), reason=f"{LONG} is not at hand")


def scores(measured: Sequence[Case], method: str, share: float) -> list[Score]:
    return [
        score(case, METHODS[method], budget=budget_of(case, share, GAUGE), gauge=GAUGE)
        for case in measured
    ]


@cache
def odd_runs(method: str, share: float = 0.2) -> tuple[Score, ...]:
    return tuple(scores(tool_runs()[1::2], method, share))


def share_of(found: Sequence[Score], measure: str) -> float:
    told = figure(found, measure)
    assert told is not None
    return told.share


@tools
@pytest.mark.parametrize(("measure", "least"), [("labelled call", 0.8), ("FRR", 0.85)])
def test_a_fifth_of_a_tool_run_has_what_its_later_calls_need(measure: str, least: float) -> None:
    assert share_of(odd_runs("keep_facts"), measure) >= least


@tools
@pytest.mark.parametrize("baseline", ["drop oldest", "article", "head+tail"])
def test_a_fifth_of_a_tool_run_keeps_more_prose_than_the_simple_ways(baseline: str) -> None:
    ours = share_of(odd_runs("keep_facts"), "prose")
    assert ours >= 0.5
    assert ours > share_of(odd_runs(baseline), "prose")


@tools
@pytest.mark.parametrize("baseline", ["drop oldest", "article", "head+tail", "TF-IDF MMR"])
@pytest.mark.parametrize("measure", ["labelled call", "labelled value", "recorded call", "FRR"])
def test_the_preset_beats_every_baseline_on_tool_runs(baseline: str, measure: str) -> None:
    assert share_of(odd_runs("keep_facts"), measure) > share_of(odd_runs(baseline), measure)


@tools
def test_the_controls_hold_on_tool_runs() -> None:
    assert share_of(odd_runs("bare items", 0.1), "FRR") < 0.15
    for one in odd_runs("full"):
        assert one.found == one.asked
    verbatim = odd_runs("TF-IDF MMR")
    lost = share_of(verbatim, "FRR, no gate") - share_of(verbatim, "FRR")
    assert lost <= 0.02


@tools
def test_no_two_methods_are_one_on_tool_runs() -> None:
    assert twins({name: odd_runs(name) for name in METHODS}) == []


@long
@pytest.mark.parametrize(("measure", "least"), [("FRR 30+", 0.8), ("FRR", 0.85), ("prose", 0.6)])
def test_a_tenth_of_a_long_coding_session_has_what_was_said_long_ago(
    measure: str, least: float
) -> None:
    assert share_of(long_session("keep_facts"), measure) >= least


@long
def test_a_tenth_of_a_long_coding_session_keeps_more_than_its_newest_messages() -> None:
    for measure in ("FRR", "FRR 30+", "prose"):
        ours = share_of(long_session("keep_facts"), measure)
        assert ours > share_of(long_session("drop oldest"), measure)


@cache
def long_session(method: str) -> tuple[Score, ...]:
    return tuple(scores(cases(LONG)[:1], method, 0.1))


SAMPLE_BARS = [
    ("coding_agent", 0.1, "keep_facts", "FRR 30+", 0.8),
    ("coding_agent", 0.1, "keep_facts", "FRR", 0.85),
    ("customer_service_ko", 0.2, "keep_facts", "FRR", 0.85),
    ("long_chat_ko", 0.2, "keep_facts", "FRR", 0.8),
    ("long_chat_ko", 0.2, "chat", "FRR", 0.85),
]


@pytest.mark.parametrize(("name", "share", "preset", "measure", "least"), SAMPLE_BARS)
def test_our_own_sessions_keep_what_is_needed_later(
    name: str, share: float, preset: str, measure: str, least: float
) -> None:
    assert share_of(scores([sample(name)], preset, share), measure) >= least
