"""The address of a view opens the same view somewhere else."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.looking import chart_ready, metric, settled

pytestmark = pytest.mark.browser


def all_figures(page: Page) -> list[str]:
    return page.get_by_test_id("stMetric").all_inner_texts()


def test_a_copied_address_shows_the_same_figures_in_a_fresh_browser(
    page: Page, app_url: str, context: BrowserContext
) -> None:
    page.goto(app_url)
    chart_ready(page)
    page.get_by_role("slider", name="Token budget").focus()
    page.keyboard.press("ArrowRight")
    expect(metric(page, "Sent / budget")).to_contain_text("/ 6,000")
    page.get_by_role("spinbutton", name="Window (messages)").fill("7")
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 values changed")).to_be_visible()
    page.locator(".player [data-do=back]").click()
    expect(page).to_have_url(re.compile(r"[?&]at=\d+"))
    settled(page)
    page.get_by_text("Save, share").click()
    shared = page.get_by_test_id("stSidebar").get_by_test_id("stCode")
    expect(shared).to_contain_text("at=")
    address = shared.inner_text().strip()
    seen = all_figures(page)
    assert seen
    assert address.startswith(app_url)

    browser = context.browser
    assert browser is not None
    fresh = browser.new_context()
    try:
        other = fresh.new_page()
        other.goto(address)
        chart_ready(other)
        expect(other.get_by_text("2 values changed")).to_be_visible()
        assert all_figures(other) == seen
    finally:
        fresh.close()
