"""The player under a visitor's hands: playing, scrubbing, arrow keys, the film."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looking import chart_ready, metric, settled

pytestmark = pytest.mark.browser

CALLS = 150
PLAY_PATIENCE = 110_000
"""Milliseconds."""

SESSION = [
    {"role": role, "content": f"{role} {number}: 주문 ORD-{number} at 10:{number % 60:02}"}
    for number in range(CALLS)
    for role in ("user", "assistant")
]


@pytest.mark.timeout(180)
def test_a_session_of_150_calls_plays_to_its_last_call_without_an_error(
    page: Page, app_url: str
) -> None:
    page.goto(f'{app_url}/?config={{"max_token_budget": 700}}')
    chart_ready(page)
    page.locator(".st-key-upload input[type=file]").set_input_files(
        {
            "name": "long.json",
            "mimeType": "application/json",
            "buffer": json.dumps(SESSION).encode(),
        }
    )
    player = page.locator(".st-key-player")
    expect(player).to_contain_text(f"Call {CALLS} of {CALLS}")
    player.get_by_role("button", name="First call").click()
    expect(player).to_contain_text(f"Call 1 of {CALLS}")
    expect(page.get_by_role("heading", name=re.compile("at call 1$"))).to_be_visible()
    player.get_by_role("button", name="Play", exact=True).click()
    expect(player.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.get_by_role("heading", name=re.compile(f"at call {CALLS}$"))).to_be_visible(
        timeout=PLAY_PATIENCE
    )
    expect(player.get_by_role("button", name="Play", exact=True)).to_be_visible()
    settled(page)
    expect(player).to_contain_text(f"Call {CALLS} of {CALLS}")
    expect(page.get_by_test_id("stAlert")).to_have_count(0)


def test_arrow_keys_move_chart_film_list_and_summary_together(page: Page, app_url: str) -> None:
    page.goto(app_url)
    chart_ready(page)
    player = page.locator(".st-key-player")
    scrubber = player.get_by_role("slider", name="Call")
    scrubber.focus()
    for key, call in (("ArrowLeft", 50), ("PageUp", 40), ("Home", 1), ("End", 51)):
        page.keyboard.press(key)
        expect(page.get_by_role("heading", name=re.compile(f"at call {call}$"))).to_be_visible()
        expect(player).to_contain_text(f"Call {call} of 51")
        settled(page)
    expect(metric(page, "Compactions")).to_contain_text("22 of 22")


def test_a_click_on_the_film_opens_the_message_at_that_call(page: Page, app_url: str) -> None:
    page.goto(app_url)
    chart_ready(page)
    film = page.locator(".st-key-player canvas").last
    box = film.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.1)
    readout = page.locator(".st-key-player").get_by_text(re.compile(r"Message #\d+ .* at call \d+"))
    expect(readout).to_be_visible()
    said = re.search(r"Message #(\d+) .*? at call (\d+):", readout.inner_text())
    assert said is not None
    page.mouse.click(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.1)
    expect(page.get_by_role("heading", name=re.compile(f"at call {said[2]}$"))).to_be_visible()
    marked = page.locator(".st-key-messages .card.marked")
    expect(marked).to_contain_text(f"#{said[1]} ")
