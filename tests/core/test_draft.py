"""Drafts, which have the numbers but no summary; and what a summariser was asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from hypothesis import given

from memory_core.config import MemoryConfig
from memory_core.errors import InvalidConfig
from memory_core.messages import ChatMessage
from memory_core.replay import Replay, draft, replay, tape_of, written
from memory_core.sessions import load_file
from memory_core.snapshot import snapshot
from memory_core.summarizing import ExtractiveSummarizer
from memory_core.summarizing.request import SummaryRequest
from tests.histories import configs, histories
from tests.setup.folders import ROOT

CODING: Final = load_file(ROOT / "sample_sessions" / "coding_agent.json").sessions[0].messages
LAPS: Final = {"repair", "prune", "choose", "summarise", "finish"}


class Listening:
    """The extractive summariser, and what it was asked."""

    def __init__(self) -> None:
        self.asked: list[SummaryRequest] = []
        self._summarize = ExtractiveSummarizer()

    def __call__(self, request: SummaryRequest) -> str:
        self.asked.append(request)
        return self._summarize(request)


@given(histories(), configs())
def test_a_draft_plans_the_calls_of_the_replay_and_keeps_its_summaries_within_the_cap(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    drafted, exact = draft(history, config), replay(history, config)
    for plan, other in zip(drafted.plans, exact.plans, strict=True):
        assert (plan.at, plan.exchanges, plan.repairs) == (other.at, other.exchanges, other.repairs)
        assert plan.raw_tokens == other.raw_tokens
        assert plan.failure is None
        assert plan.parts.summary <= config.summary_cap


@given(histories(), configs())
def test_a_draft_without_a_summary_is_the_replay(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    silent = config.model_copy(update={"summarizer": "none"})
    drafted = draft(history, silent)
    assert drafted.plans == replay(history, silent).plans
    assert not drafted.is_draft


@given(histories(), configs())
def test_a_request_can_be_asked_for_again_after_the_replay(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    listening = Listening()
    found = replay(history, config, summarizer=listening)
    again = [found.request(one) for one in found.planner.receipts if one.version]
    given = {(len(one.behind), one.cap, one.previous): one for one in listening.asked}
    for request in again:
        known = given[len(request.behind), request.cap, request.previous]
        assert (list(known.behind), list(known.new)) == (list(request.behind), list(request.new))


@given(histories(), configs())
def test_a_tape_changes_nothing_however_often_it_is_played(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    tape = tape_of(history)
    alone = replay(history, config)
    for _ in range(2):
        found = replay(history, config, tape=tape)
        assert found.plans == alone.plans
        for plan in found.plans:
            assert found.report(plan).fates == alone.report(plan).fates
            assert found.report(plan).repairs == alone.report(plan).repairs
            assert found.window(plan) == alone.window(plan)
        kept, expected = (
            snapshot(one.planner, digest="", skips_first=False) for one in (found, alone)
        )
        assert kept == expected
    other = config.model_copy(update={"pins": (0, 1), "provider_profile": "strict"})
    assert replay(history, other, tape=tape).plans == replay(history, other).plans


@pytest.mark.parametrize("planned", [replay, draft])
@pytest.mark.parametrize("others", [CODING[:-1], [CODING[0], *CODING[2:]], [*CODING, *CODING]])
def test_a_tape_of_other_messages_is_refused(
    planned: Callable[..., Replay], others: list[ChatMessage]
) -> None:
    with pytest.raises(InvalidConfig, match="tape"):
        planned(CODING, MemoryConfig(), tape=tape_of(others))
    found = planned(list(CODING), MemoryConfig(), tape=tape_of(CODING))
    assert found.plans == planned(CODING, MemoryConfig()).plans


def test_a_draft_says_so_and_gives_the_text_of_any_summary() -> None:
    drafted = draft(CODING, MemoryConfig())
    assert drafted.is_draft
    last = drafted.plans[-1]
    assert last.summary is not None
    assert last.summary.text == ""
    text = written(drafted, last, ExtractiveSummarizer()).summary
    assert text is not None
    assert "[#" in text.text
    first = drafted.plans[0]
    assert written(drafted, first, ExtractiveSummarizer()) is first


def test_a_draft_comes_close_to_the_replay() -> None:
    drafted, exact = draft(CODING, MemoryConfig()), replay(CODING, MemoryConfig())
    pairs = list(zip(drafted.plans, exact.plans, strict=True))
    assert sum(abs(one.total - other.total) for one, other in pairs) / len(pairs) < 400
    assert sum(one.total for one, _ in pairs) >= sum(other.total for _, other in pairs) * 0.9


@pytest.mark.parametrize("ticks", [1.0, 2.5])
@pytest.mark.parametrize("planned", [replay, draft])
def test_a_clock_times_every_step_of_every_call(
    planned: Callable[..., Replay], ticks: float
) -> None:
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += ticks
        return now

    found = planned(CODING, MemoryConfig(), clock=clock)
    assert len(found.timings) == len(found.plans)
    assert all(set(point) == LAPS for point in found.timings)
    assert {seconds for point in found.timings for seconds in point.values()} == {ticks}
    assert planned(CODING, MemoryConfig()).timings == []
