"""Promises about the shape of a JSON text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.pruning.head_tail import head_tail
from memory_core.pruning.json_shape import json_shape

any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text(), inner, max_size=8),
    max_leaves=40,
)


def shape(value: object, room: int) -> Any:
    return json.loads(json_shape(json.dumps(value))(room))


@settings(deadline=None)
@given(value=any_json, room=st.integers(0, 600))
def test_a_shape_keeps_to_its_room(value: object, room: int) -> None:
    assert len(json_shape(json.dumps(value, indent=2))(room)) <= room


def test_a_value_that_fits_without_its_white_space_is_kept_whole() -> None:
    value = {"a": [1, 2, {"b": "다"}], "c": None}
    assert shape(value, 60) == value


def test_all_keys_stay_where_there_is_room() -> None:
    value = {f"key{n}": "long text " * 40 for n in range(12)}
    assert list(shape(value, 500)) == list(value)


def test_error_fields_stay_when_other_keys_go_and_say_more() -> None:
    value = {f"key{n}": "long text " * 40 for n in range(300)}
    shown = shape({**value, "error": "disk full on /dev/sda1, 0 bytes left"}, 400)
    assert shown["error"].startswith("disk full on /dev/sda1")
    assert shown["…"].endswith("more keys")


def test_lists_are_sampled_and_say_how_much_is_missing() -> None:
    shown = shape([{"id": n} for n in range(1_000)], 120)
    assert shown[0] == {"id": 0}
    assert shown[-1] == f"… {1_000 - (len(shown) - 1)} more items"


def test_deep_values_are_named_by_their_size() -> None:
    deep: dict[str, Any] = {"x": "y" * 200, "z": [1, 2, 3]}
    for _ in range(6):
        deep = {"in": deep, "side": ["a" * 50] * 9}
    assert "keys" in json.dumps(shape(deep, 150), ensure_ascii=False)


@pytest.mark.parametrize(
    "text", ["plain words " * 40, '{"a": ', "[" * 5_000, '"a text" ' * 30, "17"]
)
def test_what_is_no_object_or_list_falls_back_to_start_and_end(text: str) -> None:
    assert json_shape(text)(100) == head_tail(text)(100)


def test_a_lone_surrogate_written_as_an_escape_does_not_come_out() -> None:
    json_shape('{"a": "\\ud800"}')(100).encode()
