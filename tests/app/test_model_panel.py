"""The panel of a model's summaries: what it says belongs to the session and config that asked."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from typing import Final

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from tests.app.opening import chat, opened, upload
from tests.endpoint.model_server import Asked, ModelServer, Refused, Reply, Streamed, running

CONFIG: Final = json.dumps({"summarizer": "model"})
OTHER: Final = "broken"
PATIENCE: Final = 20.0


class Model:
    """Answers once `gate` is open."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.refuses = False

    def __call__(self, asked: Asked) -> Reply:  # noqa: ARG002 - it answers whatever is asked
        self.gate.wait(PATIENCE)
        return Refused(401, "no such key") if self.refuses else Streamed(["- [#1] a note"])


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def server(model: Model, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with running(model) as server:
        yield server
        model.gate.set()
    st.cache_resource.clear()


def addressed(app: AppTest, address: str) -> AppTest:
    return app.text_input(key="endpoint_url").set_value(address).run()


def asked(app: AppTest) -> AppTest:
    return app.button(key="ask_model").click().run()


def said(app: AppTest) -> str:
    bars = [node.proto.text for node in app.get("progress")]
    return "\n".join([*bars, *(one.value for one in (*app.markdown, *app.error))])


def ended(app: AppTest) -> AppTest:
    end = time.monotonic() + PATIENCE
    while "Cancel" in [button.label for button in app.button] and time.monotonic() < end:
        app.run()
    return app


def test_a_model_is_asked_only_where_there_is_an_address() -> None:
    app = opened(config=CONFIG)
    assert app.button(key="ask_model").disabled
    assert "address" in app.button(key="ask_model").help
    addressed(app, "http://localhost:9")
    assert not app.button(key="ask_model").disabled
    addressed(app, "  ")
    assert app.button(key="ask_model").disabled


def test_an_address_that_was_refused_is_forgotten_with_the_next_one(server: ModelServer) -> None:
    app = asked(addressed(opened(config=CONFIG), "ftp://x"))
    assert "Your session and config are safe" in said(app)
    addressed(app, server.base_url)
    assert "Your session and config are safe" not in said(app)


def test_a_model_that_is_asked_at_last_leaves_no_old_alert(
    server: ModelServer, model: Model
) -> None:
    model.gate.set()
    app = asked(addressed(opened(config=CONFIG), "ftp://x"))
    app.text_input(key="endpoint_url").set_value(server.base_url)
    asked(app)
    assert "Your session and config are safe" not in said(app)
    ended(app)


def test_progress_is_shown_only_where_it_was_asked_for(server: ModelServer, model: Model) -> None:
    app = asked(addressed(opened(config=CONFIG), server.base_url))
    assert "Asking the model: 0 of about" in said(app)
    home = app.selectbox(key="sample").value
    label = app.selectbox(key="sample").options[0]
    app.number_input(key="sliding_window_size").set_value(4).run()
    assert "Asking the model: 0 of about" not in said(app)
    assert f"summaries of `{label}` under another config" in said(app)
    app.number_input(key="sliding_window_size").set_value(10).run()
    assert "Asking the model: 0 of about" in said(app)
    app.selectbox(key="sample").set_value(OTHER).run()
    assert "Asking the model: 0 of about" not in said(app)
    assert f"summaries of `{label}`, not" in said(app)
    assert "Cancel" in [button.label for button in app.button]
    model.gate.set()
    app.button(key="cancel_model").click().run()
    ended(app)
    assert "Called off" not in said(app)
    app.selectbox(key="sample").set_value(home).run()
    assert "Called off" in said(app)


def test_a_failure_is_told_only_where_it_was_asked_for(server: ModelServer, model: Model) -> None:
    model.refuses = True
    model.gate.set()
    app = ended(asked(addressed(opened(config=CONFIG), server.base_url)))
    assert "401" in said(app)
    app.number_input(key="sliding_window_size").set_value(4).run()
    assert "401" not in said(app)
    app.number_input(key="sliding_window_size").set_value(10).run()
    assert "401" in said(app)


def test_one_answer_is_told_as_one(server: ModelServer, model: Model) -> None:
    said_first = [{"role": "user", "content": f"say {n} " + "word " * 80} for n in range(20)]
    data = chat(*said_first, {"role": "assistant", "content": "yes"})
    app = opened(config='{"summarizer": "model", "max_token_budget": 1000}')
    addressed(upload(app, "one.json", data), server.base_url)
    assert "1 answer is missing" in said(app)
    assert "0 of about 1 answer is here" in said(asked(app))
    model.gate.set()
    ended(app)
