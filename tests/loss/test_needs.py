"""What counts as a need: used again by the assistant, long after it was last said."""

from __future__ import annotations

import json

import pytest

from memory_core.loss import Index, needs_of
from memory_core.messages import ChatMessage
from tests.saying import assistant, result, system, user

ORDER = "ORD-2024-117"


def filler(count: int) -> list[ChatMessage]:
    return [user("go on") if number % 2 else assistant("and so on") for number in range(count)]


def calls_with(arguments: dict[str, object]) -> ChatMessage:
    function = {"name": "refund", "arguments": json.dumps(arguments, ensure_ascii=False)}
    return assistant(None, tool_calls=[{"id": "c", "type": "function", "function": function}])


@pytest.mark.parametrize(("between", "count"), [(0, 0), (2, 0), (3, 1), (30, 1)])
def test_an_item_is_needed_from_four_messages_on(between: int, count: int) -> None:
    messages = [user(f"it is {ORDER}"), *filler(between), assistant(f"Refunding {ORDER}.")]
    needs = needs_of(Index(messages)).items
    assert [need.gap for need in needs] == [between + 1] * count


def test_using_it_again_starts_the_gap_anew() -> None:
    messages = [user(ORDER), *filler(5), assistant(ORDER), *filler(6), assistant(ORDER)]
    assert [need.gap for need in needs_of(Index(messages)).items] == [6, 7]


@pytest.mark.parametrize("role", ["user", "system", "tool"])
def test_only_the_assistant_needs(role: str) -> None:
    last = result("c", ORDER) if role == "tool" else user(ORDER)
    messages = [user(ORDER), *filler(8), last if role != "system" else system(ORDER)]
    assert needs_of(Index(messages)).items == ()


def test_what_the_anchor_says_is_never_needed() -> None:
    messages = [system(f"Only {ORDER}."), user(ORDER), *filler(8), assistant(ORDER)]
    assert needs_of(Index(messages)).items == ()


def test_an_action_needs_the_items_of_its_arguments() -> None:
    messages = [
        user(f"{ORDER}, and 42 EUR of order_id"),
        *filler(6),
        calls_with({"order_id": ORDER, "amount": "42 EUR"}),
    ]
    index = Index(messages)
    (action,) = needs_of(index).actions
    assert {index.items[item].text for item in action.items} == {ORDER, "42 EUR"}
    assert (action.at, action.tool, action.call) == (7, "refund", 3)


def test_korean_particles_are_no_part_of_an_item() -> None:
    messages = [user(f"{ORDER}를 취소해 주세요"), *filler(6), assistant(f"{ORDER}은 취소했습니다")]
    index = Index(messages)
    assert [index.items[need.item].text for need in needs_of(index).items] == [ORDER]


def test_rare_words_are_needed_by_user_and_assistant_and_common_ones_are_not() -> None:
    messages = [
        user("mention zeppelin, lavender"),
        *filler(12),
        user("where was lavender"),
        assistant("by zeppelin, so"),
    ]
    index = Index(messages)
    names = {number: name for name, number in index.words.numbers.items()}
    needs = needs_of(index).words
    assert [(names[need.item], need.at) for need in needs] == [("lavender", 13), ("zeppelin", 14)]
    assert len({need.call for need in needs}) == 1
