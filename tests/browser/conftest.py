"""A real browser on the real app: one server and browser for all tests, a clean page for each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    expect,
    sync_playwright,
)

from tests.setup.browser import present_browser
from tests.setup.server import running_app

FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
PATIENCE: Final = 30_000
"""Milliseconds an expectation waits: the machine may be busy."""

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def app_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of one server that all tests share."""
    with running_app(tmp_path_factory.mktemp("server") / "log.txt") as address:
        yield address


@pytest.fixture
def fresh_app_url(tmp_path: Path) -> Iterator[str]:
    """Address of a server that nobody has opened yet."""
    with running_app(tmp_path / "server.txt") as address:
        yield address


@pytest.fixture(scope="session")
def context() -> Iterator[BrowserContext]:
    """One visitor of the browser that `make test` found or installed, with a warm cache."""
    path = present_browser()
    if path is None:
        pytest.skip("no Chromium on this machine (make test installs one)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=FLAGS)
        context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
        context.set_default_timeout(PATIENCE)
        yield context
        browser.close()


@pytest.fixture
def page_errors() -> list[str]:
    """What went wrong in the page so far: errors, and addresses outside asked for."""
    return []


@pytest.fixture
def page(context: BrowserContext, page_errors: list[str]) -> Iterator[Page]:
    """An empty page of 1280 x 800; the test fails if `page_errors` is not empty at its end."""
    page = context.new_page()

    def hear(message: ConsoleMessage) -> None:
        # Streamlit asks for these two below the page's own path before it knows better.
        if message.type == "error" and "/_stcore/" not in message.location["url"]:
            page_errors.append(f"{message.text} ({message.location['url']})")

    def see(request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme in {"http", "https", "ws", "wss"} and address.hostname != "127.0.0.1":
            page_errors.append(f"asked for {request.url}")

    page.on("console", hear)
    page.on("pageerror", lambda error: page_errors.append(str(error)))
    page.on("request", see)
    yield page
    page.close()
    assert page_errors == []
