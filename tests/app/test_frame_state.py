"""Config and session stay what the visitor made them, whatever else happens."""

from __future__ import annotations

import json
from typing import Literal, get_args, get_origin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from memory_core.config import MemoryConfig
from memory_core.errors import InvalidConfig
from memory_core.replay import replay
from memory_core.sessions import load_file
from pages.ui import fields
from pages.ui.pins import parse_pins
from pages.ui.samples import FOLDER, samples
from tests.app.opening import HOME, OTHERS, chat, figures, opened, upload, verbatim

ONE = chat({"role": "user", "content": "only here"}, {"role": "assistant", "content": "yes"})
TWO = b"\n".join(
    json.dumps(
        {
            "messages": [
                {"role": "user", "content": f"hello {n}"},
                {"role": "assistant", "content": "x"},
            ]
        }
    ).encode()
    for n in range(2)
)


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
        ("max_token_budget", 1, 10**12),
        ("sliding_window_size", 0, 10**12),
        ("max_summary_tokens", 1, 10**12),
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


def test_every_sample_is_told_in_words() -> None:
    assert set(samples()) == {path.stem for path in FOLDER.glob("*.json")}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_token_budget", 2000),
        ("sliding_window_size", 4),
        ("tool_pruning_threshold", 4000),
        ("summary_trigger_ratio", 0.5),
        ("max_summary_tokens", 300),
        ("reply_reserve", 500),
    ],
)
def test_a_changed_number_changes_the_figures_and_survives_a_visit_elsewhere(
    name: str, value: float
) -> None:
    app = opened()
    before = figures(app)
    app.number_input(key=name).set_value(value).run()
    changed = figures(app)
    assert changed != before
    for page in (*OTHERS, HOME):
        app.switch_page(page).run()
    assert figures(app) == changed
    assert app.number_input(key=name).value == value
    assert app.query_params["config"] == json.dumps({name: value})


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


def test_a_link_opens_sample_config_and_call() -> None:
    app = opened(sample="customer_service_ko", config='{"sliding_window_size": 5}', at="21")
    assert app.selectbox(key="sample").value == "customer_service_ko"
    assert app.number_input(key="sliding_window_size").value == 5
    shown = figures(app)
    again = opened(**{name: str(value) for name, value in app.query_params.items()})
    assert figures(again) == shown
    assert (
        again.slider(key="call").value == app.slider(key="call").value < app.slider(key="call").max
    )


@pytest.mark.parametrize(
    ("parameters", "named"),
    [
        ({"config": "{"}, "not JSON"),
        ({"config": '{"max_token_budget": -1}'}, "max_token_budget"),
        ({"config": '{"max_token_budget": 1' + "0" * 30 + "}"}, "too large"),
        ({"config": '{"no_such": 1}'}, "no_such"),
        ({"sample": "../secrets"}, "secrets"),
        ({"at": "soon"}, "soon"),
        ({"session": "nope"}, "nope"),
        ({"session": "7"}, "session 7"),
    ],
)
def test_a_damaged_link_says_so_and_shows_the_defaults(
    parameters: dict[str, str], named: str
) -> None:
    app = opened(**parameters)
    assert named in app.error[0].value
    assert figures(app) == figures(opened())


def test_an_unknown_call_point_of_a_link_becomes_the_nearest_one() -> None:
    app = opened(at="100000")
    assert "nearest" in app.info[0].value
    assert figures(app) == figures(opened())


def test_steps_and_slider_go_to_calls_and_the_link_follows() -> None:
    app = opened()
    last = figures(app)
    app.slider(key="call").set_value(3).run()
    third = figures(app)
    assert third != last
    app.button(key="back").click().run()
    assert app.slider(key="call").value == 2
    app.button(key="forth").click().run()
    assert figures(app) == third
    at = app.query_params["at"]
    app.number_input(key="sliding_window_size").set_value(5).run()
    assert app.slider(key="call").value == 3
    assert app.query_params["at"] == at


def test_an_upload_opens_and_the_sample_can_be_taken_again() -> None:
    app = opened()
    before = figures(app)
    upload(app, "mine.json", ONE)
    assert any("only here" in text for text in verbatim(app))
    mine = app.selectbox(key="sample").value
    app.selectbox(key="sample").set_value("coding_agent").run()
    assert figures(app) == before
    app.selectbox(key="sample").set_value(mine).run()
    assert any("only here" in text for text in verbatim(app))


def test_each_session_of_a_file_can_be_chosen() -> None:
    app = upload(opened(), "two.jsonl", TWO)
    assert any("hello 0" in text for text in verbatim(app))
    app.selectbox(key="session").set_value(1).run()
    assert any("hello 1" in text for text in verbatim(app))
    app.switch_page(OTHERS[0]).run()
    app.switch_page(HOME).run()
    assert any("hello 1" in text for text in verbatim(app))


def test_a_link_to_an_uploaded_file_asks_for_it_and_then_shows_its_place() -> None:
    app = upload(opened(), "two.jsonl", TWO)
    app.selectbox(key="session").set_value(1).run()
    link = {name: str(value) for name, value in app.query_params.items()}
    assert link["session"] == "1"
    assert "two" not in "".join(link.values())
    other = opened(**link)
    assert link["upload"] in other.info[0].value
    upload(other, "renamed.jsonl", TWO)
    assert any("hello 1" in text for text in verbatim(other))
    assert len(other.info) == 0


def test_an_unreadable_upload_leaves_config_and_session_alone() -> None:
    app = opened()
    app.number_input(key="sliding_window_size").set_value(7).run()
    before = figures(app)
    upload(app, "bad `name` :smile:.json", b"{")
    assert "bad 'name' :smile:.json" in app.error[0].value
    assert figures(app) == before
    assert app.number_input(key="sliding_window_size").value == 7


@pytest.mark.parametrize(("session", "named"), [("nope", "nope"), ("2", "session 2")])
def test_a_link_to_no_session_of_an_uploaded_file_opens_the_first_and_says_so(
    session: str, named: str
) -> None:
    link = upload(opened(), "two.jsonl", TWO).query_params["upload"]
    app = opened(upload=str(link), session=session)
    seen = [error.value for error in app.error]
    upload(app, "two.jsonl", TWO)
    assert len(app.exception) == 0
    assert any("hello 0" in text for text in verbatim(app))
    assert any(named in text for text in [*seen, *(error.value for error in app.error)])


def test_a_saved_config_holds_no_pins_and_opens_again_with_those_that_are_set() -> None:
    app = opened(config='{"pins": [3], "sliding_window_size": 4}')
    saved = app.download_button[0]
    assert "pins" not in MemoryConfig(pins=(3,), sliding_window_size=4).portable()
    assert saved.label == "Save the config as JSON"
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
        (b'{"max_token_budget": 1' + b"0" * 30 + b"}", "too large"),
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


def test_the_repairs_on_the_session_page_are_those_of_the_last_call() -> None:
    session = load_file(FOLDER / "broken.json").sessions[0]
    replayed = replay(session.messages, MemoryConfig())
    app = opened(sample="broken").switch_page(OTHERS[0]).run()
    columns: list[dict[str, object]] = [one.value.to_dict("list") for one in app.dataframe]
    assert [table["at message"] for table in columns if "id of the call" in table] == [
        [f"#{repair.index}" for repair in replayed.report(replayed.plans[-1]).repairs]
    ]


def test_the_card_names_the_recorded_model_and_the_tools_that_are_not_counted() -> None:
    tool = {"type": "function", "function": {"name": "read", "description": "d " * 50}}
    messages = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]
    data = json.dumps({"model": "claude-x", "messages": messages, "tools": [tool]}).encode()
    app = upload(opened(), "tools.json", data)
    card = next(one.value for one in app.sidebar.caption if "OpenAI" in one.value)
    assert "Recorded with `claude-x`, counted as `gpt-5`" in card
    assert "1 call of the model" in card
    assert "tool schemas" in card


def test_a_recording_without_an_answer_says_that_its_call_is_the_next_one() -> None:
    app = upload(opened(), "open.json", chat({"role": "user", "content": "q"}))
    assert any("is the next one" in caption.value for caption in app.caption)


def test_a_stuck_session_is_warned_of_and_no_other() -> None:
    assert len(opened().main.warning) == 0
    config = {"max_token_budget": 300, "sliding_window_size": 0, "window_when": "every_call"}
    app = opened(sample="broken", config=json.dumps(config))
    warned = [one.value for one in app.main.warning]
    assert any("Same request as before: 2 calls" in one for one in warned)


def callback_that_fails() -> None:
    import streamlit as st

    from pages.ui import changes, current

    @changes.change
    def fail() -> None:
        msg = "the secret text of a session"
        raise KeyError(msg)

    now = current.get()
    st.button("fail", on_click=fail)
    st.text(now.problem)
    st.text(str(now.config == now.config.__class__()))


def test_a_callback_that_fails_changes_nothing_but_the_problem() -> None:
    app = AppTest.from_function(callback_that_fails, default_timeout=60).run()
    app.button[0].click().run()
    problem, is_unchanged = (element.value for element in app.text)
    assert len(app.exception) == 0
    assert "KeyError" in problem
    assert "secret" not in problem
    assert is_unchanged == "True"


def broken_page() -> None:
    from pages.ui.failing import guarded

    with guarded():
        msg = "the secret text of a session"
        raise KeyError(msg)


def test_an_unforeseen_error_names_its_place_and_shows_no_text_of_the_session() -> None:
    app = AppTest.from_function(broken_page).run()
    assert len(app.exception) == 0
    assert "KeyError" in app.error[0].value
    assert "secret" not in app.error[0].value
