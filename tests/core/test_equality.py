"""One planner: the running manager, the replay and a slow re-computation agree at every call."""

from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from memory_core.config import MemoryConfig
from memory_core.gauge import Gauge
from memory_core.manager import AgentMemoryManager
from memory_core.messages import ChatMessage
from memory_core.plan import Plan
from memory_core.replay import Replay, call_points, leading_anchor, replay, summarizer_of
from memory_core.snapshot import parse_state
from tests.histories import configs, histories
from tests.reference import Reference

SESSIONS = histories()
CONFIGS = configs()


@given(SESSIONS, CONFIGS)
def test_the_fast_planner_equals_the_slow_reference(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    gauge = Gauge(config)
    anchor = leading_anchor(history)
    reference = Reference(config, gauge, summarizer_of(config), anchor, anchor is not None)
    result = replay(history, config, gauge=gauge)
    for plan in result.plans:
        assert list(result.window(plan)) == reference.window(history[: plan.at])
        assert plan.mark == reference.mark


@given(SESSIONS, CONFIGS)
def test_replay_equals_a_manager_called_at_every_call_point(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    async def run() -> None:
        manager = AgentMemoryManager(config)
        result = replay(history, config)
        for plan in result.plans:
            sent = await manager.prepare_context_window(None, history[: plan.at])
            assert tuple(sent) == result.window(plan)
            assert manager.report is not None
            assert manager.report.plan == plan

    asyncio.run(run())


@given(SESSIONS, CONFIGS, st.integers(0, 20))
def test_a_memory_restored_from_json_goes_on_as_if_nothing_had_happened(
    history: list[ChatMessage], config: MemoryConfig, stop: int
) -> None:
    async def run() -> None:
        result = replay(history, config)
        manager = AgentMemoryManager(config)
        for number, at in enumerate(call_points(history)):
            if number == stop and manager.state is not None:
                state = parse_state(manager.state.to_json())
                manager = AgentMemoryManager(config, state=state)
            sent = await manager.prepare_context_window(None, history[:at])
            assert tuple(sent) == result.window(result.plans[number])
            assert manager.report is not None
            assert manager.report.plan == result.plans[number]
            assert not manager.report.is_restart

    asyncio.run(run())


@given(SESSIONS, CONFIGS)
def test_the_cached_prefix_is_what_two_requests_in_a_row_share(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    gauge = Gauge(config)
    result = replay(history, config, gauge=gauge)
    before: list[tuple[int, ChatMessage]] = []
    for plan in result.plans:
        request = _placed(result, plan)
        shared = 0
        for old, new in zip(before, request, strict=False):
            if old != new:
                break
            shared += gauge.tokens(new[1])
        expected = shared + config.fixed_overhead_tokens if plan.ordinal else 0
        assert plan.cached_prefix_tokens == expected
        before = request


def _placed(result: Replay, plan: Plan) -> list[tuple[int, ChatMessage]]:
    """The window's messages with their exchange, -1 before the first: equal ones stay apart."""
    window = result.window(plan)
    ledger = result.planner.ledger
    places = [
        position for position in plan.positions() for _ in ledger.entries_at(position, plan.ordinal)
    ]
    places = [-1] * (len(window) - len(places)) + places
    return list(zip(places, window, strict=True))
