"""A call is repeated where a tool is called again with equal arguments, and nowhere else."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.calls import answered_calls
from memory_core.config import MemoryConfig
from memory_core.gauge import Gauge
from memory_core.messages import ChatMessage
from memory_core.repeats import canonical, repeated_calls
from tests.histories import histories
from tests.saying import assistant, result, user

GAUGE = Gauge(MemoryConfig(model="chars / 4"))
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


def call(call_id: str, name: str, arguments: str) -> ChatMessage:
    function = {"name": name, "arguments": arguments}
    return assistant(None, tool_calls=[{"id": call_id, "function": function}])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('{"a": 1, "b": [2, 3]}', '{"b":[2,3],"a":1}'),
        ('{"path": "\\uac00"}', '{"path": "가"}'),
        ("  not json ", "not json"),
        ("", " "),
    ],
)
def test_arguments_that_say_the_same_are_equal(one: str, other: str) -> None:
    assert canonical(one) == canonical(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [('{"a": 1}', '{"a": 2}'), ('{"a": [1, 2]}', '{"a": [2, 1]}'), ("x", "y"), ("1", '"1"')],
)
def test_arguments_that_say_something_else_differ(one: str, other: str) -> None:
    assert canonical(one) != canonical(other)


@given(JSON)
def test_canonical_arguments_mean_what_was_written_and_stay_as_they_are(value: Any) -> None:
    written = canonical(json.dumps(value, indent=3))
    assert json.loads(written) == value
    assert canonical(written) == written


@pytest.mark.parametrize("text", ["[" * 100_000, '"\\ud800"', "9" * 5000, "NaN", "\x00", "{"])
def test_hostile_arguments_are_compared_too(text: str) -> None:
    canonical(text).encode()


def test_a_repeat_names_calls_results_and_what_was_said_before() -> None:
    messages = [
        user("go"),
        call("a", "read", '{"path": "x", "n": 1}'),
        result("a", "the whole file"),
        call("b", "read", '{"n": 1, "path": "x"}'),
        result("b", "the whole file"),
        call("c", "read", '{"path": "y"}'),
        result("c", "the whole file"),
        call("d", "write", '{"path": "x", "n": 1}'),
        result("d", "done"),
        call("e", "read", '{"path":"x","n":1}'),
        result("e", "changed"),
    ]
    (found,) = repeated_calls(messages, GAUGE)
    assert (found.tool, found.arguments) == ("read", '{"n":1,"path":"x"}')
    assert (found.calls, found.results) == ((1, 3, 9), (2, 4, 10))
    assert found.tokens == sum(GAUGE.tokens(messages[at]) for at in (2, 4, 10))
    assert found.again == GAUGE.tokens(messages[4])
    assert (found.different, found.is_identical) == (2, False)
    (same,) = repeated_calls(messages[:5], GAUGE)
    assert same.is_identical


def test_calls_without_a_result_are_repeats_without_results() -> None:
    messages = [user("go"), call("a", "run", "{}"), user("and?"), call("b", "run", "{}")]
    (found,) = repeated_calls(messages, GAUGE)
    assert (found.calls, found.results, found.tokens) == ((1, 3), (), 0)
    assert (found.different, found.is_identical) == (0, False)


def test_equal_texts_with_different_images_are_different_results() -> None:
    def seen(name: str) -> ChatMessage:
        image = {"type": "image_url", "image_url": {"url": f"{name}.png"}}
        content = [{"type": "text", "text": "shot"}, image]
        return ChatMessage.model_validate(
            {"role": "tool", "tool_call_id": name, "content": content}
        )

    messages = [call("a", "look", "{}"), seen("a"), call("b", "look", "{}"), seen("b")]
    (found,) = repeated_calls(messages, GAUGE)
    assert (found.different, found.again) == (2, 0)


@given(histories())
def test_the_repeats_are_all_groups_of_equal_calls(messages: list[ChatMessage]) -> None:
    made = Counter(
        (one.name, canonical(one.arguments)) for message in messages for one in message.tool_calls
    )
    found = repeated_calls(messages, GAUGE)
    assert {(one.tool, one.arguments): len(one.calls) for one in found} == {
        key: times for key, times in made.items() if times > 1
    }
    for one in found:
        assert 0 <= one.again <= one.tokens
        assert len(one.results) <= len(one.calls)
        assert one.different <= len(one.results)


@given(histories())
def test_every_call_is_listed_and_no_result_answers_two(messages: list[ChatMessage]) -> None:
    found = answered_calls(messages)
    assert len(found) == sum(len(message.tool_calls) for message in messages)
    results = [one.result.index for one in found if one.result]
    assert len(results) == len(set(results))
    assert all(messages[index].role == "tool" for index in results)
