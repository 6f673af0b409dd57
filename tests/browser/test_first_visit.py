"""What a visitor meets first: links that work on a fresh server, and a page that is whole."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looking import chart_ready, metric

pytestmark = pytest.mark.browser

FITS = """width => document.documentElement.scrollWidth <= width
    && [...document.querySelectorAll('[data-testid=stMetric] *')]
        .every(box => box.scrollWidth <= box.clientWidth + 1 || !box.clientWidth)"""


def test_deep_links_on_a_fresh_server_show_page_and_frame_without_a_dialog(
    fresh_app_url: str, page: Page
) -> None:
    for address, title in (
        ("/session", "Tokens by role and tool"),
        ("/compression", "What the window is made of"),
    ):
        page.goto(fresh_app_url + address)
        expect(page.get_by_role("heading", name=title)).to_be_visible()
        expect(page.get_by_label("Token budget").first).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.get_by_text("Page not found")).to_have_count(0)
        expect(page).to_have_url(re.compile(re.escape(fresh_app_url + address)))


def test_the_home_page_shows_figures_and_charts_of_a_sample_and_cuts_no_word(
    page: Page, app_url: str
) -> None:
    page.goto(app_url)
    chart_ready(page)
    expect(metric(page, "Sent / budget")).to_contain_text("/ 4,000")
    expect(page.get_by_role("heading", name="Within 4,000 tokens")).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
    page.wait_for_function(FITS, arg=1280)
    page.set_viewport_size({"width": 700, "height": 800})
    page.wait_for_function(FITS, arg=700)
