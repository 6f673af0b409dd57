"""Messages as values: any recorded message fits, nothing of it is lost, nothing bad gets in."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from memory_core.messages import ROLE_NAMES, ChatMessage, as_message
from tests.histories import histories
from tests.saying import assistant, calling, user

CALL = {"id": "c", "type": "function", "function": {"name": "look", "arguments": '{"a": 1}'}}

FITTING: dict[str, dict[str, Any]] = {
    "null content beside calls": {"role": "assistant", "content": None, "tool_calls": [CALL]},
    "no content at all": {"role": "assistant", "tool_calls": [CALL]},
    "null calls": {"role": "assistant", "content": "hi", "tool_calls": None},
    "developer": {"role": "developer", "content": "Be kind"},
    "parts": {"role": "user", "content": [{"type": "text", "text": "hi"}, {"type": "new", "a": 1}]},
    "no parts": {"role": "user", "content": []},
    "unknown fields": {"role": "assistant", "content": "x", "refusal": None, "audio": {"id": "a"}},
    "unknown fields of a call": {
        "role": "assistant",
        "content": None,
        "tool_calls": [{**CALL, "index": 0, "extra_content": {"a": [1]}}],
    },
    "text nobody expects": {"role": "user", "content": "\x00 مرحبا 👩‍👩‍👧 <|endoftext|> 각"},
    "an unknown role": {"role": "Planner (-> Booker)", "content": "x", "weight": 0.5},
}


@pytest.mark.parametrize("kind", FITTING)
def test_a_recorded_message_fits_and_survives_dump_and_json(kind: str) -> None:
    given_ = copy.deepcopy(FITTING[kind])
    message = ChatMessage.model_validate(given_)
    assert ChatMessage.model_validate(message.model_dump()) == message
    assert ChatMessage.model_validate_json(message.model_dump_json()) == message
    assert ChatMessage.model_validate(json.loads(json.dumps(message.model_dump()))) == message
    assert given_ == FITTING[kind]


@given(histories())
def test_any_message_survives_dump_and_json(history: list[ChatMessage]) -> None:
    for message in history:
        assert ChatMessage.model_validate(message.model_dump()) == message
        assert ChatMessage.model_validate_json(message.model_dump_json()) == message


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({}, "role"),
        ({"role": ""}, "role"),
        ({"role": None}, "role"),
        ({"role": 5}, "role"),
        ({"role": "user", "content": 5}, "content"),
        ({"role": "user", "content": {"text": "x"}}, "content"),
        ({"role": "user", "content": b"x"}, "content"),
        ({"role": "user", "content": [5]}, "content"),
        ({"role": "user", "content": "x", "name": 5}, "name"),
        ({"role": "tool", "content": "x", "tool_call_id": 5}, "tool_call_id"),
        ({"role": "assistant", "tool_calls": [{"id": "c"}]}, "tool_calls"),
        ({"role": "assistant", "tool_calls": "c"}, "tool_calls"),
        ({"role": "assistant", "tool_calls": [{"function": {"name": 5}}]}, "tool_calls"),
        ({"role": "user", "content": "x", "metadata": [1]}, "metadata"),
    ],
)
def test_a_bad_message_is_refused_naming_the_field(fields: dict[str, Any], named: str) -> None:
    with pytest.raises(ValidationError) as caught:
        ChatMessage.model_validate(fields)
    assert {item["loc"][0] for item in caught.value.errors()} == {named}


@pytest.mark.parametrize(("name", "role"), ROLE_NAMES.items())
def test_a_known_name_of_a_role_is_mapped_and_kept(name: str, role: str) -> None:
    message = ChatMessage.model_validate({"role": name.upper(), "content": "x"})
    assert (message.role, message.original_role) == (role, name.upper())
    assert ChatMessage.model_validate({"role": role}).original_role is None


@pytest.mark.parametrize("role", ["system", "developer", "user", "assistant", "tool"])
def test_a_role_in_capitals_is_the_role(role: str) -> None:
    for name in (role.upper(), role.capitalize()):
        message = ChatMessage.model_validate({"role": name, "content": "x"})
        assert (message.role, message.original_role) == (role, name)


def test_a_role_nobody_knows_speaks_as_a_user_and_keeps_its_name() -> None:
    message = ChatMessage.model_validate({"role": "critic", "content": "x"})
    assert (message.role, message.original_role) == ("user", "critic")
    assert ChatMessage.model_validate(message.model_dump()).original_role == "critic"


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("a\ud800b", "a\ufffdb"),
        ("\ud83d\ude00", "😀"),
        ("\udc00", "\ufffd"),
        ("가😀", "가😀"),
    ],
)
def test_lone_surrogates_never_get_in(text: str, clean: str) -> None:
    call = {"id": text, "function": {"name": text, "arguments": {"a": text}}}
    part = {"type": "text", "text": text, "note": [text]}
    messages = [
        user(text, name=text, id=text),
        ChatMessage.model_validate({"role": "user", "content": [part]}),
        assistant(None, tool_calls=[call]),
    ]
    assert messages[0].text == messages[1].text == messages[0].name == messages[0].id == clean
    assert messages[2].tool_calls[0].id == messages[2].tool_calls[0].name == clean
    for message in messages:
        message.model_dump_json().encode()
        json.dumps(message.to_openai(), ensure_ascii=False).encode()


@pytest.mark.parametrize(
    "fields", [{"metadata": {"a": "\ud800"}}, {"note": "\ud800"}], ids=["metadata", "unknown"]
)
def test_lone_surrogates_never_get_in_by_other_fields(fields: dict[str, Any]) -> None:
    user("x", **fields).model_dump_json().encode()


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ('{"a": 1}', '{"a": 1}'),
        ("not JSON", "not JSON"),
        ({"도시": "서울"}, '{"도시": "서울"}'),
        (None, "{}"),
        ([1], "[1]"),
    ],
)
@pytest.mark.parametrize("flat", [False, True])
def test_arguments_are_a_json_text_however_they_were_recorded(
    arguments: object, text: str, *, flat: bool
) -> None:
    inner = {"name": "look", "arguments": arguments}
    call = {"id": "c", **inner} if flat else {"id": "c", "function": inner}
    message = assistant(None, tool_calls=[call])
    assert (message.tool_calls[0].name, message.tool_calls[0].arguments) == ("look", text)


def test_a_message_cannot_be_changed() -> None:
    message = user("x", weight=0.5)
    for field in ("content", "role", "metadata"):
        with pytest.raises(ValidationError, match="frozen"):
            setattr(message, field, "y")
    assert (message.text, message.model_extra) == ("x", {"weight": 0.5})


def test_the_readable_text_is_that_of_text_parts() -> None:
    parts = [
        {"type": "thinking", "thinking": "hm", "text": "hidden"},
        {"type": "text", "text": "one"},
        {"type": "image_url", "image_url": {"url": "data:"}},
        {"type": "output_text", "text": "two"},
        "three",
    ]
    message = ChatMessage.model_validate({"role": "user", "content": parts})
    assert message.text == "one\ntwo\nthree"
    assert assistant(None).text == ""
    assert [part.type for part in user("x").parts] == ["text"]


def test_what_is_sent_to_a_provider_holds_no_thinking_and_none_of_our_own_fields() -> None:
    parts = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "done"}]
    message = ChatMessage.model_validate(
        {"role": "assistant", "content": parts, "tool_calls": [CALL], "metadata": {"a": 1}}
    )
    assert message.to_openai() == {"role": "assistant", "content": "done", "tool_calls": [CALL]}
    kept = message.to_openai(keep_thinking=True)["content"]
    assert [part["type"] for part in kept] == ["thinking", "text"]
    alone = ChatMessage.model_validate({"role": "assistant", "content": parts[:1]})
    assert alone.to_openai()["content"] == ""


def test_a_message_given_as_a_message_is_not_made_again() -> None:
    message = calling("a")
    assert as_message(message) is message
    assert as_message(message.model_dump()) == message


@given(st.text(alphabet=st.characters(codec=None), max_size=20))
def test_any_text_at_all_makes_a_message_that_can_be_written(text: str) -> None:
    user(text).model_dump_json().encode()
