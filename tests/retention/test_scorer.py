"""The measure of retention itself: what counts as an item, as present, as needed and as over."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memory_core.config import MemoryConfig
from memory_core.gauge import Gauge
from memory_core.messages import ChatMessage
from tests.retention.items import holds, items, pieces, words
from tests.retention.labels import labelled_values, recorded_values
from tests.retention.methods import Baselines, full, methods
from tests.retention.needs import Case, case_of, said
from tests.retention.recordings import SAMPLES, sample
from tests.retention.scoring import Score, budget_of, figure, score, twins
from tests.saying import assistant, result, system, user

GAUGE = Gauge(MemoryConfig())

FOUND = [
    ("user_123를 확인했습니다", {"user_123"}),
    ("see https://example.com/a?b=1, then", {"https://example.com/a?b=1"}),
    ("write to kim@example.co.kr에게", {"kim@example.co.kr"}),
    ("edit src/app/main.py and notes.md.", {"src/app/main.py", "notes.md"}),
    ("due 2024-05-20, 06:00:00", {"2024-05-20", "06:00:00"}),
    ("예산은 450만원이고 20% 할인", {"450만원", "20%"}),
    ("costs $1,250 for 3 days", {"$1,250", "3 days"}),
    ("raised ValueError with exit code 2", {"ValueError", "exit code 2"}),
    ("we met Ada Lovelace in London", {"Ada Lovelace", "London"}),
    ('{"flight_number": "HAT069", "seat_12": "x"}', {"HAT069"}),
    ('{"note": "Check it", "city": "New York"}', {"New York"}),
    ("Nothing of note here", set[str]()),
]


@pytest.mark.parametrize(("text", "found"), FOUND)
def test_items_are_found_also_before_korean_particles_and_never_as_json_keys(
    text: str, found: set[str]
) -> None:
    assert items(text) == found


def test_an_item_stands_on_its_own_and_not_inside_a_longer_one() -> None:
    assert holds("카드 card_1을", "card_1")
    assert not holds("card_12, my_card_1", "card_1")
    assert holds("card_12 card_1", "card_1")


def test_a_piece_is_never_more_than_a_line() -> None:
    text = 'One is here. Two is there.\n{"a": {"b": 1}, "c": {"d": 2}}'
    assert pieces(text) == ["One is here.", "Two is there.", '"a":', '"b": 1', ', "c":', '"d": 2']


def history() -> list[ChatMessage]:
    return [
        system("Policy of card_9 holders"),
        user("Please refund order ORD-7781 to my gift card card_55, it was damaged"),
        assistant("One moment"),
        user("ok"),
        assistant("Still looking"),
        user("thanks"),
        assistant("Refunding ORD-7781 for the damaged goods to card_55 under card_9"),
    ]


def case() -> Case:
    return case_of("refund", history(), labels={6: ("card_55", "card_9", "ok")}, recorded={})


def marks(window: Sequence[ChatMessage]) -> Score:
    return score(case(), lambda _history, _budget: window, budget=30, gauge=GAUGE)


def test_a_need_was_said_four_messages_before_and_not_in_the_system_message() -> None:
    last = case().points[-1]
    assert [need.item for need in last.needs] == ["ORD-7781", "card_55"]
    assert {need.gap for need in last.needs} == {5}
    assert last.prose == ("damaged",)
    assert last.labelled == ("card_55",)


def test_an_item_counts_only_with_its_context_in_the_same_line() -> None:
    bare = marks([user("ORD-7781\ncard_55\ndamaged refund order gift")])
    assert (bare.found["FRR, no gate"], bare.found["FRR"]) == (2, 0)
    told = marks([user("refund order ORD-7781 to my gift card card_55")])
    assert (told.found["FRR, no gate"], told.found["FRR"]) == (2, 2)
    assert (told.asked["FRR"], told.asked["prose"], told.found["prose"]) == (2, 1, 0)


def test_a_call_counts_if_all_its_values_stand_in_the_window() -> None:
    asked = {6: (("card_55", "ORD-7781"), ("card_55",))}
    found = case_of("refund", history(), labels={}, recorded=asked)
    window = [user("card_55")]
    scored = score(found, lambda _history, _budget: window, budget=30, gauge=GAUGE)
    assert (scored.found["recorded call"], scored.asked["recorded call"]) == (1, 2)
    assert (scored.found["recorded value"], scored.asked["recorded value"]) == (2, 3)


def test_labels_belong_to_the_call_of_their_name_that_is_most_like_them() -> None:
    called = ChatMessage.model_validate(
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "a", "function": {"name": "pay", "arguments": '{"order": "O-22", "n": 1}'}}
            ],
        }
    )
    messages = [user("pay"), called, result("a", "done")]
    actions = [("pay", ("O-11", "card")), ("pay", ("O-22", "card")), ("ship", ("O-22",))]
    assert labelled_values(messages, actions) == {1: ("O-22", "card")}
    assert recorded_values(messages) == {1: (("O-22",),)}


def test_only_calls_whose_history_exceeds_the_budget_are_scored() -> None:
    everything = budget_of(case(), 1.0, GAUGE)
    assert score(case(), full, budget=everything, gauge=GAUGE).points == 0
    assert marks([]).points == 3


@pytest.mark.parametrize("name", SAMPLES)
def test_the_full_window_has_everything(name: str) -> None:
    measured = sample(name)
    scored = score(measured, full, budget=budget_of(measured, 0.1, GAUGE), gauge=GAUGE)
    assert scored.points
    assert scored.found == scored.asked


@pytest.mark.parametrize("name", SAMPLES)
def test_the_gate_takes_nothing_from_verbatim_lines_and_nearly_all_from_a_list_of_items(
    name: str,
) -> None:
    measured = sample(name)
    budget = budget_of(measured, 0.1, GAUGE)

    def verbatim(history: Sequence[ChatMessage], _budget: int) -> list[ChatMessage]:
        return [user(piece) for message in history for piece in pieces(said(message))]

    lines = score(measured, verbatim, budget=budget, gauge=GAUGE)
    listed = score(measured, Baselines(GAUGE).bare_items, budget=budget, gauge=GAUGE)
    assert lines.found["FRR"] == lines.found["FRR, no gate"] > 0.9 * lines.asked["FRR"]
    assert listed.found["FRR"] < 0.15 * listed.asked["FRR"]
    assert listed.found["FRR, no gate"] > listed.found["FRR"]


def test_methods_of_different_names_that_never_differ_are_told() -> None:
    one, other, idle = marks([user("card_55")]), marks([user("no")]), Score()
    table = {"a": [one, idle], "b": [other, idle], "c": [one, idle]}
    assert twins(table) == [("a", "c")]
    assert twins({"a": [idle], "b": [idle]}) == []


def test_no_two_methods_are_the_same() -> None:
    measured = sample("customer_service_ko")
    budgets = [budget_of(measured, share, GAUGE) for share in (0.2, 0.4)]
    table = {
        name: [score(measured, method, budget=budget, gauge=GAUGE) for budget in budgets]
        for name, method in methods(GAUGE).items()
    }
    assert twins(table) == []


def test_an_interval_lies_around_the_share_and_counts_what_was_asked() -> None:
    scores = [marks([user("ORD-7781")]), marks([user("refund order gift damaged ORD-7781")])]
    found = figure(scores, "FRR, no gate")
    assert found is not None
    assert (found.share, found.n) == (0.5, 4)
    assert found.low <= found.share <= found.high
    assert figure(scores, "recorded call") is None
    assert words("가격표 and ab") == {"가격표", "and"}
