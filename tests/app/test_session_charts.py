"""The charts of the session page hold every token once, stay small, and carry no session text."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from memory_core.audit import Audit, audit, verdicts
from memory_core.config import MemoryConfig
from memory_core.gauge import Gauge
from memory_core.languages import scripts_by_role
from memory_core.messages import ChatMessage
from memory_core.raw import RawTotals
from memory_core.replay import tape_of
from memory_core.sessions import load_file
from memory_core.sessions.session import Origin, Usage
from memory_core.totals import growth
from memory_core.usage import Comparison, compare_usage
from pages.ui.audit_figures import ratio_chart, shown_calls, trigger_chart
from pages.ui.samples import FOLDER
from pages.ui.session_figures import growth_chart, scripts_chart, spread, usage_chart
from tests.histories import histories
from tests.saying import assistant, calling, result, user

CONFIG = MemoryConfig()
GAUGE = Gauge(CONFIG)
HOSTILE = '<a href="javascript:alert(1)">click</a>'


def messages_of(sample: str) -> list[ChatMessage]:
    return list(load_file(FOLDER / f"{sample}.json").sessions[0].messages)


def audited(messages: list[ChatMessage]) -> Audit:
    return audit(messages, CONFIG, gauge=GAUGE, tape=tape_of(messages))


def traces(figure: Any) -> dict[str, Any]:
    return {trace.name: trace for trace in figure.data}


def points(figure: Any) -> int:
    return sum(len(trace.x) for trace in figure.data)


def used(*inputs: int) -> Comparison:
    raw = RawTotals(tuple(range(len(inputs))), np.arange(len(inputs), dtype=np.int64)[None, :])
    return compare_usage([Origin(usage=Usage(input_tokens=one)) for one in inputs], raw)


@given(histories())
def test_the_layers_together_are_the_session_at_every_message(messages: list[ChatMessage]) -> None:
    gauge = Gauge(MemoryConfig(model="chars / 4"))
    layers = list(traces(growth_chart(growth(messages, gauge))).values())
    assert bool(layers) == bool(messages)
    for place, index in enumerate(layers[0].x if layers else ()):
        until = sum(int(layer.y[place]) for layer in layers)
        assert until == sum(gauge.tokens(one) for one in messages[: index + 1])


def test_many_tools_are_drawn_together_and_their_names_are_no_markup() -> None:
    history = [user("go")]
    for number in range(30):
        history += [
            calling("c", names=[f"{HOSTILE}{number}"]),
            result("c", f"word {'x ' * number}"),
        ]
    figure: Any = growth_chart(growth(history, GAUGE))
    assert len(figure.data) <= 9
    assert "other tools and roles" in traces(figure)
    assert "<a" not in figure.to_json()


def test_the_shares_of_every_role_are_whole() -> None:
    found = scripts_by_role(messages_of("broken"), GAUGE)
    figure: Any = scripts_chart(found)
    for place, role in enumerate(figure.data[0].y):
        assert sum(bar.x[place] for bar in figure.data) == pytest.approx(100), role


def test_calls_where_an_estimate_is_late_are_marked_and_no_others() -> None:
    found = audited(messages_of("customer_service_ko"))
    shown = traces(trigger_chart(found, CONFIG))
    for verdict in verdicts(found, CONFIG):
        marked = shown[f"{verdict.estimator}: too late"]
        assert list(marked.x) == [call + 1 for call in verdict.late]
        assert all(tokens <= CONFIG.trigger_tokens for tokens in marked.y)
    assert not any("too early" in name for name in shown)
    assert set(shown["trigger"].y) == {CONFIG.trigger_tokens}
    assert list(shown["counted"].y) == found.raw.tokens[0].tolist()


def test_calls_beyond_the_trigger_are_drawn_only_so_far_as_they_help() -> None:
    turn = [user("word " * 40), assistant("word " * 40)]
    found = audited(turn * 500)
    end = shown_calls(found, CONFIG)
    assert end < 200
    over = found.raw.tokens[:, end // 2 :] > CONFIG.trigger_tokens
    assert over.all()
    assert shown_calls(found, MemoryConfig(max_token_budget=10**9)) == 500


def test_the_median_and_the_range_of_every_group_are_drawn() -> None:
    groups = audited(messages_of("coding_agent")).groups
    for name, trace in traces(ratio_chart(groups)).items():
        estimates = [group.estimates[name] for group in groups]
        assert list(trace.x) == [one.median for one in estimates]
        assert list(trace.x + trace.error_x.array) == pytest.approx(
            [one.highest for one in estimates]
        )
        assert list(trace.x - trace.error_x.arrayminus) == pytest.approx(
            [one.lowest for one in estimates]
        )


def test_recorded_and_counted_stand_at_their_calls_and_falls_are_marked() -> None:
    found = used(100, 200, 50, 80)
    shown = traces(usage_chart(found))
    assert list(shown["recorded by the provider, cache included"].y) == [100, 200, 50, 80]
    assert list(shown["counted here: the whole history"].y) == [0, 1, 2, 3]
    assert list(shown["recorded input fell"].x) == [3]


def test_long_sessions_give_small_charts() -> None:
    history = [one for n in range(3000) for one in (user(f"secret {n}"), assistant("secret"))]
    found = audited(history)
    figures: list[Any] = [
        growth_chart(growth(history, GAUGE)),
        trigger_chart(found, CONFIG),
        usage_chart(used(*range(1, 4000))),
    ]
    for figure in figures:
        assert points(figure) <= 2000
        assert "secret" not in figure.to_json()


@pytest.mark.parametrize(("count", "most"), [(0, 5), (1, 5), (5, 5), (6, 5), (1000, 7)])
def test_places_are_spread_from_the_first_to_the_last(count: int, most: int) -> None:
    found = spread(count, most).tolist()
    assert len(found) <= most
    assert found == sorted(set(found))
    assert found[:1] + found[-1:] == ([0, count - 1] if count else [])
