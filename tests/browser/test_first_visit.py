"""What a visitor meets first: links that work on a fresh server, and a page that is whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looking import chart_ready, metric

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("address", ["/session", "/compression"])
def test_a_deep_link_on_a_fresh_server_shows_page_and_frame_without_a_dialog(
    fresh_app_url: str, page: Page, address: str
) -> None:
    page.goto(fresh_app_url + address)
    title = "What was read" if address == "/session" else "What the window is made of"
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    expect(page.get_by_label("Token budget").first).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_text("Page not found")).to_have_count(0)
    assert page.url.startswith(fresh_app_url + address)


def test_the_home_page_shows_figures_and_charts_of_a_sample(
    page: Page, app_url: str, tmp_path: Path
) -> None:
    page.goto(app_url)
    chart_ready(page)
    expect(metric(page, "Tokens sent")).to_contain_text("/ 4,000")
    expect(page.get_by_test_id("stException")).to_have_count(0)
    picture = page.screenshot(path=tmp_path / "home.png")
    assert len(picture) > 30_000
    right = page.evaluate("document.documentElement.scrollWidth")
    assert right <= 1280
    cut = page.evaluate(
        """() => [...document.querySelectorAll('[data-testid=stMetricValue] > div')]
            .filter(box => box.scrollWidth > box.clientWidth + 1).map(box => box.innerText)"""
    )
    assert cut == []
