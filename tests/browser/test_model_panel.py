"""Summaries by a model: asked only by the button, with progress and an end to it."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looking import chart_ready, settled
from tests.endpoint.model_server import Asked, ModelServer, Refused, Reply, Streamed, running

pytestmark = pytest.mark.browser

CONFIG = json.dumps({"summarizer": "model", "summary_heading": "english"})


class Model:
    """Answers with a note that names how often it was asked; waits while `gate` is closed."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.gate.set()
        self.refuses = False
        self.asked = 0

    def __call__(self, asked: Asked) -> Reply:  # noqa: ARG002 - it answers whatever is asked
        self.gate.wait(20)
        if self.refuses:
            return Refused(401, "no such key")
        self.asked += 1
        return Streamed([f"- [#1] note {self.asked}:", " the port is 5544\n- [#1] SHOP-1182"])


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def server(model: Model) -> Iterator[ModelServer]:
    with running(model) as server:
        yield server


def open_panel(page: Page, app_url: str, address: str) -> None:
    page.goto(f"{app_url}/?config={CONFIG}")
    chart_ready(page)
    page.get_by_role("textbox", name="Address").fill(address)
    page.keyboard.press("Enter")
    settled(page)


def test_the_model_is_asked_by_the_button_only_and_its_notes_take_the_place_of_extracts(
    page: Page, app_url: str, model: Model, server: ModelServer
) -> None:
    open_panel(page, app_url, server.base_url)
    panel = page.locator(".st-key-model_panel")
    expect(panel).to_contain_text("answers are missing")
    expect(panel).to_contain_text("unknown price")
    assert model.asked == 0
    page.get_by_role("button", name="Ask the model").click()
    expect(panel).to_contain_text("all summaries of this config are written")
    expect(page.locator(".st-key-summary")).to_contain_text("the port is 5544")
    once = model.asked
    assert once > 5
    page.get_by_role("button", name="One call back").click()
    settled(page)
    assert model.asked == once


def test_asking_can_be_cancelled_and_a_refusal_says_what_to_do(
    page: Page, app_url: str, model: Model, server: ModelServer
) -> None:
    open_panel(page, app_url, server.base_url)
    panel = page.locator(".st-key-model_panel")
    model.gate.clear()
    page.get_by_role("button", name="Ask the model").click()
    expect(panel).to_contain_text(re.compile("Asking the model: 0 of about"))
    page.get_by_role("button", name="Cancel").click()
    model.gate.set()
    expect(panel).to_contain_text("Called off")
    model.refuses = True
    page.get_by_role("button", name="Ask the model").click()
    expect(panel.get_by_test_id("stAlert")).to_contain_text("401")
    expect(page.locator(".st-key-summary")).not_to_contain_text("the port is 5544 note")
