"""Transitions of the agent's state: explicit rules, strict validation, inputs untouched."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from memory_core.errors import AnchorRemoved, UnknownMessage
from memory_core.messages import ChatMessage
from memory_core.reducers import RemoveMessage, add_messages, append, merge, overwrite
from memory_core.state import AgentStateModel
from tests.histories import histories
from tests.saying import assistant, system, user

BAD: list[tuple[str, Any]] = [
    ("current_step", -5),
    ("current_step", "7"),
    ("current_step", 7.0),
    ("current_step", True),
    ("current_step", None),
    ("max_steps", 0),
    ("max_steps", "15"),
    ("session_id", 7),
    ("session_id", None),
    ("user_id", b"u"),
    ("is_completed", "yes"),
    ("is_completed", 1),
    ("scratchpad", [1]),
    ("scratchpad", None),
    ("messages", 5),
    ("messages", None),
    ("messages", [{"content": "nobody says this"}]),
    ("messages", [{"role": "user", "content": 5}]),
]

bad_values = pytest.mark.parametrize(("field", "value"), BAD)


def state(**fields: Any) -> AgentStateModel:
    return AgentStateModel.model_validate({"session_id": "s", "user_id": "u", **fields})


def refused(error: ValidationError, field: str) -> bool:
    """Whether the error names the field, or the field of a message in it, and gives a reason."""
    named = {"messages": {"messages", "role", "content"}}.get(field, {field})
    return all(item["loc"][0] in named and item["msg"] for item in error.errors())


@bad_values
def test_a_bad_value_is_refused_on_construction_with_field_and_reason(
    field: str, value: object
) -> None:
    with pytest.raises(ValidationError) as caught:
        state(**{field: value})
    assert refused(caught.value, field)


@bad_values
def test_a_bad_value_is_refused_on_assignment_and_the_state_stays(
    field: str, value: object
) -> None:
    kept = state(current_step=3)
    before = kept.model_copy(deep=True)
    with pytest.raises(ValidationError) as caught:
        setattr(kept, field, value)
    assert refused(caught.value, field)
    assert kept == before


@bad_values
def test_a_bad_value_is_refused_on_merge_and_the_state_stays(field: str, value: object) -> None:
    kept = state(current_step=3, scratchpad={"a": 1})
    before = kept.model_copy(deep=True)
    with pytest.raises(ValidationError) as caught:
        kept.merged({field: value})
    assert refused(caught.value, field)
    assert kept == before


@pytest.mark.parametrize("how", ["construction", "merge"])
def test_an_unknown_field_is_refused_by_name(how: str) -> None:
    with pytest.raises(ValidationError, match="stepp"):
        state(stepp=1) if how == "construction" else state().merged({"stepp": 1})


def test_each_field_changes_by_its_own_rule() -> None:
    before = state(messages=[user("a")], current_step=1, scratchpad={"kept": 1, "changed": 1})
    update = {
        "messages": [assistant("b")],
        "current_step": 2,
        "scratchpad": {"changed": 2, "new": 3},
        "is_completed": True,
    }
    after = before.merged(update)
    assert [message.text for message in after.messages] == ["a", "b"]
    assert after.scratchpad == {"kept": 1, "changed": 2, "new": 3}
    assert (after.current_step, after.is_completed, after.max_steps) == (2, True, 15)
    assert (before.current_step, before.is_completed, len(before.messages)) == (1, False, 1)
    assert before.merged({}) == before


def test_a_merge_leaves_state_and_update_as_they_were() -> None:
    before = state(messages=[user("a", id="m")], scratchpad={"deep": {"list": [1]}})
    update: dict[str, Any] = {
        "messages": [{"role": "user", "content": [{"type": "text", "text": "b"}], "id": "m"}],
        "scratchpad": {"more": {"list": [2]}},
    }
    copies = before.model_copy(deep=True), copy.deepcopy(update)
    before.merged(update)
    assert (before, update) == copies


def test_a_state_does_not_change_with_the_values_it_was_made_of() -> None:
    messages, scratchpad = [user("a")], {"a": 1}
    made = state(messages=messages, scratchpad=scratchpad)
    messages.append(user("b"))
    scratchpad["b"] = 2
    assert (len(made.messages), made.scratchpad) == (1, {"a": 1})


@given(histories())
def test_a_state_survives_json(history: list[ChatMessage]) -> None:
    made = state(messages=history, scratchpad={"한": ["🔬", None, 1.5]})
    assert AgentStateModel.model_validate_json(made.model_dump_json()) == made
    assert AgentStateModel.model_validate(made.model_dump()) == made


# Reducers


def test_overwrite_append_and_merge_do_what_they_say() -> None:
    left, right = [1, 2], [3]
    assert overwrite(left, right) is right
    assert append(left, right) == [1, 2, 3]
    assert merge({"a": 1, "b": 1}, {"b": 2}) == {"a": 1, "b": 2}
    assert (left, right) == ([1, 2], [3])


BASE = [system("Be kind", id="s"), user("a", id="1"), assistant("b", id="2")]

UPDATES: dict[str, tuple[Any, list[str]]] = {
    "one message": (user("c"), ["Be kind", "a", "b", "c"]),
    "a dict": ({"role": "user", "content": "c"}, ["Be kind", "a", "b", "c"]),
    "several": ([user("c"), user("d")], ["Be kind", "a", "b", "c", "d"]),
    "none": ([], ["Be kind", "a", "b"]),
    "a known id replaces in place": (user("A", id="1"), ["Be kind", "A", "b"]),
    "a new id goes behind": (user("c", id="3"), ["Be kind", "a", "b", "c"]),
    "a removal": (RemoveMessage("1"), ["Be kind", "b"]),
    "in order": (
        [user("c", id="3"), RemoveMessage("3"), user("d", id="3")],
        ["Be kind", "a", "b", "d"],
    ),
    "the anchor's text under its own id": (system("Be brief", id="s"), ["Be brief", "a", "b"]),
}


@pytest.mark.parametrize("case", UPDATES)
def test_an_update_of_messages(case: str) -> None:
    update, texts = UPDATES[case]
    before = list(BASE)
    assert [message.text for message in add_messages(BASE, update)] == texts
    assert before == BASE


@pytest.mark.parametrize(
    "update",
    [
        RemoveMessage("s"),
        user("I am the system now", id="s"),
        [RemoveMessage("s"), system("another", id="s")],
    ],
    ids=["removed", "another role", "moved behind"],
)
def test_the_system_message_a_conversation_stands_on_cannot_be_taken_away(update: Any) -> None:
    with pytest.raises(AnchorRemoved):
        add_messages(BASE, update)


def test_another_system_message_does_not_take_the_place_of_the_first() -> None:
    with pytest.raises(AnchorRemoved):
        add_messages([system("Be kind", id="s"), system("Be brief", id="t")], RemoveMessage("s"))


def test_without_a_leading_system_message_everything_may_go() -> None:
    assert add_messages(BASE[1:2], RemoveMessage("1")) == []


def test_removing_a_message_that_is_not_there_is_an_error_naming_it() -> None:
    with pytest.raises(UnknownMessage, match="'nobody'"):
        add_messages(BASE, RemoveMessage("nobody"))


def test_one_bad_message_refuses_the_whole_update() -> None:
    with pytest.raises(ValidationError, match="role"):
        add_messages(BASE, [user("fine"), {"content": "no role"}])


@given(histories(), histories(), histories())
def test_adding_in_two_steps_is_adding_at_once(
    first: list[ChatMessage], second: list[ChatMessage], third: list[ChatMessage]
) -> None:
    first = [system("Be kind"), *first]
    before = copy.deepcopy(first)
    at_once = add_messages(first, [*second, *third])
    assert add_messages(add_messages(first, second), third) == at_once
    assert first == before


@given(st.lists(st.sampled_from("abc")))
def test_no_id_stands_twice_however_often_it_comes(ids: list[str]) -> None:
    after = add_messages([], [user(f"{at}", id=one) for at, one in enumerate(ids)])
    assert [message.id for message in after] == list(dict.fromkeys(ids))
