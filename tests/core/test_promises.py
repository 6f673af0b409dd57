"""The promises of a window, on generated sessions and configs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hypothesis import given

from memory_core.config import MemoryConfig
from memory_core.exchanges import repair
from memory_core.gauge import Gauge
from memory_core.messages import ChatMessage
from memory_core.plan import State
from memory_core.replay import replay
from memory_core.summarizing.request import SummaryRequest
from memory_core.window import sent_tokens
from tests.checks import broken_pairs
from tests.histories import configs, histories, well_formed

SESSIONS = histories()


CONFIGS = configs()


def _last_user(messages: Sequence[ChatMessage]) -> ChatMessage | None:
    return next((one for one in reversed(messages) if one.role == "user"), None)


@given(SESSIONS, CONFIGS)
def test_any_history_and_config_give_windows_with_one_question_per_call_at_most(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    asked: list[SummaryRequest] = []

    def summarise(request: SummaryRequest) -> str:
        asked.append(request)
        return request.behind[0].message.text[:30] if request.behind else ""

    result = replay(history, config, summarizer=summarise)
    assert len(asked) <= len(result.plans)
    for plan in result.plans:
        result.window(plan)


@given(SESSIONS, CONFIGS)
def test_the_tokens_of_the_states_are_those_of_the_window(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    result = replay(history, config)
    for plan in result.plans:
        tokens = sent_tokens(result.planner, plan)
        assert tokens[State.PRUNED] == plan.parts.pruned
        assert sum(tokens.values()) == plan.parts.kept + plan.parts.pruned
        assert not tokens[State.SUMMARISED]
        assert not tokens[State.DROPPED]


@given(SESSIONS, CONFIGS)
def test_a_call_is_never_parted_from_its_result(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    result = replay(history, config)
    for plan in result.plans:
        assert broken_pairs(result.window(plan)) == []


@given(SESSIONS, CONFIGS)
def test_the_anchor_stands_first_unchanged(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    result = replay(history, config)
    if not history or not history[0].is_system:
        assert result.planner.anchor is None
        return
    for plan in result.plans:
        if plan.at:
            assert result.window(plan)[0] == history[0]


@given(SESSIONS, CONFIGS)
def test_the_last_user_message_and_open_calls_are_there_word_for_word(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    result = replay(history, config)
    for plan in result.plans:
        window = result.window(plan)
        last = _last_user(history[: plan.at])
        if last is not None and config.provider_profile == "openai":
            assert last in window
        row = (
            result.planner.ledger.row_at(plan.exchanges - 1, plan.ordinal)
            if plan.exchanges
            else None
        )
        if row is not None and row.exchange.is_open:
            assert tuple(window[-len(row.exchange.entries) :]) == row.exchange.messages


@given(SESSIONS, CONFIGS)
def test_the_budget_holds_or_the_plan_says_so_and_the_total_is_the_sum_of_what_is_sent(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    gauge = Gauge(config)
    result = replay(history, config, gauge=gauge)
    for plan in result.plans:
        sent = sum(gauge.tokens(message) for message in result.window(plan))
        extra = config.fixed_overhead_tokens + config.reply_reserve
        assert plan.total == sent + extra
        assert plan.over_budget == (plan.total > config.max_token_budget)


@given(SESSIONS, CONFIGS)
def test_a_window_is_over_budget_only_where_nothing_more_may_leave(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    result = replay(history, config)
    for plan in result.plans:
        if plan.over_budget:
            ledger = result.planner.ledger
            rows = [ledger.row_at(at, plan.ordinal) for at in plan.positions()]
            if rows and rows[-1].exchange.messages[0].tool_calls:
                rows.pop()
            users = [at for at in range(plan.at) if history[at].role == "user"]
            free = [
                row for row in rows if not row.is_pinned and row.exchange.index not in users[-1:]
            ]
            assert free == []


@given(SESSIONS, CONFIGS)
def test_the_results_of_the_newest_calls_are_in_the_window(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    result = replay(history, config)
    for plan in result.plans:
        if plan.exchanges:
            newest = result.planner.ledger.row_at(plan.exchanges - 1, plan.ordinal).exchange
            if newest.messages[0].tool_calls:
                window = result.window(plan)[-len(newest.entries) :]
                assert [one.tool_call_id for one in window] == [
                    one.tool_call_id for one in newest.messages
                ]


@given(well_formed(), CONFIGS)
def test_a_well_formed_history_within_trigger_and_threshold_comes_back_equal(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    roomy = config.model_copy(
        update={
            "max_token_budget": 10**8,
            "tool_pruning_threshold": 10**6,
            "window_when": "trigger",
            "summary_trigger_ratio": 0.8,
            "provider_profile": "openai",
        }
    )
    result = replay(history, roomy)
    for plan in result.plans:
        assert list(result.window(plan)) == history[: plan.at]


@given(SESSIONS, CONFIGS)
def test_no_pruning_and_no_summary_makes_anything_longer(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    result = replay(history, config)
    for plan in result.plans:
        assert plan.summary is None or plan.summary.tokens <= config.summary_cap
    for receipt in result.planner.receipts:
        assert receipt.tokens_after < receipt.tokens_before
    for plan in result.plans:
        for fate in result.fates(plan):
            if fate.state is State.PRUNED:
                assert 0 < fate.sent_tokens < fate.tokens
        repaired = repair(history[: plan.at])
        characters = sum(len(one.text) for one in result.window(plan) if one.role != "system")
        assert characters <= sum(len(one.text) for one in repaired) + 200


@given(SESSIONS, CONFIGS)
def test_the_same_input_gives_the_same_bytes(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    first, second = replay(history, config), replay(history, config)
    assert first.plans == second.plans
    assert [first.window(plan) for plan in first.plans] == [
        second.window(plan) for plan in second.plans
    ]


@given(SESSIONS)
def test_repairing_twice_is_repairing_once(history: list[ChatMessage]) -> None:
    once = repair(history)
    assert repair(once) == once


@given(SESSIONS, CONFIGS)
def test_kept_messages_are_input_messages_in_order(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    result = replay(history, config)
    for plan in result.plans:
        fates = result.fates(plan)
        assert [fate.index for fate in fates] == list(range(plan.at))
        counted = Counter(fate.state.value for fate in fates)
        assert Counter(result.report(plan).states()) == counted
        positions = list(plan.positions())
        assert positions == sorted(set(positions))
        allowed = set(range(plan.exchanges))
        assert set(positions) <= allowed
        unchanged = [
            history[fate.index] for fate in fates if fate.state is State.KEPT and not fate.fault
        ]
        window = list(result.window(plan))
        if config.provider_profile == "openai":
            assert all(message in window for message in unchanged)
