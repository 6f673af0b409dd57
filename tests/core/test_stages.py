"""The stages of a call point lead from the recorded history to the request, number by number."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given

from memory_core.config import MemoryConfig
from memory_core.exchanges import Fault
from memory_core.messages import ChatMessage
from memory_core.plan import Cause, Plan
from memory_core.replay import Replay, replay
from memory_core.sessions import load_file
from memory_core.stages import Stage, StageName, remark, stages
from tests.histories import configs, histories
from tests.saying import assistant, calling, result, user
from tests.setup.folders import ROOT

MAY_GROW = {
    StageName.REPAIRED,
    StageName.COUNTED,
    StageName.SUMMARISED,
    StageName.ASSEMBLED,
}


def sample(name: str) -> Sequence[ChatMessage]:
    return load_file(ROOT / "sample_sessions" / f"{name}.json").sessions[0].messages


def by_name(found: Replay, plan: Plan) -> dict[StageName, Stage]:
    return {stage.name: stage for stage in stages(found, plan)}


def own_prunings(found: Replay, plan: Plan) -> bool:
    """Whether the budget shortened anything at this very call."""
    return any(
        one.ordinal == plan.ordinal and one.cause is Cause.BUDGET
        for one in found.planner.ledger.prunings.values()
    )


@given(histories(), configs())
def test_the_stages_begin_at_the_recorded_history_and_end_at_the_request(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    found = replay(history, config)
    for plan in found.plans:
        named = by_name(found, plan)
        assert list(named) == list(StageName)
        recorded, assembled = named[StageName.RECORDED], named[StageName.ASSEMBLED]
        assert recorded.messages == plan.at
        assert recorded.tokens == sum(found.planner.gauge.tokens(one) for one in history[: plan.at])
        assert assembled.tokens == plan.parts.sent
        assert assembled.messages == len(found.window(plan))


@given(histories(), configs())
def test_what_is_called_raw_is_the_repaired_history_and_the_overhead(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    assert "raw" not in list(StageName)
    found = replay(history, config)
    for plan in found.plans:
        repaired = by_name(found, plan)[StageName.REPAIRED].tokens
        assert plan.raw_tokens == repaired + config.fixed_overhead_tokens


@given(histories(), configs())
def test_only_some_steps_may_add_anything(history: list[ChatMessage], config: MemoryConfig) -> None:
    found = replay(history, config)
    for plan in found.plans:
        steps = stages(found, plan)
        for before, after in pairwise(steps):
            if after.name not in MAY_GROW:
                assert after.tokens <= before.tokens, after.name
                assert after.messages <= before.messages, after.name


@given(histories(), configs())
def test_the_repaired_view_is_shown_with_and_without_what_was_shortened(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    found = replay(history, config)
    anchor = found.planner.gauge.tokens(found.planner.anchor) if found.planner.anchor else 0
    for plan in found.plans:
        named, ledger = by_name(found, plan), found.planner.ledger
        rows = [ledger.row_at(at, plan.ordinal) for at in range(plan.exchanges)]
        sent = [ledger.entries_at(at, plan.ordinal) for at in range(plan.exchanges)]
        repaired = named[StageName.REPAIRED]
        assert repaired.tokens == anchor + sum(sum(row.tokens) for row in rows)
        assert repaired.messages == bool(found.planner.anchor) + sum(len(row) for row in sent)
        if not own_prunings(found, plan):
            short = anchor + sum(one.tokens for row in sent for one in row)
            assert named[StageName.PRUNED].tokens == short


@given(histories(), configs())
def test_counted_is_the_total_that_the_planner_compares_with_the_trigger(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    found = replay(history, config)
    for plan in found.plans:
        named = by_name(found, plan)
        counted, summarised = named[StageName.COUNTED], named[StageName.SUMMARISED]
        if plan.receipt:
            assert counted.tokens == plan.receipt.total_before
        else:
            assert summarised.tokens == counted.tokens
            assert summarised.messages == counted.messages
        if plan.receipt and plan.receipt.cause is Cause.TRIGGER:
            assert counted.note["over"] > 0
        if not plan.mark and config.provider_profile == "openai":
            added = plan.parts.overhead + plan.parts.reserve
            assert named[StageName.PRUNED].tokens == summarised.tokens - added


@given(histories(), configs())
def test_where_the_budget_needs_nothing_the_window_is_as_it_was_after_the_summary(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    found = replay(history, config)
    for plan in found.plans:
        named = by_name(found, plan)
        summarised, windowed = named[StageName.SUMMARISED], named[StageName.WINDOWED]
        if not plan.dropped and not own_prunings(found, plan):
            assert windowed.tokens == summarised.tokens == plan.total
            assert windowed.messages == summarised.messages
        assert (windowed.note["over"] > 0) == plan.over_budget
        assert (windowed.note["dropped"] > 0) == bool(plan.dropped)


REMARKS: list[tuple[StageName, dict[str, int], str]] = [
    (StageName.RECORDED, {}, "As it stands in the file."),
    (
        StageName.REPAIRED,
        {"repairs": 3, "placeholders": 1},
        "Repairs so far: 3, placeholders among them: 1.",
    ),
    (StageName.REPAIRED, {"repairs": 0, "placeholders": 0}, "Nothing had to be repaired."),
    (
        StageName.PRUNED,
        {"outputs": 2, "here": 1, "saved": 1_200},
        "Outputs short: 2, since this call: 1; tokens saved: 1,200.",
    ),
    (StageName.PRUNED, {"outputs": 0, "here": 0, "saved": 0}, "No output is short."),
    (
        StageName.COUNTED,
        {"trigger": 3_200, "over": 40, "left": 5, "added": 1},
        "Tokens above the trigger of 3,200: 40. Messages that left at earlier calls: 5; sent in "
        "their place: 1.",
    ),
    (
        StageName.COUNTED,
        {"trigger": 3_200, "over": 0, "left": 5, "added": 1},
        "Not above the trigger of 3,200. Messages that left at earlier calls: 5; sent in their "
        "place: 1.",
    ),
    (
        StageName.SUMMARISED,
        {"left": 12, "before": 2_000, "after": 300, "version": 1},
        "Messages that leave here: 12; 2,000 tokens become 300.",
    ),
    (
        StageName.SUMMARISED,
        {"left": 0, "before": 0, "after": 0, "version": 0},
        "Nothing leaves at this call.",
    ),
    (
        StageName.WINDOWED,
        {"budget": 4_000, "over": 7, "dropped": 2, "outputs": 1},
        "Tokens over the budget of 4,000: 7; messages dropped: 2, outputs shortened: 1.",
    ),
    (
        StageName.WINDOWED,
        {"budget": 4_000, "over": 0, "dropped": 2, "outputs": 1},
        "Within the budget of 4,000; messages dropped for it: 2, outputs shortened: 1.",
    ),
    (
        StageName.ASSEMBLED,
        {"reserve": 0, "opening": 0, "cached": 1_500},
        "1,500 tokens from its start on are those of the call before.",
    ),
    (
        StageName.ASSEMBLED,
        {"reserve": 0, "opening": 0, "cached": 0},
        "It starts unlike the call before.",
    ),
]


@pytest.mark.parametrize(("name", "note", "sentence"), REMARKS)
def test_a_stage_says_in_words_what_it_did(
    name: StageName, note: dict[str, int], sentence: str
) -> None:
    assert remark(Stage(name, 0, 0, None, note)) == sentence


def test_the_numbers_of_a_remark_are_those_of_its_stage() -> None:
    found = replay(sample("coding_agent"), MemoryConfig())
    notes = {name: set(stage.note) for name, stage in by_name(found, found.plans[-1]).items()}
    assert all(set(note) == notes[name] for name, note, _sentence in REMARKS)
    assert set(notes) == {name for name, _note, _sentence in REMARKS}


@pytest.mark.parametrize("name", ["broken", "coding_agent", "customer_service_ko"])
def test_of_the_samples_every_call_tells_what_its_receipt_and_repairs_tell(name: str) -> None:
    found = replay(sample(name), MemoryConfig(max_token_budget=500, sliding_window_size=4))
    assert any(plan.receipt for plan in found.plans)
    for plan in found.plans:
        named = by_name(found, plan)
        note = named[StageName.SUMMARISED].note
        assert note["left"] == (plan.receipt.messages if plan.receipt else 0)
        assert named[StageName.REPAIRED].note["repairs"] == plan.repairs
        made_up = [one.fault for one in found.planner.ledger.pairing.repairs[: plan.repairs]]
        placeholders = made_up.count(Fault.MISSING_RESULT)
        grown = named[StageName.REPAIRED].messages - named[StageName.RECORDED].messages
        assert grown == placeholders


@pytest.mark.parametrize("earlier", [0, 12])
def test_an_output_shortened_only_for_the_budget_is_whole_until_the_window(earlier: int) -> None:
    history = [user("go " * 20)] * earlier
    history += [user("look"), calling("a"), result("a", "line of the file\n" * 200)]
    found = replay(history, MemoryConfig(max_token_budget=300, summarizer="none"))
    plan = found.plans[-1]
    named = by_name(found, plan)
    assert (plan.receipt is not None) == bool(earlier)
    assert named[StageName.PRUNED].tokens == named[StageName.REPAIRED].tokens
    assert named[StageName.PRUNED].note["outputs"] == 0
    if not earlier:
        assert named[StageName.COUNTED].tokens == named[StageName.PRUNED].tokens
    saved = sum(one.before - one.after for one in found.planner.ledger.prunings.values())
    summarised, windowed = named[StageName.SUMMARISED], named[StageName.WINDOWED]
    assert windowed.note["outputs"] == 1
    assert summarised.tokens - windowed.tokens == saved > 500


def test_an_opening_line_that_only_dropping_made_necessary_comes_last() -> None:
    history = [user("go"), assistant("word " * 30), user("last")]
    config = MemoryConfig(max_token_budget=40, provider_profile="strict", pins=(1,))
    found = replay(history, config)
    named = by_name(found, found.plans[-1])
    windowed, assembled = named[StageName.WINDOWED], named[StageName.ASSEMBLED]
    assert found.plans[-1].dropped == (0,)
    assert assembled.messages == windowed.messages + 1
    assert assembled.tokens == windowed.tokens + assembled.note["opening"] > windowed.tokens
    assert windowed.tokens < named[StageName.SUMMARISED].tokens


def test_a_clock_gives_every_step_its_time() -> None:
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += 0.5
        return now

    history = sample("coding_agent")
    found = replay(history, MemoryConfig(), clock=clock)
    times = [stage.milliseconds for stage in stages(found, found.plans[-1], clock=clock)]
    assert times == [None, 500, 500, 500, 500, 500, 500]
    silent = replay(history, MemoryConfig())
    assert {stage.milliseconds for stage in stages(silent, silent.plans[-1])} == {None}
