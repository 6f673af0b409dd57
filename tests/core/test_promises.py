"""The promises of a window, on generated sessions and configs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.config import MemoryConfig
from memory_core.exchanges import Fault, repair
from memory_core.gauge import Gauge
from memory_core.manager import compress
from memory_core.messages import ChatMessage
from memory_core.plan import Plan, State
from memory_core.replay import replay
from memory_core.summarizing import HEADING
from memory_core.summarizing.request import SummaryRequest
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


@given(SESSIONS, CONFIGS)
def test_a_message_leaves_only_with_a_summary_of_it_or_is_reported_as_dropped(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    asked: list[SummaryRequest] = []

    def summarise(request: SummaryRequest) -> str:
        asked.append(request)
        return "" if len(asked) % 3 == 0 else "short"

    result = replay(history, config, summarizer=summarise)
    questioned = [plan for plan in result.plans if plan.failure or _is_summarised(plan)]
    requests = dict(zip([plan.ordinal for plan in questioned], asked, strict=True))
    for plan in result.plans:
        window = set(plan.positions())
        for fate in result.fates(plan):
            if fate.state is State.SUMMARISED:
                assert fate.receipt is not None
                assert fate.index in [one.index for one in requests[fate.receipt.ordinal].new]
            elif fate.state is State.DROPPED:
                assert fate.position not in window
            elif fate.position >= 0:
                assert fate.position in window


def _is_summarised(plan: Plan) -> bool:
    return plan.receipt is not None and plan.receipt.version > 0


@given(SESSIONS, CONFIGS)
def test_a_folding_model_is_sent_each_message_once(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    asked: list[SummaryRequest] = []

    def fold(request: SummaryRequest) -> str:
        asked.append(request)
        return "s"

    result = replay(history, config, summarizer=fold)
    questioned = [plan for plan in result.plans if plan.failure or _is_summarised(plan)]
    accepted = [
        request for plan, request in zip(questioned, asked, strict=True) if _is_summarised(plan)
    ]
    sent = [one.index for request in accepted for one in request.new]
    assert len(sent) == len(set(sent))
    for before, after in pairwise(accepted):
        assert {one.index for one in before.behind} < {one.index for one in after.behind}
        assert after.previous == "s"


@given(SESSIONS, CONFIGS, st.sampled_from(["raise", "empty", "longer"]))
def test_a_useless_summariser_loses_nothing_and_is_not_asked_for_ever(
    history: list[ChatMessage], config: MemoryConfig, how: str
) -> None:
    calls = 0

    def summarise(request: SummaryRequest) -> str:
        nonlocal calls
        calls += 1
        if how == "raise":
            raise RuntimeError("upstream 429")
        text = "\n".join(one.message.text for one in request.behind) or "x"
        return "" if how == "empty" else text * 50 + "x" * 400_000

    result = replay(history, config, summarizer=summarise)
    if how == "empty":
        assert calls <= 2
    assert calls <= len(result.plans)
    for plan in result.plans:
        assert "upstream 429" not in "".join(one.text for one in result.window(plan))
        if how != "longer":
            assert plan.summary is None
        states = {fate.state for fate in result.fates(plan)}
        if config.summarizer != "none" and how != "longer":
            assert State.SUMMARISED not in states


@given(SESSIONS, CONFIGS)
def test_a_compaction_at_once_keeps_the_promises_too(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    report = compress(history, config)
    assert broken_pairs(report.messages) == []
    assert report.over_budget == (report.total_tokens > config.max_token_budget)
    assert len(report.message_tokens) == len(history)


@given(SESSIONS, CONFIGS)
def test_a_strict_provider_gets_one_system_message_and_hears_the_user_first(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    strict = config.model_copy(update={"provider_profile": "strict"})
    result = replay(history, strict)
    for plan in result.plans:
        window = list(result.window(plan))
        systems = [message for message in window if message.is_system]
        assert len(systems) <= 1
        spoken = window[len(systems) :]
        assert not spoken or spoken[0].role == "user"
        for message in spoken:
            has_image = any(part.is_image for part in message.parts)
            assert message.text.strip() or message.tool_calls or has_image


def test_the_summary_message_starts_with_the_articles_heading() -> None:
    history = [ChatMessage(role="user", content=f"note {n}: " + "words " * 60) for n in range(40)]
    config = MemoryConfig.model_validate({"max_token_budget": 800})
    window = compress(history, config).messages
    assert window[0].text.startswith(HEADING)


@pytest.mark.parametrize("profile", ["openai", "strict"])
def test_a_pending_call_at_the_end_stays_without_a_placeholder(profile: str) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    history = [
        ChatMessage(role="user", content="go"),
        ChatMessage.model_validate({"role": "assistant", "content": None, "tool_calls": [call]}),
    ]
    config = MemoryConfig.model_validate({"max_token_budget": 50, "provider_profile": profile})
    report = compress(history, config)
    assert report.messages[-1] == history[-1]
    assert all(repair_.fault is not Fault.MISSING_RESULT for repair_ in report.repairs)
