"""What fails ends in a line of words and changes nothing."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


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
