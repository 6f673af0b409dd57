"""The film holds, in every cell, the state that the fates of that call give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from memory_core.config import MemoryConfig
from memory_core.film import CODES, UNKNOWN, Codes, Film, film
from memory_core.messages import ChatMessage
from memory_core.plan import State
from memory_core.replay import Replay, replay
from tests.histories import configs, histories
from tests.saying import assistant, calling, result, settings, system, talk, user

ALL: dict[str, Any] = {"most_messages": 10**6, "most_calls": 10**6}


def by_fates(done: Replay) -> Codes:
    """The same picture from the fates of every call, cell by cell."""
    rows = done.plans[-1].at if done.plans else 0
    cells = np.zeros((rows, len(done.plans)), np.uint8)
    for column, plan in enumerate(done.plans):
        for fate in done.fates(plan):
            cells[fate.index, column] = CODES[fate.state]
    return cells


def replayed(messages: list[ChatMessage], **fields: Any) -> Replay:
    return replay(messages, settings(**fields))


@given(histories(), configs())
def test_every_cell_is_the_state_of_that_message_at_that_call(
    messages: list[ChatMessage], config: MemoryConfig
) -> None:
    done = replay(messages, config)
    whole = film(done, **ALL)
    np.testing.assert_array_equal(whole.cells, by_fates(done))
    assert whole.messages.tolist() == list(range(whole.recorded))
    assert whole.calls.tolist() == list(range(len(done.plans)))


@given(histories(), configs())
def test_a_row_says_when_its_message_was_shortened_and_when_it_left(
    messages: list[ChatMessage], config: MemoryConfig
) -> None:
    done = replay(messages, config)
    whole = film(done, **ALL)
    for plan in done.plans:
        report = done.report(plan)
        for fate in report.fates:
            if fate.pruning and fate.state is State.PRUNED:
                assert whole.shortened[fate.index] == fate.pruning.ordinal
            if fate.receipt:
                assert whole.left[fate.index] == fate.receipt.ordinal
            elif plan is done.plans[-1]:
                assert whole.left[fate.index] == -1
            call = report.call_of(fate) if messages[fate.index].role == "tool" else None
            assert whole.tools[fate.index] == (call.name if call else "")


@given(histories(), configs())
def test_a_row_says_from_which_call_on_its_message_is_gone_for_good(
    messages: list[ChatMessage], config: MemoryConfig
) -> None:
    done = replay(messages, config)
    whole = film(done, **ALL)
    for index, position in enumerate(whole.positions.tolist()):
        gone = [
            plan.ordinal
            for plan in done.plans
            if position < plan.mark and position not in plan.held
        ]
        assert whole.gone[index] == (gone[0] if gone else -1)


OUTPUT = "line of output " * 20
CASES: dict[str, tuple[list[ChatMessage], dict[str, Any], set[State]]] = {
    "held, summarised": ([user("go"), *talk(20)], {"max_token_budget": 200}, {State.SUMMARISED}),
    "no summariser": (
        talk(20),
        {"max_token_budget": 200, "summarizer": "none", "sliding_window_size": 4},
        {State.DROPPED},
    ),
    "pinned": (talk(20), {"max_token_budget": 400, "pins": (3,)}, {State.PINNED}),
    "pruned": ([user("go"), calling("c"), result("c", OUTPUT), *talk(3)], {}, {State.PRUNED}),
    "repaired later": (
        [user("go"), calling("a"), assistant("next"), result("a"), *talk(2)],
        {},
        {State.REPAIRED},
    ),
    "an orphan": ([user("go"), result("z"), *talk(2)], {}, {State.REPAIRED}),
    "nothing but a system message": ([system("Be kind")], {}, {State.KEPT}),
}


@pytest.mark.parametrize(("messages", "fields", "states"), CASES.values(), ids=list(CASES))
def test_each_state_that_a_session_has_is_in_the_film(
    messages: list[ChatMessage], fields: dict[str, Any], states: set[State]
) -> None:
    done = replayed(messages, **fields)
    whole = film(done, **ALL)
    np.testing.assert_array_equal(whole.cells, by_fates(done))
    assert {CODES[state] for state in states} <= set(np.unique(whole.cells).tolist())


def test_a_call_whose_result_never_came_changes_from_kept_to_repaired() -> None:
    done = replayed([user("go"), calling("a"), assistant("next"), user("hm"), assistant("so")])
    assert film(done, **ALL).cells[1].tolist() == [
        UNKNOWN,
        CODES[State.KEPT],
        CODES[State.REPAIRED],
    ]


def test_what_the_budget_drops_is_dropped_at_these_calls() -> None:
    done = replay(
        [user("go"), *talk(30)],
        settings(max_token_budget=200, sliding_window_size=4),
        summarizer=lambda _: "",
    )
    assert any(plan.dropped for plan in done.plans)
    np.testing.assert_array_equal(film(done, **ALL).cells, by_fates(done))


@pytest.mark.parametrize("messages", [[], [assistant("hello")]])
def test_a_session_without_anything_before_a_call_is_an_empty_film(
    messages: list[ChatMessage],
) -> None:
    done = replayed(messages)
    assert film(done).cells.shape == (0, len(done.plans))


def sampled(whole: Film, small: Film) -> Codes:
    return whole.cells[np.ix_(small.messages, small.calls)]


@given(histories(), configs())
def test_a_small_film_shows_cells_of_the_whole_one(
    messages: list[ChatMessage], config: MemoryConfig
) -> None:
    done = replay(messages, config)
    whole, small = film(done, **ALL), film(done, most_messages=5, most_calls=3)
    assert small.cells.shape == (min(5, whole.recorded), min(3, len(done.plans)))
    np.testing.assert_array_equal(small.cells, sampled(whole, small))
    assert small.calls.tolist()[-1:] == whole.calls.tolist()[-1:]
    assert small.recorded == whole.recorded
    assert (np.diff(small.messages) > 0).all()


def test_a_lone_pin_among_thousand_messages_stays_in_sight() -> None:
    done = replayed(talk(500), max_token_budget=2000, pins=(507,))
    small = film(done, most_messages=20, most_calls=30)
    assert 507 in small.messages
    assert small.cells[10, -1] == CODES[State.PINNED]
    blocks = small.messages * 20 // small.recorded
    assert blocks.tolist() == list(range(20))


def test_a_regular_session_keeps_its_mixture() -> None:
    done = replayed(talk(500), max_token_budget=10**9)
    small = film(done, most_messages=50)
    odd = int((small.messages % 2).sum())
    assert 10 < odd < 40
