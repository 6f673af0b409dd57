"""A link opens what it names, or says why it cannot."""

from __future__ import annotations

import json
from urllib.parse import parse_qsl, urlsplit

import pytest

from memory_core.presets import PRESETS
from tests.app.opening import TWO, figures, opened, unfolded, upload, verbatim


def test_a_link_opens_sample_config_and_call() -> None:
    app = opened(sample="customer_service_ko", config='{"sliding_window_size": 5}', at="21")
    assert app.selectbox(key="sample").value == "customer_service_ko"
    assert app.number_input(key="sliding_window_size").value == 5
    shown = figures(app)
    assert shown != figures(opened(sample="customer_service_ko", at="21"))
    again = opened(**{name: str(value) for name, value in app.query_params.items()})
    assert figures(again) == shown


@pytest.mark.parametrize(
    ("parameters", "named"),
    [
        ({"config": "{"}, "not JSON"),
        ({"config": '{"max_token_budget": -1}'}, "max_token_budget"),
        ({"config": '{"max_token_budget": 1' + "0" * 30 + "}"}, "max_token_budget"),
        ({"config": '{"no_such": 1}'}, "no_such"),
        ({"sample": "../secrets"}, "secrets"),
        ({"at": "soon"}, "soon"),
        ({"session": "nope"}, "nope"),
        ({"session": "7"}, "session 7"),
        ({"preset": "no_such"}, "no_such"),
        ({"upload": "../etc"}, "../etc"),
        ({"without": "pins"}, "pins"),
        ({"without": "x"}, "unknown"),
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


def test_the_call_of_a_link_stays_while_the_config_changes() -> None:
    app = opened(sample="broken", at="4")
    third = figures(app)
    assert third != figures(opened(sample="broken"))
    app.number_input(key="sliding_window_size").set_value(5).run()
    assert app.query_params["at"] == "4"
    app.button(key="reset").click().run()
    assert figures(app) == third


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


@pytest.mark.parametrize("name", PRESETS)
def test_a_link_keeps_the_preset_and_what_was_changed_of_it(name: str) -> None:
    app = opened(preset=name)
    assert app.selectbox(key="preset").value == name
    app.number_input(key="sliding_window_size").set_value(7).run()
    again = opened(**{key: str(value) for key, value in app.query_params.items()})
    assert again.selectbox(key="preset").value == name
    assert again.selectbox(key="preset").label == app.selectbox(key="preset").label
    assert figures(again) == figures(app)


def test_the_link_to_copy_is_the_address_of_what_is_open() -> None:
    app = unfolded(sample="customer_service_ko", preset="chat", at="21")
    app.number_input(key="sliding_window_size").set_value(7).run()
    shown = next(one.value for one in app.sidebar.code if "?" in one.value)
    held = dict(parse_qsl(urlsplit(shown).query))
    assert held == {key: str(value) for key, value in app.query_params.items()}
    assert held.keys() == {"sample", "preset", "config", "at"}
    assert figures(opened(**held)) == figures(app)


def test_more_pins_than_a_link_can_hold_are_left_out_and_both_ends_say_so() -> None:
    many = json.dumps({"pins": list(range(10_000)), "sliding_window_size": 5})
    app = unfolded(config=many)
    assert any("10,000 pins" in one.value for one in app.sidebar.warning)
    held = {key: str(value) for key, value in app.query_params.items()}
    other = opened(**held)
    assert "pins" in other.error[0].value
    assert other.number_input(key="sliding_window_size").value == 5


def test_a_config_that_is_changed_while_a_file_is_awaited_stays_in_the_link() -> None:
    app = opened(upload="0" * 16, config='{"sliding_window_size": 5}')
    app.number_input(key="sliding_window_size").set_value(6).run()
    assert app.query_params["upload"] == "0" * 16
    assert json.loads(app.query_params["config"]) == {"sliding_window_size": 6}
