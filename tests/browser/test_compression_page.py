"""The compression page under a visitor's hands."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.looking import chart_ready, metric, settled

pytestmark = pytest.mark.browser

HOSTILE = [
    {
        "role": "user",
        "content": "<script>document.title='taken'</script><img src=x onerror=alert(1)>",
    },
    {"role": "assistant", "content": "from $119.6 to $300 ~~gone~~ :red[hot] :smile:"},
    {"role": "user", "content": "![x](http://127.0.0.1:9/pixel.png) <b>bold</b>"},
    {"role": "assistant", "content": "שלום עולם · 안녕하세요 · 👩‍👧 · ok"},
    {"role": "user", "content": "y" * 100_000},
]

PLACE_OF_MARK = """(chart, call) => {
    const {left, top} = chart.getBoundingClientRect(), {xaxis, yaxis} = chart._fullLayout;
    const line = chart._fullData.find(trace => trace.name === 'sent');
    const tokens = line.y[Array.from(line.x).indexOf(call)];
    return [left + xaxis._offset + xaxis.l2p(call), top + yaxis._offset + yaxis.l2p(tokens)];
}"""


def upload(page: Page, name: str, data: bytes) -> None:
    page.locator(".st-key-upload input[type=file]").set_input_files(
        {"name": name, "mimeType": "application/json", "buffer": data}
    )


def go_to(page: Page, section: str, title: str) -> None:
    page.locator("header").get_by_text(section, exact=True).click()
    page.get_by_test_id("stTopNavDropdownLink").filter(has_text=title).click()


def choose_sample(page: Page, label: str) -> None:
    page.locator(".st-key-sample").get_by_role("combobox").click()
    page.get_by_role("option", name=label).click()


def at_call(page: Page, number: int) -> Locator:
    return page.get_by_role("heading", name=re.compile(f"at call {number}$"))


def test_a_slider_changes_the_figures_and_survives_a_page_change_and_a_reload(
    page: Page, app_url: str
) -> None:
    page.goto(app_url)
    chart_ready(page)
    before = metric(page, "Sent / budget").inner_text()
    slider = page.get_by_role("slider", name="Token budget")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(metric(page, "Sent / budget")).to_contain_text("/ 6,000")
    expect(metric(page, "Sent / budget")).not_to_have_text(before, use_inner_text=True)
    after = metric(page, "Sent / budget").inner_text()
    go_to(page, "Inspect", "Session")
    expect(page.get_by_role("heading", name="Tokens by role and tool")).to_be_visible()
    go_to(page, "Tune", "Compression")
    expect(metric(page, "Sent / budget")).to_have_text(after, use_inner_text=True)
    expect(page).to_have_url(re.compile("config="))
    page.reload()
    expect(metric(page, "Sent / budget")).to_have_text(after, use_inner_text=True)


def test_a_click_on_a_mark_goes_to_its_call_again_and_again(page: Page, app_url: str) -> None:
    page.goto(app_url)
    for number in (10, 20, 10):
        x, y = chart_ready(page).evaluate(PLACE_OF_MARK, number)
        page.mouse.click(x, y)
        expect(at_call(page, number)).to_be_visible()
        settled(page)
        page.get_by_role("button", name="One call on").click()
        expect(at_call(page, number + 1)).to_be_visible()
        settled(page)
    expect(page).to_have_url(re.compile(r"at=\d+"))


def test_an_upload_opens_and_a_bad_one_leaves_it_open(page: Page, app_url: str) -> None:
    page.goto(app_url)
    upload(page, "mine.json", json.dumps([{"role": "user", "content": "안녕 only mine"}]).encode())
    mine = page.locator(".st-key-messages .text").filter(has_text="안녕 only mine")
    expect(mine).to_be_visible()
    upload(page, "bad.json", b"{")
    expect(page.get_by_test_id("stAlert").filter(has_text="bad.json")).to_be_visible()
    expect(mine).to_be_visible()
    expect(page.get_by_text("Traceback")).to_have_count(0)


def test_the_page_of_another_session_is_gone_while_a_new_one_is_replayed(
    page: Page, app_url: str
) -> None:
    page.goto(app_url)
    chart_ready(page)
    long = [
        {"role": role, "content": f"{role} {n}: " + f"단어{n} word{n} " * 60}
        for n in range(1500)
        for role in ("user", "assistant")
    ]
    upload(page, "long.json", json.dumps(long).encode())
    expect(page.get_by_text("Replaying long.json: call")).to_be_visible()
    expect(at_call(page, 51)).to_have_count(0)
    choose_sample(page, "Broken recording")
    expect(at_call(page, 11)).to_be_visible()
    expect(page.get_by_text("Replaying")).to_have_count(0)


def test_a_saved_config_holds_what_was_changed_but_no_pins(page: Page, app_url: str) -> None:
    page.goto(app_url + '/?config={"pins": [3], "sliding_window_size": 4}')
    page.get_by_text("Save, share", exact=True).click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the config as JSON").click()
    config = json.loads(saved.value.path().read_text())
    assert config["sliding_window_size"] == 4
    assert "pins" not in config


def test_hostile_text_stands_there_as_text(page: Page, app_url: str) -> None:
    page.goto(app_url)
    chart_ready(page)
    title = page.title()
    upload(page, "hostile.json", json.dumps(HOSTILE).encode())
    for message in HOSTILE:
        text = message["content"][:3000]
        shown = page.locator(".st-key-messages .text").filter(has_text=text)
        expect(shown.first).to_be_attached()
        assert (shown.first.text_content() or "").startswith(text)
    expect(page.get_by_text("of 100,000 characters")).to_be_visible()
    expect(page.locator("[data-testid=stMain] :is(b > i, .katex, img)")).to_have_count(0)
    assert page.title() == title
    page.wait_for_function("document.documentElement.scrollWidth <= 1280")


def test_a_source_of_the_summary_comes_into_view_again_and_again(page: Page, app_url: str) -> None:
    page.goto(app_url)
    link = page.locator(".st-key-summary .link", has_text="[#24]").first
    target = page.locator(".st-key-messages .card[data-id='24']")
    for _time in range(2):
        link.click()
        expect(target).to_be_in_viewport(ratio=0.5)
        expect(target).to_have_attribute("aria-current", "true")
        settled(page)
        link.scroll_into_view_if_needed()
        expect(target).not_to_be_in_viewport(ratio=0.5)
    target.get_by_role("button", name="to its call").click()
    expect(page.locator(".st-key-messages .card.marked")).to_contain_text("assistant read_file")


def test_a_pin_is_set_and_taken_off_by_keyboard_and_the_focus_stays(
    page: Page, app_url: str
) -> None:
    page.goto(app_url)
    card = page.locator(".st-key-messages .card[data-id='143']")
    pin = card.get_by_role("button", name=re.compile("pin$"))
    for pressed, chip in (("true", "pinned"), ("false", "summarised")):
        pin.focus()
        page.keyboard.press("Enter")
        expect(pin).to_have_attribute("aria-pressed", pressed)
        expect(card.locator(".chip")).to_contain_text(chip)
        expect(pin).to_be_focused()
        settled(page)


def test_the_text_of_a_card_can_be_copied_whole(page: Page, app_url: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(app_url)
    said = "\n  first <b>line</b>\n\n마지막 줄 \n"
    upload(page, "mine.json", json.dumps([{"role": "user", "content": said}]).encode())
    card = page.locator(".st-key-messages .card").filter(has_text="<b>line</b>")
    copy = card.get_by_role("button", name="copy")
    copy.click()
    expect(card.get_by_role("button", name="copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == said
