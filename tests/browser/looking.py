"""What browser tests look for on the pages."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect


def chart_ready(page: Page) -> Locator:
    """The large chart, once it is drawn."""
    chart = page.locator(".js-plotly-plot").first
    expect(chart.locator(".scatterlayer .point").first).to_be_visible()
    return chart


def metric(page: Page, label: str) -> Locator:
    """One of the figures at the top."""
    return page.get_by_test_id("stMetric").filter(has_text=label)


def settled(page: Page) -> None:
    """Wait until no script runs."""
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
