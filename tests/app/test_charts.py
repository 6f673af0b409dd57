"""The charts show every event of a session and stay small."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memory_core.config import MemoryConfig
from memory_core.messages import ChatMessage
from memory_core.plan import Parts, State
from memory_core.replay import Replay, replay
from memory_core.sessions import load_file
from memory_core.stuck import repeated, unheard
from memory_core.window import sent_tokens
from pages.ui.figures import composition_chart, window_chart
from pages.ui.samples import FOLDER


def replayed(sample: str, config: MemoryConfig | None = None) -> Replay:
    session = load_file(FOLDER / f"{sample}.json").sessions[0]
    return replay(session.messages, config or MemoryConfig())


def drawn(figure: Any) -> Any:
    """The figure without its types: Plotly's are of the whole, not of what is in it."""
    return figure


def traces(found: Replay, at: int = -1) -> dict[str, Any]:
    figure = drawn(window_chart(found, shown=found.plans[at]))
    return {trace.name: trace for trace in figure.data}


def test_window_and_raw_history_stand_at_every_call() -> None:
    found = replayed("coding_agent")
    shown = traces(found)
    assert list(shown["sent"].x) == [plan.ordinal + 1 for plan in found.plans]
    assert list(shown["sent"].y) == [plan.parts.sent for plan in found.plans]
    assert list(shown["sent"].customdata) == [plan.at for plan in found.plans]
    assert list(shown["whole history"].y) == [plan.raw_tokens for plan in found.plans]


def test_what_is_kept_free_for_the_reply_is_not_sent_and_lowers_the_levels() -> None:
    found = replayed("coding_agent", MemoryConfig(reply_reserve=1000))
    shown = traces(found)
    assert list(shown["sent"].y) == [plan.total - 1000 for plan in found.plans]
    assert set(shown["budget less the reply"].y) == {3000}
    assert set(shown["trigger less the reply"].y) == {2200}


@pytest.mark.parametrize("calls", [1, 2, 3])
def test_a_session_of_few_calls_shows_its_levels_and_marks(calls: int) -> None:
    turn = [ChatMessage(role="user", content="안녕 " * 40), ChatMessage(role="assistant")]
    config = MemoryConfig(max_token_budget=20, sliding_window_size=0, summarizer="none")
    found = replay(turn * calls, config)
    figure = drawn(window_chart(found, shown=found.plans[-1]))
    shown = {trace.name: trace for trace in figure.data}
    assert list(shown["over budget"].x) == list(range(1, calls + 1))
    assert figure.layout.xaxis.dtick == 1
    for level in ("budget", "trigger"):
        assert list(shown[level].x) == [0.5, calls + 0.5]
        assert shown[level].y[0] <= figure.layout.yaxis.range[1]


STUCK = MemoryConfig(
    max_token_budget=300, sliding_window_size=0, window_when="every_call", summarizer="none"
)


def test_the_calls_with_the_same_request_as_before_are_marked_and_no_others() -> None:
    found = replayed("broken", STUCK)
    windows = [found.window(plan) for plan in found.plans]
    same = [at + 1 for at in range(1, len(windows)) if windows[at] == windows[at - 1]]
    assert same
    assert [plan.ordinal + 1 for plan in repeated(found.plans)] == same
    assert list(traces(found)["same request as before"].x) == same


def test_a_request_that_is_only_the_start_of_the_one_before_is_not_the_same() -> None:
    first = replay([ChatMessage(role="user", content="q")], MemoryConfig()).plans[0]
    before = replace(first, parts=Parts(kept=50))
    shorter = replace(first, parts=Parts(kept=40), cached_prefix_tokens=40)
    assert repeated([before, shorter]) == []


def test_the_calls_whose_newest_messages_are_not_sent_are_marked_and_no_others() -> None:
    found = replayed("broken", STUCK)
    unsent = [
        plan.ordinal + 1
        for plan in found.plans
        for newest in [max(found.fates(plan), key=lambda fate: fate.position)]
        if newest.position >= 0 and not newest.sent_tokens
    ]
    assert unsent
    assert [plan.ordinal + 1 for plan in unheard(found.plans)] == unsent
    assert list(traces(found)["newest messages not sent"].x) == unsent


def test_compactions_repairs_and_broken_budgets_are_marked_at_their_calls() -> None:
    config = MemoryConfig(max_token_budget=300, sliding_window_size=2)
    found = replayed("broken", config)
    shown = traces(found)
    repairs = [0, *(plan.repairs for plan in found.plans)]
    expected = {
        "compaction": [plan.ordinal + 1 for plan in found.plans if plan.receipt],
        "repair": [
            plan.ordinal + 1
            for plan, before in zip(found.plans, repairs, strict=False)
            if plan.repairs > before
        ],
        "over budget": [plan.ordinal + 1 for plan in found.plans if plan.over_budget],
    }
    assert expected["compaction"]
    assert expected["repair"]
    assert {name: list(shown[name].x) for name in expected if name in shown} == {
        name: calls for name, calls in expected.items() if calls
    }


@pytest.mark.parametrize("at", [0, 1, -1])
def test_the_chosen_call_is_marked(at: int) -> None:
    found = replayed("broken")
    figure = drawn(window_chart(found, shown=found.plans[at]))
    assert [shape.x0 for shape in figure.layout.shapes] == [found.plans[at].ordinal + 1]


def test_a_chart_has_at_most_2000_points_and_no_session_text() -> None:
    messages = [
        ChatMessage(role=role, content=f"secret {role} {n}")
        for n in range(4000)
        for role in ("user", "assistant")
    ]
    config = MemoryConfig(max_token_budget=200, sliding_window_size=4, summarizer="none")
    found = replay(messages, config)
    figure = drawn(window_chart(found, shown=found.plans[1234]))
    assert sum(len(trace.x) for trace in figure.data) <= 2000
    assert 1235 in next(trace.x for trace in figure.data if trace.name == "sent")
    assert "secret" not in figure.to_json()


def test_the_bar_adds_up_to_the_window_and_what_is_free_of_the_budget() -> None:
    found = replayed("coding_agent")
    for plan in found.plans:
        tokens = sent_tokens(found.planner, plan)
        figure = drawn(composition_chart(plan, found.config, tokens))
        shown = sum(int(bar.x[0]) for bar in figure.data)
        assert shown == max(plan.total, found.config.max_token_budget)


def test_the_bar_has_pins_and_repairs_as_themselves_and_marks_the_budget_where_it_is_over() -> None:
    found = replayed("broken", MemoryConfig(max_token_budget=80, pins=(1,)))
    plan = found.plans[7]
    tokens = sent_tokens(found.planner, plan)
    figure = drawn(composition_chart(plan, found.config, tokens))
    shown = {bar.name.split()[0]: int(bar.x[0]) for bar in figure.data}
    by_fate = dict.fromkeys(("kept", "pinned"), 0)
    for fate in found.fates(plan):
        if fate.state.value in by_fate and fate.position >= 0:
            by_fate[fate.state.value] += fate.sent_tokens
    assert shown["pinned"] == by_fate["pinned"] > 0
    assert shown.get("kept", 0) == by_fate["kept"]
    assert shown["repaired"] == tokens[State.REPAIRED] > 0
    assert plan.total > 80
    assert [shape.x0 for shape in figure.layout.shapes] == [80]
    assert figure.layout.xaxis.range[1] > plan.total
