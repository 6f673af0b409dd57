"""Pairing: which result belongs to which call, and what stands in where one is missing."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given

from memory_core.exchanges import EMPTY, NO_RESULT, Fault, Pairing, pair, repair
from memory_core.messages import ChatMessage
from tests.checks import broken_pairs
from tests.histories import histories, well_formed
from tests.saying import assistant, calling, result, shown, user

History = list[ChatMessage]
ORPHAN = "user [Result of a call that is not in this conversation"

RULES: dict[str, tuple[History, list[str], list[tuple[Fault, int]]]] = {
    "a result belongs to the nearest earlier call that still waits for its id": (
        [calling("a"), user("hm"), calling("a"), result("a", "second"), result("a", "first")],
        ["calls a", "result a: first", "user hm", "calls a", "result a: second"],
        [(Fault.LATE_RESULT, 4)],
    ),
    "an id may be used again once its call is answered": (
        [calling("a"), result("a", "1"), calling("a"), result("a", "2")],
        ["calls a", "result a: 1", "calls a", "result a: 2"],
        [],
    ),
    "parallel calls with one id are told apart, their results by order": (
        [calling("a", "a"), result("a", "1"), result("a", "2")],
        ["calls a a~2", "result a: 1", "result a~2: 2"],
        [(Fault.DUPLICATE_ID, 0)],
    ),
    "three calls with one id get three ids": (
        [calling("a", "a", "a"), result("a", "1"), result("a", "2"), result("a", "3")],
        ["calls a a~2 a~3", "result a: 1", "result a~2: 2", "result a~3: 3"],
        [(Fault.DUPLICATE_ID, 0), (Fault.DUPLICATE_ID, 0)],
    ),
    "without ids results pair by order": (
        [calling("", ""), result(None, "1"), result("", "2")],
        ["calls call_0_0 call_0_1", "result call_0_0: 1", "result call_0_1: 2"],
        [(Fault.MISSING_ID, 0), (Fault.MISSING_ID, 0)],
    ),
    "without ids a result goes to the call of its name": (
        [
            calling("", "", names=["look", "buy"]),
            result(None, "bought", name="buy"),
            result(None, "seen", name="look"),
        ],
        ["calls call_0_0 call_0_1", "result call_0_1: bought", "result call_0_0: seen"],
        [(Fault.MISSING_ID, 0), (Fault.MISSING_ID, 0)],
    ),
    "a result without id takes the id of the call it answers": (
        [calling("a"), result(None, "1")],
        ["calls a", "result a: 1"],
        [(Fault.MISSING_ID, 1)],
    ),
    "a late result moves behind its call": (
        [calling("a"), user("still there?"), result("a", "1"), assistant("done")],
        ["calls a", "result a: 1", "user still there?", "assistant done"],
        [(Fault.LATE_RESULT, 2)],
    ),
    "results may come in any order": (
        [calling("a", "b"), result("b", "2"), result("a", "1")],
        ["calls a b", "result b: 2", "result a: 1"],
        [],
    ),
    "a call without result gets a placeholder directly behind it": (
        [calling("a"), user("never mind")],
        ["calls a", f"result a: {NO_RESULT}", "user never mind"],
        [(Fault.MISSING_RESULT, 0)],
    ),
    "of parallel calls only the unanswered one gets a placeholder": (
        [calling("a", "b", "c"), result("b", "2"), user("stop")],
        [
            "calls a b c",
            "result b: 2",
            f"result a: {NO_RESULT}",
            f"result c: {NO_RESULT}",
            "user stop",
        ],
        [(Fault.MISSING_RESULT, 0), (Fault.MISSING_RESULT, 0)],
    ),
    "a call at the end is pending, no fault": (
        [user("go"), calling("a", "b"), result("b", "2")],
        ["user go", "calls a b", "result b: 2"],
        [],
    ),
    "a second result of an answered call is an orphan": (
        [calling("a"), result("a", "1"), result("a", "again"), user("hm")],
        ["calls a", "result a: 1", f"{ORPHAN}: a]\nagain", "user hm"],
        [(Fault.ORPHAN_RESULT, 2)],
    ),
    "an orphan result becomes a marked user message that names tool and id": (
        [user("go"), result("z", "lost", name="look")],
        ["user go", f"{ORPHAN}: look z]\nlost"],
        [(Fault.ORPHAN_RESULT, 1)],
    ),
    "an orphan result without id, name or text is still visible": (
        [result(None, None)],
        [f"{ORPHAN}]\n{EMPTY}"],
        [(Fault.ORPHAN_RESULT, 0)],
    ),
    "an answer with neither text nor calls says that it is empty": (
        [user("go"), assistant(None)],
        ["user go", f"assistant {EMPTY}"],
        [(Fault.EMPTY_MESSAGE, 1)],
    ),
    "a null result says that it is empty": (
        [calling("a"), result("a", None)],
        ["calls a", f"result a: {EMPTY}"],
        [(Fault.EMPTY_MESSAGE, 1)],
    ),
    "a result of an id nobody used does not take another call's place": (
        [calling("a"), result("b", "of b"), result("a", "of a"), user("hm")],
        ["calls a", "result a: of a", f"{ORPHAN}: b]\nof b", "user hm"],
        [(Fault.ORPHAN_RESULT, 1), (Fault.LATE_RESULT, 2)],
    ),
}


@pytest.mark.parametrize("rule", RULES)
def test_calls_and_results_are_paired_by_the_rule(rule: str) -> None:
    history, view, repairs = RULES[rule]
    pairing = pair(history)
    messages = [one for exchange in pairing.exchanges for one in exchange.messages]
    assert shown(messages) == view
    assert [(one.fault, one.index) for one in pairing.repairs] == repairs
    assert broken_pairs(messages) == []


def test_a_repair_names_the_id_of_the_call_it_touched() -> None:
    pairing = pair([calling("a", "b"), result("z"), user("hm")])
    assert [(one.fault, one.call_id) for one in pairing.repairs] == [
        (Fault.ORPHAN_RESULT, "z"),
        (Fault.MISSING_RESULT, "a"),
        (Fault.MISSING_RESULT, "b"),
    ]


def test_a_result_that_comes_after_a_placeholder_was_seen_is_an_orphan() -> None:
    pairing = Pairing()
    for index, message in enumerate([calling("a"), user("never mind")]):
        pairing.add(index, message)
    pairing.seal()
    before = list(pairing.exchanges)
    pairing.add(2, result("a", "at last"))
    pairing.seal()
    assert pairing.exchanges[: len(before)] == before
    assert shown(pairing.exchanges[-1].messages) == [f"{ORPHAN}: a]\nat last"]


def test_a_call_given_up_in_an_earlier_run_stays_given_up() -> None:
    pairing = Pairing(given_up=[(0, 1)])
    for index, message in enumerate([calling("a", "b"), result("a", "1"), result("b", "2")]):
        pairing.add(index, message)
    view = [one for exchange in pairing.exchanges for one in exchange.messages]
    assert shown(view) == [
        "calls a b",
        "result a: 1",
        f"result b: {NO_RESULT}",
        f"{ORPHAN}: b]\n2",
    ]


def test_the_image_of_an_orphan_result_is_not_lost() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    orphan = ChatMessage.model_validate(
        {"role": "tool", "tool_call_id": "z", "content": [{"type": "text", "text": "see"}, image]}
    )
    (shown_orphan,) = repair([orphan])
    assert [part.is_image for part in shown_orphan.parts] == [False, True]


@given(histories())
def test_every_message_stands_in_exactly_one_exchange(history: list[ChatMessage]) -> None:
    entries = [entry for exchange in pair(history).exchanges for entry in exchange.entries]
    recorded = [entry.index for entry in entries if entry.fault is not Fault.MISSING_RESULT]
    assert sorted(recorded) == list(range(len(history)))


@given(histories())
def test_a_repaired_history_has_nothing_left_to_repair(history: list[ChatMessage]) -> None:
    repaired = repair(history)
    assert pair(repaired).repairs == []
    assert broken_pairs(repaired) == []


@given(well_formed())
def test_a_well_formed_history_is_returned_equal_and_without_repairs(
    history: list[ChatMessage],
) -> None:
    assert list(repair(history)) == history
    assert pair(history).repairs == []


@given(histories())
def test_repairing_leaves_its_input_as_it_was(history: list[ChatMessage]) -> None:
    before = copy.deepcopy(history)
    repair(history)
    assert history == before
