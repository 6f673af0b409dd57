"""Every config field has a control in words that shows and sets it."""

from __future__ import annotations

import json
from typing import Literal, get_args, get_origin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.config import MOST, MemoryConfig
from memory_core.errors import InvalidConfig
from pages.ui import fields
from pages.ui.pins import parse_pins
from tests.app.opening import figures, opened


def test_every_config_field_has_a_control_that_shows_its_value() -> None:
    app = opened()
    kinds = (app.number_input, app.selectbox, app.toggle, app.text_input)
    drawn = {widget.key: widget.value for kind in kinds for widget in kind}
    defaults = MemoryConfig().model_dump()
    assert fields.labels().keys() == defaults.keys()
    assert {name: drawn[name] for name in defaults if name != "pins"} == {
        name: value for name, value in defaults.items() if name != "pins"
    }


def test_every_value_of_a_choice_has_words_and_no_two_the_same() -> None:
    wanted = {
        name: list(get_args(field.annotation))
        for name, field in MemoryConfig.model_fields.items()
        if get_origin(field.annotation) is Literal
    }
    assert {name: list(words) for name, words in fields.choices().items()}.keys() == wanted.keys()
    for name, values in wanted.items():
        words = fields.choices()[name]
        assert sorted(words) == sorted(values)
        assert len(set(words.values())) == len(values)


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("max_token_budget", 0, MOST),
        ("sliding_window_size", 0, MOST),
        ("max_summary_tokens", 0, MOST),
        ("target_ratio", 0.0, 1),
        ("unknown_model_factor", 0.0, 10),
    ],
)
def test_a_number_field_has_the_bounds_of_the_config(name: str, least: float, most: float) -> None:
    found = fields.bounds(name)
    assert (found.least, found.most) == (least, most)


def test_a_changed_choice_shows_its_default_in_the_same_words() -> None:
    app = opened(config='{"window_when": "never"}')
    choice = app.selectbox(key="window_when")
    assert "only as far as needed" in choice.options
    assert "above the trigger" in choice.label


def test_a_slider_moves_its_number_field_and_the_number_field_its_slider() -> None:
    app = opened()
    app.select_slider(key="max_token_budget.slider").set_value(8000).run()
    assert app.number_input(key="max_token_budget").value == 8000
    app.number_input(key="max_token_budget").set_value(1234).run()
    assert app.number_input(key="max_token_budget").value == 1234
    assert app.select_slider(key="max_token_budget.slider").value == 1000


def test_a_changed_value_shows_its_default_until_it_is_reset() -> None:
    app = opened()
    before = figures(app)
    app.number_input(key="sliding_window_size").set_value(3).run()
    assert "10" in app.select_slider(key="sliding_window_size.slider").label
    app.button(key="reset").click().run()
    assert "10" not in app.select_slider(key="sliding_window_size.slider").label
    assert figures(app) == before
    assert "config" not in app.query_params


def test_a_value_the_config_refuses_is_named_and_changes_nothing() -> None:
    app = opened()
    before = figures(app)
    app.number_input(key="summary_trigger_ratio").set_value(1.5).run()
    assert "summary_trigger_ratio" in app.error[0].value
    assert app.number_input(key="summary_trigger_ratio").value == 0.8
    assert figures(app) == before
    app.number_input(key="sliding_window_size").set_value(3).run()
    assert len(app.error) == 0


def test_a_loaded_config_without_pins_leaves_those_that_are_set() -> None:
    app = opened(config='{"pins": [3], "sliding_window_size": 4}')
    file = MemoryConfig(sliding_window_size=7, summarizer="none").portable().encode()
    app.file_uploader(key="config_file").set_value(("mine.json", file, "application/json")).run()
    assert json.loads(app.query_params["config"]) == {
        "pins": [3],
        "sliding_window_size": 7,
        "summarizer": "none",
    }


@pytest.mark.parametrize(
    ("data", "named"),
    [
        (b'{"max_token_budget": -5}', "max_token_budget"),
        (b'{"max_token_budget": 1' + b"0" * 30 + b"}", "max_token_budget"),
        (b'{"colour": 1}', "colour"),
        (b"{", "not JSON"),
        (b"\xff\xfe", "mine.json"),
    ],
)
def test_a_config_file_that_is_refused_is_named_and_changes_nothing(
    data: bytes, named: str
) -> None:
    app = opened(config='{"sliding_window_size": 4}')
    before = figures(app)
    app.file_uploader(key="config_file").set_value(("mine.json", data, "application/json")).run()
    assert named in app.error[0].value
    assert figures(app) == before
    assert app.number_input(key="sliding_window_size").value == 4


@pytest.mark.parametrize("text", ["3, abc", "3;abc", " 3  abc ,;"])
def test_pins_are_numbers_or_ids_however_they_are_parted(text: str) -> None:
    app = opened()
    app.text_input(key="pins").set_value(text).run()
    assert json.loads(app.query_params["config"]) == {"pins": [3, "abc"]}
    assert app.text_input(key="pins").value == "3, abc"


def test_pins_of_no_message_are_named_beside_their_control() -> None:
    app = opened()
    app.text_input(key="pins").set_value("3 160 abc 159").run()
    warned = app.expander[0].warning[0].value
    assert "160" in warned
    assert "abc" in warned
    assert "159" not in warned
    app.text_input(key="pins").set_value("3 159").run()
    assert len(app.expander[0].warning) == 0


def test_a_negative_pin_is_refused_and_changes_nothing() -> None:
    app = opened(config='{"pins": [3]}')
    app.text_input(key="pins").set_value("3, -1").run()
    assert "-1" in app.error[0].value
    assert app.text_input(key="pins").value == "3"


@given(st.text())
def test_any_other_text_gives_pins_that_a_config_takes(text: str) -> None:
    try:
        pins = parse_pins(text)
    except InvalidConfig:
        assert "-" in text
    else:
        assert MemoryConfig(pins=pins).pins == pins
