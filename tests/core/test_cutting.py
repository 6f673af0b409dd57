"""Where a window is cut: the newest N, the trigger, the target, and what is held."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.config import MemoryConfig
from memory_core.gauge import Gauge
from memory_core.messages import ChatMessage
from memory_core.plan import Cause, State
from memory_core.replay import replay
from tests.histories import histories
from tests.saying import (
    assistant,
    calling,
    once,
    result,
    sent,
    settings,
    system,
    talk,
    user,
    words,
)

OVER = {"max_token_budget": 1000, "summary_trigger_ratio": 0.1, "summarizer": "none"}
"""A trigger of 100 tokens in a budget that never presses."""


@pytest.mark.parametrize("size", [1, 2, 3, 7, 10, 19])
def test_above_the_trigger_the_newest_n_messages_stay(size: int) -> None:
    report = once(talk(10), sliding_window_size=size, **OVER)
    newest = list(range(20 - size, 20))
    assert sent(report) == (newest if size > 1 else [18, 19])


def test_a_window_wider_than_the_history_keeps_everything() -> None:
    assert sent(once(talk(10), sliding_window_size=21, **OVER)) == list(range(20))


def test_an_exchange_that_holds_the_nth_newest_message_stays_whole() -> None:
    history = [*talk(10), calling("a", "b", "c"), *(result(one) for one in "abc"), user("and?")]
    assert sent(once(history, sliding_window_size=2, **OVER)) == [20, 21, 22, 23, 24]


def test_system_messages_in_between_are_not_counted_by_the_window() -> None:
    history = [*talk(10), system("be brief"), user("and?"), system("be kind"), assistant("yes")]
    assert sent(once(history, sliding_window_size=2, **OVER)) == [21, 22, 23]
    assert sent(once(history, sliding_window_size=3, **OVER)) == [19, 20, 21, 22, 23]


def test_a_placeholder_result_is_not_counted_by_the_window() -> None:
    history = [*talk(10), calling("a", "b"), result("a"), user("never mind"), assistant("ok")]
    assert sent(once(history, sliding_window_size=5, **OVER)) == [19, 20, 21, 22, 23]


def test_a_window_of_zero_keeps_the_last_user_message() -> None:
    assert sent(once(talk(10), sliding_window_size=0, **OVER)) == [18]


def test_a_window_of_zero_keeps_open_calls_word_for_word() -> None:
    history = [*talk(10), calling("a", "b"), result("a", "half " * 200)]
    report = once(history, sliding_window_size=0, **OVER)
    assert sent(report) == [18, 20, 21]
    assert list(report.messages) == [history[18], history[20], history[21]]


def test_nothing_leaves_at_the_trigger_and_something_above_it() -> None:
    fields = {"max_token_budget": 280, "summary_trigger_ratio": 0.5, "summarizer": "none"}
    at = once(talk(5), sliding_window_size=2, **fields)
    assert (at.total_tokens, len(sent(at))) == (140, 10)
    assert sent(once([*talk(5), user("")], sliding_window_size=2, **fields)) == [9, 10]


def test_the_trigger_is_a_whole_number_of_tokens_rounded_down() -> None:
    history = talk(5)
    fields = {"sliding_window_size": 2, "summarizer": "none", "summary_trigger_ratio": 0.8}
    assert settings(max_token_budget=176).trigger_tokens == 140
    assert len(sent(once(history, max_token_budget=176, **fields))) == 10
    assert len(sent(once(history, max_token_budget=174, **fields))) == 2


@pytest.mark.parametrize("part", ["fixed_overhead_tokens", "reply_reserve"])
def test_overhead_and_reserve_are_parts_of_the_total_that_meets_the_trigger(part: str) -> None:
    fields = {"max_token_budget": 200, "sliding_window_size": 2, "summarizer": "none"}
    silent = once(talk(5), summary_trigger_ratio=0.7, **fields)
    assert (silent.total_tokens, len(sent(silent))) == (140, 10)
    report = once(talk(5), summary_trigger_ratio=0.7, **fields, **{part: 1})
    assert (report.total_tokens, sent(report)) == (2 * 14 + 1, [8, 9])
    parts = report.plan.parts
    assert (parts.overhead, parts.reserve) == ((1, 0) if part.startswith("fixed") else (0, 1))


def test_at_every_call_old_messages_leave_below_the_trigger_too() -> None:
    fields = {"max_token_budget": 10**6, "sliding_window_size": 4, "summarizer": "none"}
    report = once(talk(5), window_when="every_call", **fields)
    assert sent(report) == [6, 7, 8, 9]
    assert report.receipt is not None
    assert report.receipt.cause is Cause.EVERY_CALL
    assert len(sent(once(talk(5), **fields))) == 10


def test_never_windowing_lets_leave_only_what_the_trigger_asks_for() -> None:
    report = once(talk(10), window_when="never", sliding_window_size=2, **OVER)
    assert sent(report) == list(range(13, 20))
    assert report.total_tokens == 7 * 14


def test_a_target_keeps_as_much_as_fits_it() -> None:
    fields = {**OVER, "summary_trigger_ratio": 0.2, "sliding_window_size": 2}
    report = once(talk(10), target_ratio=0.15, **fields)
    assert (report.total_tokens, len(sent(report))) == (140, 10)


def test_a_target_reserves_room_for_the_whole_summary_cap() -> None:
    fields = {**OVER, "summarizer": "extractive", "max_summary_tokens": 60}
    report = once(talk(10), lambda _: "short", target_ratio=0.2, sliding_window_size=2, **fields)
    assert len(sent(report)) == (200 - 60) // 14
    report = once(talk(10), lambda _: "short", target_ratio=0.2795, **fields)
    assert len(sent(report)) == (279 - 60) // 14


def test_a_target_never_cuts_inside_the_newest_n() -> None:
    report = once(talk(10), target_ratio=0.01, sliding_window_size=6, **OVER)
    assert sent(report) == list(range(14, 20))


@given(histories(), st.integers(0, 12), st.sampled_from([0.2, 0.5]))
def test_any_target_keeps_at_least_what_the_plain_window_keeps(
    history: list[ChatMessage], size: int, target: float
) -> None:
    fields = {"max_token_budget": 10**4, "summary_trigger_ratio": 0.01, "summarizer": "none"}
    plain = once(history, sliding_window_size=size, **fields)
    aimed = once(history, sliding_window_size=size, target_ratio=target, **fields)
    assert set(sent(plain)) <= set(sent(aimed))


def test_a_summary_cap_is_a_quarter_of_the_budget_or_clamped_to_half_of_it() -> None:
    caps = [
        settings(max_token_budget=1001, max_summary_tokens=cap).summary_cap
        for cap in (None, 7, 500, 501, 10**9)
    ]
    assert caps == [250, 7, 500, 500, 500]


def test_the_last_user_message_is_held_before_the_cut_and_leaves_when_a_newer_one_comes() -> None:
    history = [user("the goal")]
    for number in range(12):
        history += [calling(f"c{number}"), result(f"c{number}", "step " * 20)]
    config = settings(sliding_window_size=4, **OVER)
    longer = [*history, assistant("done"), user("next"), assistant("ok")]
    run = replay(longer, config, gauge=Gauge(config, count=words))
    before, after = run.plan_at(25), run.plan_at(27)
    assert before.mark > 0
    assert run.window(before)[0] == history[0]
    assert run.fates(before)[0].is_held
    assert history[0] not in run.window(after)
    assert run.fates(after)[0].state is State.DROPPED


def test_a_held_message_is_given_to_the_summariser_too() -> None:
    history = [user("the goal")]
    for number in range(12):
        history += [calling(f"c{number}"), result(f"c{number}", "step " * 20)]
    seen: list[str] = []
    fields = {**OVER, "summarizer": "extractive", "sliding_window_size": 4}
    report = once(
        history,
        lambda request: seen.append(request.new[0].message.text) or "in short",
        **fields,
    )
    assert seen == ["the goal"]
    assert history[0] in report.messages


def test_pins_stay_word_for_word_with_their_exchange_and_by_index_or_id() -> None:
    history = [*talk(3), calling("a", "b"), result("a", "x " * 300), result("b"), *talk(10)]
    history.insert(0, user("by id", id="m-1"))
    asked: list[int] = []
    fields = {**OVER, "summarizer": "extractive", "sliding_window_size": 2}
    report = once(
        history,
        lambda request: asked.extend(one.index for one in request.behind) or "in short",
        pins=["m-1", 8],
        **fields,
    )
    assert sent(report) == [0, 7, 8, 9, 28, 29]
    assert {report.fates[at].state for at in (0, 7, 8, 9)} == {State.PINNED}
    assert all(history[at] in report.messages for at in (0, 7, 8, 9))
    assert asked == [*range(1, 7), *range(10, 28)]


@pytest.mark.parametrize("pin", [999, "nobody"])
def test_a_pin_that_names_no_message_changes_nothing(pin: int | str) -> None:
    fields = {"sliding_window_size": 4, **OVER}
    assert once(talk(10), pins=[pin], **fields).messages == once(talk(10), **fields).messages


def test_a_budget_below_the_newest_n_moves_the_cut_so_that_a_summary_takes_them() -> None:
    report = once(talk(10), lambda _: "short", max_token_budget=100, sliding_window_size=10)
    assert report.total_tokens <= 100
    assert report.receipt is not None
    assert report.receipt.cause is Cause.BUDGET
    assert report.states()["dropped"] == 0
    assert report.states()["summarised"] == 20 - len(sent(report)) > 10


def test_only_without_an_accepted_summary_messages_are_dropped() -> None:
    report = once(talk(10), lambda _: "", max_token_budget=100, sliding_window_size=10)
    assert report.total_tokens <= 100
    assert report.receipt is None
    assert report.plan.mark == 0
    assert report.states()["summarised"] == 0
    assert report.states()["dropped"] == 20 - len(sent(report)) > 0


def test_dropped_messages_come_back_as_soon_as_there_is_room_for_a_summary_of_them() -> None:
    answers = iter(["", "all of it"])
    config = settings(max_token_budget=100, sliding_window_size=10)
    run = replay(
        [*talk(10), user("and?")],
        config,
        summarizer=lambda _: next(answers, ""),
        gauge=Gauge(config, count=words),
    )
    failed = next(plan for plan in run.plans if plan.failure)
    summarised = run.plans[failed.ordinal + 1]
    assert failed.dropped
    dropped = {fate.index for fate in run.fates(failed) if fate.state is State.DROPPED}
    taken = {fate.index for fate in run.fates(summarised) if fate.state is State.SUMMARISED}
    assert dropped <= taken


def test_what_may_not_leave_is_sent_over_budget_with_a_flag() -> None:
    history = [system("rule " * 50), *talk(3), user("goal " * 100), calling("a")]
    report = once(history, max_token_budget=60, sliding_window_size=0, pins=[1])
    assert report.over_budget
    assert sent(report) == [0, 1, 7, 8]
    assert report.total_tokens == 54 + 14 + 104 + 9


def test_a_config_without_summariser_drops_with_a_receipt_and_writes_no_summary() -> None:
    config: MemoryConfig = settings(sliding_window_size=4, **OVER)
    run = replay(talk(10), config, gauge=Gauge(config, count=words))
    assert run.planner.receipts
    assert all(receipt.version == receipt.tokens_after == 0 for receipt in run.planner.receipts)
    assert all(plan.summary is None for plan in run.plans)
