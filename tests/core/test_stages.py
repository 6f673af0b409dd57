"""The stages of a call point lead from the recorded history to the request, number by number."""

from __future__ import annotations

from hypothesis import given

from memory_core.config import MemoryConfig
from memory_core.messages import ChatMessage
from memory_core.replay import replay
from memory_core.sessions import load_file
from memory_core.stages import StageName, stages
from tests.histories import configs, histories
from tests.setup.folders import ROOT

BROKEN = load_file(ROOT / "sample_sessions" / "broken.json").sessions[0].messages
CODING = load_file(ROOT / "sample_sessions" / "coding_agent.json").sessions[0].messages


@given(histories(), configs())
def test_the_stages_lead_from_the_history_to_the_request(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    found = replay(history, config)
    for plan in found.plans:
        by_name = {stage.name: stage for stage in stages(found, plan)}
        assert list(by_name) == list(StageName)
        raw, assembled = by_name[StageName.RAW], by_name[StageName.ASSEMBLED]
        assert raw.messages == plan.at
        assert raw.tokens == sum(found.planner.gauge.tokens(one) for one in history[: plan.at])
        assert assembled.tokens == plan.parts.sent
        assert assembled.messages == len(found.window(plan))
        repaired, pruned = by_name[StageName.REPAIRED], by_name[StageName.PRUNED]
        assert pruned.tokens <= repaired.tokens
        assert pruned.messages == repaired.messages >= raw.messages
        counted = by_name[StageName.COUNTED]
        assert counted.tokens == pruned.tokens + plan.parts.overhead + plan.parts.reserve
        summarised, windowed = by_name[StageName.SUMMARISED], by_name[StageName.WINDOWED]
        assert windowed.tokens <= summarised.tokens
        assert windowed.messages <= summarised.messages
        if not plan.mark:
            assert summarised.tokens == counted.tokens
            assert summarised.messages == counted.messages


def test_repairs_add_what_providers_ask_for() -> None:
    found = replay(BROKEN, MemoryConfig(max_token_budget=100_000))
    by_name = {stage.name: stage for stage in stages(found, found.plans[-1])}
    assert by_name[StageName.REPAIRED].messages == by_name[StageName.RAW].messages + 1
    assert by_name[StageName.REPAIRED].tokens > by_name[StageName.RAW].tokens


def test_a_clock_gives_every_step_its_time() -> None:
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += 0.5
        return now

    found = replay(CODING, MemoryConfig(), clock=clock)
    times = {stage.name: stage.seconds for stage in stages(found, found.plans[-1], clock=clock)}
    assert times == {
        StageName.RAW: None,
        StageName.REPAIRED: 0.5,
        StageName.PRUNED: 0.5,
        StageName.COUNTED: None,
        StageName.SUMMARISED: 1.0,
        StageName.WINDOWED: 0.5,
        StageName.ASSEMBLED: 0.5,
    }
    silent = replay(CODING, MemoryConfig())
    assert {stage.seconds for stage in stages(silent, silent.plans[-1])} == {None}
