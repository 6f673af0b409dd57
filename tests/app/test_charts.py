"""The charts show every event of a session and stay small."""

from __future__ import annotations

from typing import Any

import pytest

from memory_core.config import MemoryConfig
from memory_core.messages import ChatMessage
from memory_core.replay import Replay, replay
from memory_core.sessions import load_file
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
    assert list(shown["window"].x) == [plan.ordinal + 1 for plan in found.plans]
    assert list(shown["window"].y) == [plan.total for plan in found.plans]
    assert list(shown["raw history"].y) == [plan.raw_tokens for plan in found.plans]


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
    assert 1235 in next(trace.x for trace in figure.data if trace.name == "window")
    assert "secret" not in figure.to_json()


def test_the_bar_adds_up_to_the_window_and_what_is_free_of_the_budget() -> None:
    found = replayed("coding_agent")
    for plan in found.plans:
        figure = drawn(composition_chart(plan, found.config))
        shown = sum(int(bar.x[0]) for bar in figure.data)
        assert shown == max(plan.total, found.config.max_token_budget)
