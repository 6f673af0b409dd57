"""The player under a visitor's hands: playing, scrubbing, arrow keys, the film."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Locator, Page, expect

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


def at_call(page: Page, number: int) -> Locator:
    return page.get_by_role("heading", name=re.compile(f"at call {number}$"))


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
    expect(at_call(page, 1)).to_be_visible()
    player.get_by_role("button", name="Play", exact=True).click()
    expect(player.get_by_role("button", name="Pause")).to_be_visible()
    expect(at_call(page, CALLS)).to_be_visible(timeout=PLAY_PATIENCE)
    expect(player.get_by_role("button", name="Play", exact=True)).to_be_visible()
    settled(page)
    expect(player).to_contain_text(f"Call {CALLS} of {CALLS}")
    expect(page.get_by_test_id("stAlert")).to_have_count(0)


def test_the_whole_film_is_on_the_first_screen(page: Page, app_url: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(app_url)
    chart_ready(page)
    settled(page)
    box = page.locator(".st-key-player canvas").last.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 800


def test_a_faster_play_goes_several_calls_at_a_step_and_may_be_chosen_while_it_plays(
    page: Page, app_url: str
) -> None:
    page.goto(app_url)
    chart_ready(page)
    player = page.locator(".st-key-player")
    slider = player.get_by_role("slider", name="Call", exact=True)
    player.get_by_role("button", name="First call").click()
    expect(at_call(page, 1)).to_be_visible()
    settled(page)
    player.get_by_role("button", name="Play", exact=True).click()
    speed = player.get_by_role("button", name="Speed")
    speed.click()
    expect(speed).to_have_text("4\N{MULTIPLICATION SIGN}")
    expect(player.get_by_role("button", name="Pause")).to_be_visible()
    page.wait_for_timeout(300)
    before = int(slider.input_value())
    expect(slider).not_to_have_value(str(before))
    player.get_by_role("button", name="Pause").click()
    gone = int(slider.input_value()) - before
    assert gone > 0
    assert gone % 4 == 0 or int(slider.input_value()) == 51


def test_arrow_keys_move_chart_film_list_and_summary_together(page: Page, app_url: str) -> None:
    page.goto(app_url)
    chart_ready(page)
    player = page.locator(".st-key-player")
    scrubber = player.get_by_role("slider", name="Call")
    scrubber.focus()
    for key, call in (("ArrowLeft", 50), ("PageUp", 40), ("Home", 1), ("End", 51)):
        page.keyboard.press(key)
        expect(at_call(page, call)).to_be_visible()
        expect(player).to_contain_text(f"Call {call} of 51")
        settled(page)
    expect(metric(page, "Compactions")).to_contain_text("22 of 22")


def test_a_click_on_the_film_opens_the_message_at_that_call(page: Page, app_url: str) -> None:
    page.goto(app_url)
    chart_ready(page)
    film = page.locator(".st-key-player canvas").last
    film.scroll_into_view_if_needed()
    settled(page)
    box = film.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.1)
    readout = page.locator(".st-key-player").get_by_text(re.compile(r"Message #\d+ .* at call \d+"))
    expect(readout).to_be_visible()
    said = re.search(r"Message #(\d+) .*? at call (\d+):", readout.inner_text())
    assert said is not None
    page.mouse.click(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.1)
    expect(at_call(page, int(said[2]))).to_be_visible()
    marked = page.locator(".st-key-messages .card.marked")
    expect(marked).to_contain_text(f"#{said[1]} ")


def test_dragging_moves_label_and_line_at_once_and_the_page_on_release(
    page: Page, app_url: str
) -> None:
    page.goto(app_url)
    chart_ready(page)
    player = page.locator(".st-key-player")
    box = player.get_by_role("slider", name="Call").bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] - 6, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, middle, steps=4)
    expect(player).to_contain_text("Call 26 of 51")
    expect(at_call(page, 51)).to_be_visible()
    settled(page)
    expect(player).to_contain_text("Call 26 of 51")
    page.mouse.up()
    expect(at_call(page, 26)).to_be_visible()


def test_space_plays_and_anything_else_a_person_does_stops_it(page: Page, app_url: str) -> None:
    page.goto(app_url)
    chart_ready(page)
    player = page.locator(".st-key-player")
    pause = player.get_by_role("button", name="Pause")
    player.get_by_role("slider", name="Call").focus()
    for stop in (
        lambda: page.keyboard.press(" "),
        lambda: page.keyboard.press("ArrowLeft"),
        lambda: page.get_by_role("heading", name=re.compile("at call")).click(),
    ):
        page.keyboard.press(" ")
        expect(pause).to_be_visible()
        stop()
        expect(pause).to_have_count(0)
        settled(page)


def test_the_film_is_read_and_opened_by_keyboard(page: Page, app_url: str) -> None:
    page.goto(app_url)
    chart_ready(page)
    player = page.locator(".st-key-player")
    film = player.get_by_role("application")
    film.focus()
    page.keyboard.press("PageUp")
    expect(at_call(page, 41)).to_be_visible()
    settled(page)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    readout = player.get_by_text(re.compile(r"Message #\d+ .* at call 41: "))
    said = re.search(r"#(\d+) ", readout.inner_text())
    assert said is not None
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-messages .card.marked")).to_contain_text(f"#{said[1]} ")


def test_a_drag_that_ends_where_it_began_leaves_the_slider_free(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}/?at=115")
    chart_ready(page)
    player, receipt = page.locator(".st-key-player"), page.locator(".st-key-summary")
    at = player.get_by_role("slider", name="Call").input_value()
    back = receipt.get_by_role("button", name=re.compile("to call"))
    target = re.search(r"to call (\d+)", back.inner_text())
    assert target is not None
    assert target[1] != at
    box = player.get_by_role("slider", name="Call").bounding_box()
    assert box is not None
    start = box["x"] + 8 + (box["width"] - 16) * (int(at) - 1) / 50
    middle = box["y"] + box["height"] / 2
    page.mouse.move(start, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + 20, middle, steps=4)
    expect(player).not_to_contain_text(f"Call {at} of 51")
    page.mouse.move(start, middle - 80, steps=4)
    expect(player).to_contain_text(f"Call {at} of 51")
    page.mouse.up()
    back.click()
    expect(at_call(page, int(target[1]))).to_be_visible()
    expect(player).to_contain_text(f"Call {target[1]} of 51")


def test_a_play_begun_on_a_draft_goes_on_when_the_exact_figures_come(
    page: Page, app_url: str
) -> None:
    page.goto(f'{app_url}/?config={{"max_token_budget": 900}}')
    chart_ready(page)
    long = [{**one, "content": f"{one['content']} " * 9} for one in SESSION * 8]
    page.locator(".st-key-upload input[type=file]").set_input_files(
        {"name": "long.json", "mimeType": "application/json", "buffer": json.dumps(long).encode()}
    )
    player, estimates = page.locator(".st-key-player"), page.get_by_text("Estimates until all")
    expect(player).to_contain_text("Call 1,200 of 1,200")
    player.get_by_role("button", name="First call").click()
    expect(at_call(page, 1)).to_be_visible()
    settled(page)
    budget = page.locator(".st-key-max_token_budget input")
    budget.fill("4000")
    budget.press("Enter")
    estimates.wait_for()
    player.get_by_role("button", name="Play", exact=True).press("Enter")
    assert estimates.is_visible()
    estimates.wait_for(state="detached")
    expect(player).to_contain_text(re.compile(r"Call [1-9]\d\d of"))
    player.get_by_role("button", name="Pause").click()
