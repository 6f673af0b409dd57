"""The sidebar under a visitor's hands: sliders with numbers beside them, presets of one's own."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looking import chart_ready, settled

pytestmark = pytest.mark.browser

BESIDE = """() => ['max_token_budget', 'target_ratio'].every(name => {
    const [slider, field] = ['-slider input', ' input'].map(
        end => document.querySelector(`.st-key-${name}${end}`).getBoundingClientRect());
    return slider.top < field.bottom && slider.bottom > field.top && slider.left < field.left;
})"""


def test_a_slider_goes_to_automatic_and_back_beside_its_number(page: Page, app_url: str) -> None:
    page.goto(app_url)
    chart_ready(page)
    page.wait_for_function(BESIDE)
    slider = page.get_by_role("slider", name="Target")
    field = page.get_by_role("spinbutton", name="Target")
    for key, value in (("ArrowRight", "0.05"), ("ArrowLeft", ""), ("End", "1"), ("Home", "")):
        slider.focus()
        page.keyboard.press(key)
        expect(field).to_have_value(value)
        settled(page)


def test_a_preset_is_saved_chosen_and_deleted(page: Page, app_url: str) -> None:
    page.goto(app_url + '/?config={"sliding_window_size": 4}')
    chart_ready(page)
    preset = page.locator(".st-key-preset").get_by_role("combobox")
    page.get_by_text("Save, share").click()
    page.get_by_placeholder("its name").fill("내 세션/1")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(preset).to_have_value("내 세션/1")
    page.reload()
    expect(preset).to_have_value("내 세션/1")
    page.get_by_text("Save, share").click()
    page.get_by_role("button", name="Delete").click()
    expect(preset).to_have_value("The article")
    expect(page.get_by_role("spinbutton", name="Window (messages)")).to_have_value("4")
