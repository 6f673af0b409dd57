"""The sentence behind every message: it says what happened, when and by which numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given

from memory_core.config import MemoryConfig
from memory_core.exchanges import Fault
from memory_core.messages import ChatMessage
from memory_core.plan import State
from memory_core.reasons import fault_text, in_short, why
from memory_core.replay import replay
from memory_core.report import Report
from tests.histories import configs, histories
from tests.saying import assistant, calling, once, result, settings, system, talk, user

LONG = "line of output " * 20


def because(report: Report, index: int, config: MemoryConfig) -> str:
    return why(report.fates[index], report.plan, config)


def _reason(history: Sequence[ChatMessage], index: int, answer: str, **fields: Any) -> str:
    report = once(history, lambda _: answer, **fields)
    return because(report, index, settings(**fields))


WORK = [user("go"), calling("c"), result("c", LONG)]
TIGHT = {"max_token_budget": 200, "sliding_window_size": 4}
BROKEN = [user("go"), result("z"), calling("a"), user("hm"), assistant(None), *talk(1)]

REASONS: dict[str, tuple[list[ChatMessage], int, str, dict[str, Any], list[str]]] = {
    "the anchor": ([system("Be kind"), *talk(20)], 0, "short", TIGHT, ["system message", "first"]),
    "nothing left yet": (talk(3), 0, "", {}, ["nothing has left"]),
    "in the window": (talk(20), 39, "short", TIGHT, ["one of the newest 4 messages"]),
    "a target kept more": (
        talk(20),
        34,
        "short",
        {**TIGHT, "target_ratio": 0.7, "max_summary_tokens": 20},
        ["only messages before it have left"],
    ),
    "the trigger": (talk(20), 0, "short", TIGHT, ["call 1", "newest 4", "560 tokens", "160"]),
    "the budget": (
        talk(20),
        22,
        "short",
        {**TIGHT, "sliding_window_size": 20},
        ["call 1", "budget of 200", "560 tokens"],
    ),
    "every call": (
        talk(20),
        0,
        "short",
        {"max_token_budget": 10**6, "sliding_window_size": 4, "window_when": "every_call"},
        ["call 1", "older than the newest 4"],
    ),
    "no summariser": (
        talk(20),
        0,
        "",
        {**TIGHT, "summarizer": "none"},
        ["call 1", "no summariser is switched on"],
    ),
    "no summary accepted": (
        talk(20),
        0,
        "",
        TIGHT,
        ["this call", "budget of 200", "empty or not shorter"],
    ),
    "old and long": (
        [*WORK, *talk(3)],
        2,
        "",
        {"max_token_budget": 10**6},
        ["call 1", "from 64 to", "newest 3 messages", "150 characters"],
    ),
    "old and long in tokens": (
        [*WORK, *talk(3)],
        2,
        "",
        {"max_token_budget": 10**6, "threshold_unit": "tokens", "tool_pruning_threshold": 40},
        ["call 1", "over 40 tokens"],
    ),
    "long where the budget needed room": (
        [*WORK, assistant("seen")],
        2,
        "",
        {"max_token_budget": 60, "keep_recent_messages": 9},
        ["call 1", "from 64 to", "budget needed the room"],
    ),
    "a pin": (talk(20), 3, "short", {**TIGHT, "pins": [3]}, ["Pinned", "word for word"]),
    "an exchange that a pin keeps": (
        [*WORK, *talk(20)],
        1,
        "short",
        {**TIGHT, "max_token_budget": 300, "pins": [2]},
        ["Pinned with #2", "stay together"],
    ),
    "the held goal": (
        [user("goal"), *[assistant("step " * 30)] * 9],
        0,
        "short",
        TIGHT,
        ["last user message stays"],
    ),
    "an orphan": (BROKEN, 1, "", {}, ["without its call"]),
    "a call without result": (BROKEN, 2, "", {}, ["never got its result", "placeholder"]),
    "an empty message": (BROKEN, 4, "", {}, ["empty"]),
}


@pytest.mark.parametrize("case", REASONS)
def test_a_reason_names_what_happened_with_its_numbers(case: str) -> None:
    history, index, answer, fields, said = REASONS[case]
    reason = _reason(history, index, answer, **fields)
    assert [part for part in said if part not in reason] == [], reason


def test_while_messages_are_dropped_no_reason_says_that_nothing_has_left() -> None:
    report = once(talk(20), lambda _: "", **TIGHT)
    reasons = [why(fate, report.plan, settings(**TIGHT)) for fate in report.fates]
    assert report.plan.dropped
    assert [reason for reason in reasons if "nothing has left" in reason] == []


def test_every_fault_has_a_text_of_its_own() -> None:
    texts = [fault_text(fault) for fault in Fault]
    assert len(set(texts)) == len(Fault)
    assert all(text.startswith("Repaired: ") for text in texts)


@pytest.mark.parametrize(
    ("summarizer", "word"), [("extractive", "Summarised"), ("none", "Dropped")]
)
def test_a_message_that_was_held_left_at_the_call_that_no_longer_sends_it(
    summarizer: str, word: str
) -> None:
    work = [one for n in range(6) for one in (calling(f"c{n}"), result(f"c{n}", LONG))]
    history = [user("the goal"), *work, assistant("done"), user("next"), assistant("ok")]
    config = settings(max_token_budget=400, sliding_window_size=4, summarizer=summarizer)
    run = replay(history, config)
    states = [run.fates(plan)[0] for plan in run.plans]
    first_held = next(n for n, fate in enumerate(states) if fate.is_held)
    left = next(n for n, fate in enumerate(states) if not fate.sent_tokens)
    assert first_held < left == len(states) - 1
    assert why(states[left], run.plans[left], config) == (
        f"{word}, left at call {left + 1}: it was held as the last user message until then."
    )


@given(histories(), configs())
def test_how_long_a_message_was_held_is_told_of_those_that_were_and_of_no_other(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    run = replay(history, config)
    held: set[int] = set()
    for plan in run.plans:
        for fate in run.fates(plan):
            if fate.is_held:
                held.add(fate.index)
            elif fate.receipt and fate.held_until == plan.ordinal:
                assert fate.index in held
            if fate.receipt and not fate.sent_tokens:
                assert (fate.held_until is not None) == (fate.index in held)


@given(histories(), configs())
def test_every_message_of_every_window_has_a_reason_that_fits_its_state(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    starts = {
        State.KEPT: ("Kept",),
        State.PRUNED: ("Shortened",),
        State.SUMMARISED: ("Summarised",),
        State.DROPPED: ("Dropped",),
        State.PINNED: ("Pinned",),
        State.REPAIRED: ("Repaired",),
    }
    run = replay(history, config)
    for plan in run.plans:
        for fate in run.fates(plan):
            reason = why(fate, plan, config)
            assert reason.startswith(starts[fate.state])
            assert reason.endswith(".")
            assert "{" not in reason


SHORT: dict[State, tuple[str, str]] = {
    State.KEPT: ("sent as recorded", "the last user message stays"),
    State.PRUNED: ("shortened at call 3", "shortened at call 3"),
    State.SUMMARISED: ("", "left at call 7"),
    State.DROPPED: ("the budget had no room for it", "left at call 7, no summary"),
    State.PINNED: ("always sent word for word", "always sent word for word"),
    State.REPAIRED: (
        "a provider would have refused it as recorded",
        "a provider would have refused it as recorded",
    ),
}


@pytest.mark.parametrize("state", State)
def test_every_state_has_its_reason_in_short_before_and_after_a_message_was_to_leave(
    state: State,
) -> None:
    short = in_short(state)
    filled = [text.format(shortened=3, left=7) for text in (short.before, short.after)]
    assert tuple(filled) == SHORT[state]
