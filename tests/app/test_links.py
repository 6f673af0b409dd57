"""A link opens what it names, or says why it cannot."""

from __future__ import annotations

import pytest

from tests.app.opening import TWO, figures, opened, upload, verbatim


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
        ({"config": '{"max_token_budget": 1' + "0" * 30 + "}"}, "max_token_budget"),
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
