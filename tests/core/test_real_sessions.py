"""The promises of a window on recorded sessions: ours, and real ones where they are there."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import Final

import pytest

from memory_core.exchanges import EMPTY
from memory_core.manager import AgentMemoryManager
from memory_core.messages import ChatMessage
from memory_core.plan import Plan, State
from memory_core.profiles import OPENING, SYSTEM_MARK
from memory_core.pruning import is_marked
from memory_core.replay import replay
from memory_core.snapshot import parse_state
from memory_core.summarizing import HEADINGS
from tests.checks import broken_pairs
from tests.recorded import GAUGE, SESSIONS, Run, every_config, every_session, run_of
from tests.saying import settings

SAMPLED: Final = 10


_PRUNED: Final = re.compile(r"\[Tool Output Truncated: [^\[]{1,40}\] \[#(\d+)\]\Z")


@pytest.mark.usefixtures("shared")
def test_the_real_sessions_are_among_those_tested() -> None:
    assert len({session.format for session in SESSIONS.values()}) >= 4


@every_session
@every_config
def test_the_whole_session_replays_with_one_question_per_call_at_most(
    config_name: str, name: str
) -> None:
    run = run_of(name, config_name)
    assert run.result.plans
    assert len(run.requests) <= len(run.result.plans)
    assert len(run.result.plans) == len({plan.at for plan in run.result.plans})


@every_session
@every_config
def test_no_call_is_parted_from_its_result(config_name: str, name: str) -> None:
    for plan, window in run_of(name, config_name).windows():
        assert broken_pairs(window) == [], plan.at


@every_session
@every_config
def test_the_systems_message_stands_first_unchanged(config_name: str, name: str) -> None:
    run = run_of(name, config_name)
    if run.messages[0].is_system:
        for plan, window in run.windows():
            assert window[:1] == run.messages[: min(1, plan.at)]
    else:
        assert run.result.planner.anchor is None


@every_session
@every_config
def test_the_last_user_message_and_an_open_call_are_there_word_for_word(
    config_name: str, name: str
) -> None:
    run = run_of(name, config_name)
    for plan, window in run.windows():
        here = {id(message) for message in window}
        last = _last_user(run.messages[: plan.at])
        if last is not None and (run.config.provider_profile == "openai" or last.text.strip()):
            assert id(last) in here
        row = run.result.planner.ledger.row_at(plan.exchanges - 1, plan.ordinal)
        if plan.exchanges and row.exchange.is_open:
            assert window[-len(row.exchange.entries) :] == row.exchange.messages


def _last_user(messages: Sequence[ChatMessage]) -> ChatMessage | None:
    return next((one for one in reversed(messages) if one.role == "user"), None)


@every_session
@every_config
def test_the_budget_holds_or_the_plan_says_so_and_the_total_is_the_sum_of_its_parts(
    config_name: str, name: str
) -> None:
    run = run_of(name, config_name)
    for plan, window in run.windows():
        assert plan.total == sum(GAUGE.tokens(message) for message in window)
        assert plan.over_budget == (plan.total > run.config.max_token_budget)


@every_session
@every_config
def test_it_is_over_budget_only_where_nothing_more_may_leave(config_name: str, name: str) -> None:
    run = run_of(name, config_name)
    ledger = run.result.planner.ledger
    for plan in run.result.plans:
        if plan.over_budget:
            rows = [ledger.row_at(at, plan.ordinal) for at in plan.positions()]
            if rows[-1].exchange.messages[0].tool_calls:
                rows.pop()
            assert [row for row in rows if not row.exchange.is_user] == []
            assert len(rows) <= 1


@every_session
def test_with_room_for_all_the_window_is_the_repaired_history(name: str) -> None:
    config = settings(max_token_budget=10**9, prune_when="never")
    result = replay(SESSIONS[name].messages, config, gauge=GAUGE)
    for plan in result.plans:
        window = result.window(plan)
        rows = [result.planner.ledger.row_at(at, plan.ordinal) for at in range(plan.exchanges)]
        recorded = [entry for row in rows for entry in row.exchange.entries]
        assert len(window) == len(recorded) + (result.planner.anchor is not None)
        if not plan.repairs:
            assert window == SESSIONS[name].messages[: plan.at]


@every_session
@every_config
def test_nothing_gets_longer(config_name: str, name: str) -> None:
    run = run_of(name, config_name)
    assert all(
        plan.summary is None or plan.summary.tokens <= run.config.summary_cap
        for plan in run.result.plans
    )
    assert all(one.tokens_after < one.tokens_before for one in run.result.planner.receipts)
    for _, window in run.windows():
        for message in window:
            number = _PRUNED.search(message.text)
            if number and message.role == "tool":
                assert len(message.text) <= len(run.messages[int(number[1])].text)
    for fate in run.result.fates(run.result.plans[-1]):
        if fate.state is State.PRUNED:
            assert fate.sent_tokens < fate.tokens


@every_session
@every_config
def test_the_same_session_gives_the_same_windows_again(config_name: str, name: str) -> None:
    run = run_of(name, config_name)
    again = replay(run.messages, run.config)
    assert again.plans == run.result.plans
    for plan in _sampled(run.result.plans):
        assert again.window(plan) == run.result.window(plan)


def _sampled(plans: Sequence[Plan]) -> Sequence[Plan]:
    return plans[:: max(1, len(plans) // SAMPLED)]


@every_session
@every_config
def test_what_is_sent_is_recorded_in_order_or_marked_as_new(config_name: str, name: str) -> None:
    run = run_of(name, config_name)
    recorded = {id(message): index for index, message in enumerate(run.messages)}
    for plan, window in run.windows():
        positions = list(plan.positions())
        assert positions == sorted(set(positions))
        indices = [recorded[id(one)] for one in window if id(one) in recorded]
        if not plan.repairs:
            assert indices == sorted(set(indices))
        new = [one for one in window if id(one) not in recorded]
        assert [one for one in new if not _is_marked_as_new(run, one)] == []


def _is_marked_as_new(run: Run, message: ChatMessage) -> bool:
    text = message.text
    if message == OPENING or text == EMPTY or text.startswith((HEADINGS["korean"], SYSTEM_MARK)):
        return True
    if is_marked(text) or text.endswith("…"):
        return True
    return any(
        entry.message is message and entry.fault is not None
        for exchange in run.result.planner.ledger.pairing.exchanges
        for entry in exchange.entries
    )


@every_session
@every_config
def test_a_message_leaves_with_a_summary_of_it_or_is_reported_as_dropped(
    config_name: str, name: str
) -> None:
    run = run_of(name, config_name)
    asked = {one.index for request in run.requests for one in request.behind}
    for plan in _sampled(run.result.plans):
        for fate in run.result.fates(plan):
            if fate.state is State.SUMMARISED:
                assert fate.index in asked
                assert fate.receipt is not None
                assert fate.receipt.version
            elif fate.state is State.DROPPED:
                assert run.config.summarizer == "none" or plan.dropped
    if not any(plan.failure for plan in run.result.plans):
        new = [one.index for request in run.requests for one in request.new]
        assert len(new) == len(set(new))


@every_session
@every_config
def test_a_running_memory_sends_what_the_replay_shows_also_when_it_is_restored_half_way(
    config_name: str, name: str
) -> None:
    run = run_of(name, config_name)
    sampled = {plan.ordinal for plan in _sampled(run.result.plans)}

    async def go() -> None:
        manager = AgentMemoryManager(run.config, gauge=GAUGE)
        for plan in run.result.plans:
            if plan.ordinal == len(run.result.plans) // 2 and manager.state is not None:
                state = parse_state(manager.state.to_json())
                manager = AgentMemoryManager(run.config, state=state, gauge=GAUGE)
            sent = await manager.prepare_context_window(None, list(run.messages[: plan.at]))
            assert manager.report is not None
            assert manager.report.plan == plan
            assert not manager.report.is_restart
            if plan.ordinal in sampled:
                assert tuple(sent) == run.result.window(plan)

    asyncio.run(go())
