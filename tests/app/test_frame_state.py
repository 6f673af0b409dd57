"""Config and session stay what the visitor made them, whatever else happens."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from memory_core.config import MemoryConfig
from pages.ui import controls
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
    assert list(controls.labels()) != []
    assert controls.labels().keys() == defaults.keys()
    assert {name: drawn[name] for name in defaults if name != "pins"} == {
        name: value for name, value in defaults.items() if name != "pins"
    }


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


def test_pins_are_numbers_or_ids() -> None:
    app = opened()
    app.text_input(key="pins").set_value("3, abc").run()
    assert json.loads(app.query_params["config"]) == {"pins": [3, "abc"]}
    assert app.text_input(key="pins").value == "3, abc"


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
