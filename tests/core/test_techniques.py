"""What each technique saves is measured by the planner itself, and adds up."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings

from memory_core.config import MemoryConfig
from memory_core.errors import EndpointError
from memory_core.messages import ChatMessage
from memory_core.plan import State
from memory_core.prompt import Prompt, UntilFailure
from memory_core.replay import replay
from memory_core.sessions import load_file
from memory_core.summarizing.folding import FoldingSummarizer
from memory_core.techniques import Balance, Technique, balance, without
from memory_core.window import state_counts
from tests.histories import configs, histories
from tests.setup.folders import ROOT

PRUNING, WINDOW, SUMMARY = Technique


def sample(name: str) -> Sequence[ChatMessage]:
    return load_file(ROOT / "sample_sessions" / f"{name}.json").sessions[0].messages


def saved(found: Balance) -> dict[Technique, tuple[int, int]]:
    return {one.technique: (one.alone, one.added) for one in found.savings}


@settings(max_examples=30)
@given(histories(), configs())
def test_the_balance_is_made_of_the_planners_own_sums(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    found, full = balance(history, config), replay(history, config)
    assert found.calls == len(full.plans)
    assert found.sent.tokens == sum(plan.parts.sent for plan in full.plans)
    assert found.sent.over_budget == sum(plan.over_budget for plan in full.plans)
    assert found.whole.tokens == sum(
        plan.raw_tokens + plan.parts.opening
        for plan in replay(history, without(config, *Technique)).plans
    )
    for one in found.savings:
        assert one.added == one.others.tokens - found.sent.tokens
    pruning, window, _summary = found.savings
    assert pruning.alone == found.whole.tokens - pruning.only.tokens
    assert window.alone == found.whole.tokens - window.only.tokens
    assert pruning.only == window.others


@settings(max_examples=30)
@given(histories(), configs())
def test_without_a_window_nothing_ever_leaves_and_pruning_is_as_it_was(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    whole = replay(history, without(config, *Technique))
    pruned = replay(history, without(config, WINDOW))
    for plan, other in zip(pruned.plans, whole.plans, strict=True):
        assert (plan.mark, plan.drop_end, plan.summary) == (0, 0, None)
        assert (other.mark, other.parts.pruned) == (0, 0)
        states = state_counts(pruned.planner, plan)
        assert not states[State.SUMMARISED] and not states[State.DROPPED]  # noqa: PT018
    if config.prune_when != "trigger" or not pruned.planner.ledger.prunings:
        return
    first = min(one.ordinal for one in pruned.planner.ledger.prunings.values())
    assert all(plan.total <= config.trigger_tokens for plan in whole.plans[:first])


@settings(max_examples=30)
@given(histories(), configs())
def test_a_technique_that_is_off_saves_nothing(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    off = config.model_copy(update={"prune_when": "never", "summarizer": "none"})
    found = balance(history, off)
    assert saved(found)[PRUNING] == saved(found)[SUMMARY] == (0, 0)
    assert found.represented == 0


@pytest.mark.parametrize(
    ("name", "budget", "leading"),
    [("coding_agent", 8_000, PRUNING), ("customer_service_ko", 2_000, WINDOW)],
)
def test_pruning_saves_where_outputs_are_large_and_the_window_where_none_is(
    name: str, budget: int, leading: Technique
) -> None:
    found = balance(sample(name), MemoryConfig(max_token_budget=budget))
    of = saved(found)
    if leading is PRUNING:
        assert of[PRUNING][0] > found.whole.tokens // 2
    else:
        assert of[PRUNING][0] < of[WINDOW][0]
    assert found.whole.over_budget > found.sent.over_budget == 0


def test_the_summary_costs_tokens_and_stands_for_messages() -> None:
    config = MemoryConfig()
    found, full = balance(sample("coding_agent"), config), replay(sample("coding_agent"), config)
    alone, added = saved(found)[SUMMARY]
    assert alone < 0
    assert added < 0
    assert found.represented == state_counts(full.planner, full.plans[-1])[State.SUMMARISED] > 100


def test_with_nothing_switched_on_the_budget_is_that_of_the_config_still() -> None:
    config = MemoryConfig()
    found, raw = balance(sample("coding_agent"), config), replay(sample("coding_agent"), config)
    over = sum(plan.raw_tokens > config.max_token_budget for plan in raw.plans)
    assert found.whole.over_budget == over > 0


def test_pruning_that_waits_for_the_trigger_is_no_more_than_pruning_at_once() -> None:
    at_once = balance(sample("coding_agent"), MemoryConfig())
    waiting = balance(sample("coding_agent"), MemoryConfig(prune_when="trigger"))
    assert 0 < saved(waiting)[PRUNING][0] <= saved(at_once)[PRUNING][0]


def test_progress_runs_once_through_all_replays_and_a_known_one_is_not_made_again() -> None:
    history, config = sample("broken"), MemoryConfig()
    told: list[tuple[int, int]] = []
    found = balance(history, config, progress=lambda done, total: told.append((done, total)))
    calls = found.calls
    assert told == [(done, 6 * calls) for done in range(1, 6 * calls + 1)]
    told.clear()
    known = replay(history, config)
    again = balance(
        history, config, known=known, progress=lambda done, total: told.append((done, total))
    )
    assert again == found
    assert len(told) == 5 * calls
    other = replay(history, MemoryConfig(max_token_budget=500))
    assert balance(history, config, known=other) == found


def test_a_failing_summary_is_counted_and_does_not_spoil_the_next_replay() -> None:
    made: list[UntilFailure] = []

    def asked(_prompt: Prompt) -> str:
        if len(made) == 1:
            raise EndpointError("down")
        return "- [#1] never touch the migrations"

    def new_summarizer() -> FoldingSummarizer:
        made.append(UntilFailure(asked))
        return FoldingSummarizer(made[-1], language="english")

    history = sample("coding_agent")
    config = MemoryConfig(max_token_budget=3_000, sliding_window_size=4, summarizer="model")
    alone = replay(history, config, summarizer=new_summarizer())
    found = balance(history, config, known=alone, new_summarizer=new_summarizer)
    assert found.failures == sum(plan.failure is not None for plan in alone.plans) > 0
    assert (found.reason, found.unsummarised) == ("down", 1)
    assert balance(history, config, new_summarizer=new_summarizer).failures == 0


def test_of_an_empty_session_everything_is_nothing() -> None:
    found = balance([], MemoryConfig())
    assert (found.calls, found.whole.tokens, found.percent(0)) == (0, 0, 0.0)
