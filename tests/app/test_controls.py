"""Every config field has a control in words that shows and sets it."""

from __future__ import annotations

import json
from typing import Any, Literal, get_args, get_origin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.config import MOST, MemoryConfig
from memory_core.errors import InvalidConfig
from pages.ui import fields
from pages.ui.pins import parse_pins
from tests.app.opening import figures, opened, unfolded


def test_every_config_field_has_a_control_that_shows_its_value() -> None:
    app = unfolded()
    kinds = (app.number_input, app.selectbox, app.toggle, app.text_input)
    drawn = {widget.key: widget.value for kind in kinds for widget in kind}
    defaults = MemoryConfig().model_dump()
    assert fields.labels().keys() == defaults.keys()
    assert sorted([*fields.MAIN, *sum(fields.groups().values(), ())]) == sorted(defaults)
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
    app = unfolded(config='{"window_when": "never"}')
    choice = app.selectbox(key="window_when")
    assert "only as far as needed" in choice.options
    assert "above the trigger" in choice.label


@pytest.mark.parametrize(
    ("name", "step", "between", "nearest"),
    [
        ("max_token_budget", 8000, 1234, 1000),
        ("max_token_budget", 1_000_000, 10**12, 1_000_000),
        ("sliding_window_size", 0, 17, 15),
        ("summary_trigger_ratio", 0.5, 0.333, 0.35),
        ("tool_pruning_threshold", 1000, 151, 150),
        ("target_ratio", 0.3, 0.42, 0.4),
        ("max_summary_tokens", 800, 1, 0),
    ],
)
def test_a_slider_moves_its_number_field_and_shows_the_step_nearest_to_it(
    name: str, step: float, between: float, nearest: float
) -> None:
    app = opened()
    app.select_slider(key=f"{name}.slider").set_value(step).run()
    assert app.number_input(key=name).value == step
    app.number_input(key=name).set_value(between).run()
    assert app.number_input(key=name).value == between
    assert app.select_slider(key=f"{name}.slider").value == nearest
    assert json.loads(app.query_params["config"]) == {name: between}


@pytest.mark.parametrize("name", ["target_ratio", "max_summary_tokens"])
def test_a_value_that_may_be_automatic_is_the_first_step_of_its_slider(name: str) -> None:
    app = opened(config=json.dumps({name: 0.5 if name == "target_ratio" else 500}))
    assert app.select_slider(key=f"{name}.slider").options[0] == "automatic"
    app.number_input(key=name).set_value(None).run()
    assert app.select_slider(key=f"{name}.slider").value is None
    assert "config" not in app.query_params


def test_every_main_control_says_what_raising_it_does() -> None:
    app = opened()
    for name, hint in fields.hints().items():
        assert f"*{hint}*" in app.select_slider(key=f"{name}.slider").label
    assert list(fields.hints()) == list(fields.MAIN)


def elements(block: Any) -> int:
    """Elements and blocks below a block: each is one message to the browser."""
    return sum(1 + elements(one) for one in getattr(block, "children", {}).values())


def test_the_sidebar_has_at_most_22_elements_while_more_is_closed() -> None:
    assert elements(opened().sidebar) <= 22
    changed = {"sliding_window_size": 3, "pruning_style": "json"}
    assert elements(opened(config=json.dumps(changed)).sidebar) <= 22


def test_what_stands_under_more_is_drawn_only_while_it_is_open() -> None:
    app = opened(config='{"reply_reserve": 500}')
    assert "reply_reserve" not in [one.key for one in app.number_input]
    app.session_state["more"] = True
    app.run()
    assert app.number_input(key="reply_reserve").value == 500
    app.session_state["more"] = False
    app.run()
    assert json.loads(app.query_params["config"]) == {"reply_reserve": 500}


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
    assert "Trigger (of budget): 1.5 is too large: 1.0 is the most it takes" in app.error[0].value
    assert app.number_input(key="summary_trigger_ratio").value == 0.8
    app.number_input(key="max_token_budget").set_value(-5).run()
    assert "Token budget: -5 is too small: 0 is the least it takes" in app.error[0].value
    assert app.number_input(key="max_token_budget").value == 4000
    assert figures(app) == before
    app.number_input(key="sliding_window_size").set_value(3).run()
    assert len(app.error) == 0


def test_a_field_says_what_it_takes_and_an_emptied_one_has_the_value_of_the_preset() -> None:
    app = opened(preset="chat", config='{"max_token_budget": 2000}')
    assert app.number_input(key="max_token_budget").proto.default == 8000
    assert "From 0 on" in app.select_slider(key="max_token_budget.slider").help
    assert "Above 0, up to 1" in app.select_slider(key="summary_trigger_ratio.slider").help
    assert "preset" not in app.select_slider(key="target_ratio.slider").help


def test_a_loaded_config_without_pins_leaves_those_that_are_set() -> None:
    app = unfolded(config='{"pins": [3], "sliding_window_size": 4}')
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
    app = unfolded(config='{"sliding_window_size": 4}')
    before = figures(app)
    app.file_uploader(key="config_file").set_value(("mine.json", data, "application/json")).run()
    assert named in app.error[0].value
    assert figures(app) == before
    assert app.number_input(key="sliding_window_size").value == 4


@pytest.mark.parametrize("text", ["3, abc", "3;abc", " 3  abc ,;"])
def test_pins_are_numbers_or_ids_however_they_are_parted(text: str) -> None:
    app = unfolded()
    app.text_input(key="pins").set_value(text).run()
    assert json.loads(app.query_params["config"]) == {"pins": [3, "abc"]}
    assert app.text_input(key="pins").value == "3, abc"


def test_pins_of_no_message_are_named_in_the_sidebar() -> None:
    app = unfolded()
    app.text_input(key="pins").set_value("3 160 abc 159").run()
    warned = app.sidebar.warning[0].value
    assert "160" in warned
    assert "abc" in warned
    assert "159" not in warned
    app.text_input(key="pins").set_value("3 159").run()
    assert len(app.sidebar.warning) == 0


def test_a_negative_pin_is_refused_and_changes_nothing() -> None:
    app = unfolded(config='{"pins": [3]}')
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
