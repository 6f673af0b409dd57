"""A lost fact under a visitor's hands: found on the home page, followed, and kept by a button."""

from __future__ import annotations

import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from memory_core.config import MemoryConfig
from memory_core.facts import extract
from memory_core.loss.index import name_of
from memory_core.replay import Replay, replay
from memory_core.sessions import load_file
from pages.ui.samples import FOLDER
from tests.browser.looking import settled
from tests.loss.brute import said_in, standing_in

pytestmark = pytest.mark.browser

SAMPLE = "customer_service_ko"
MESSAGES = list(load_file(FOLDER / f"{SAMPLE}.json").sessions[0].messages)
SAID = said_in(MESSAGES)


def stands(found: Replay, name: str, call: int) -> bool:
    """Whether a reader of the window of a call, from 1, finds an item there."""
    return name in standing_in(found.report(found.plans[call - 1]), SAID)


def config_of(page: Page) -> MemoryConfig:
    parameters = parse_qs(urlsplit(page.url).query)
    return MemoryConfig(**json.loads(parameters.get("config", ["{}"])[0]))


def test_a_lost_fact_is_gone_where_a_reader_misses_it_and_a_button_keeps_it(
    page: Page, app_url: str
) -> None:
    page.goto(f"{app_url}/?sample={SAMPLE}")
    strip = page.locator(".st-key-retention")
    strip.locator("summary").click()
    first = strip.locator("li").first
    text = first.locator(".item").inner_text()
    needed = int(re.findall(r"at call (\d+)", first.inner_text())[0])
    name = name_of(extract(text)[0])
    first.get_by_role("button", name="follow").click()

    spans = page.locator(".st-key-spans tbody tr")
    expect(spans.first).to_be_visible()
    expect(page).to_have_url(re.compile(r"/fact\?.*fact=\d+"))
    rows = [row.locator("td").all_inner_texts() for row in spans.all()]
    found = replay(MESSAGES, MemoryConfig())
    assert any("gone" in row[1] for row in rows)
    for row in rows:
        start, end = (int(one) for one in (row[0].split("–") * 2)[:2])
        for call in range(start, end + 1):
            assert stands(found, name, call) == ("gone" not in row[1]), (text, call)
    (missed,) = [row for row in rows if f"lost at call {needed}" in row[2]]
    assert "gone" in missed[1]

    page.get_by_role("button", name="Find the smallest change").click()
    apply = page.locator(".st-key-remedies").get_by_role("button", name="apply")
    apply.last.click()
    expect(page.get_by_test_id("stAlert")).to_contain_text(f"At call {needed} it now stands")
    settled(page)
    changed = config_of(page)
    assert changed != MemoryConfig()
    assert stands(replay(MESSAGES, changed), name, needed)


def test_typed_words_are_followed_and_those_that_nobody_said_are_refused(
    page: Page, app_url: str
) -> None:
    page.goto(f"{app_url}/fact?sample={SAMPLE}")
    field = page.locator(".st-key-fact input")
    told = page.get_by_text(re.compile(r"messages? says? it|messages say it"))
    expect(told).to_be_visible()
    for typed, address in (("GAON.HAN@EXAMPLE.COM", r"fact=\d+"), ("배송", r"ko$")):
        field.fill(typed)
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(address))
        settled(page)
        expect(told).to_be_visible()
    field.fill("no such words 없음")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stAlert")).to_contain_text("no such words 없음")
    expect(told).to_be_visible()


def test_a_lost_item_leads_to_its_call_and_to_the_message_that_said_it(
    page: Page, app_url: str
) -> None:
    page.goto(f"{app_url}/?sample={SAMPLE}")
    strip = page.locator(".st-key-retention")
    strip.locator("summary").click()
    row = strip.locator(".go").first
    message, call = re.findall(r"#(\d+), needed at call (\d+)", row.inner_text())[0]
    row.click()
    expect(page.get_by_role("heading", name=re.compile(f"at call {call}$"))).to_be_visible()
    expect(page.locator(".st-key-messages .card.marked")).to_contain_text(f"#{message} ")
    strip.get_by_role("combobox").select_option(index=1)
    kind = strip.get_by_role("combobox").input_value()
    assert kind
    settled(page)
    expect(strip.locator("details")).to_have_attribute("open", "")
    assert strip.locator("li").count() <= 8
