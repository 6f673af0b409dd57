"""Browser time from the release of a slider to new figures, on short and long sessions.

    python -m benchmarks.moves

The same page with sessions of 100, 1,000 and 10,000 messages, each in a tab of its own, moved in
turn; hardly a config is seen twice. Times run in the browser: from the key that moves the slider
to the new text of the figures, and to the last change of the page within a second. Frames and
bytes are those of the websocket, by run of the script.
"""

from __future__ import annotations

import json
import statistics
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import click
from playwright.sync_api import Browser, Page, WebSocket, sync_playwright
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.sessions import session
from tests.browser.conftest import FLAGS
from tests.setup.browser import present_browser
from tests.setup.server import running_app

SIZES: Final = (100, 1_000, 10_000)
PATIENCE: Final = 180_000
"""Milliseconds."""
RIGHT, LEFT = "ArrowRight", "ArrowLeft"
WAYS: Final = {
    "Token budget": (RIGHT, RIGHT, RIGHT, LEFT, LEFT, LEFT),
    "Pruning threshold": (RIGHT, RIGHT, LEFT, LEFT),
}
"""The keys pressed on each slider, again and again."""

WATCH: Final = """slider => {
    const values = '[data-testid=stMetricValue]';
    const shown = () => [...document.querySelectorAll(values)].map(one => one.innerText).join();
    const before = shown(), moved = window.moved = {start: 0, figures: 0, settled: 0};
    slider.focus();
    slider.addEventListener('keydown', () => { moved.start = performance.now(); },
        {once: true, capture: true});
    window.watcher?.disconnect();
    window.watcher = new MutationObserver(() => {
        moved.settled = performance.now();
        const now = shown();
        if (!moved.figures && now && now !== before) moved.figures = moved.settled;
    });
    window.watcher.observe(document.querySelector('[data-testid=stMain]'),
        {subtree: true, childList: true, characterData: true});
}"""


@dataclass
class Run:
    """What the server sent in one run of the script."""

    frames: int = 0
    bytes: int = 0


@dataclass
class Tab:
    """One visitor with one session, and what was measured of it, in milliseconds."""

    size: int
    page: Page
    runs: list[Run] = field(default_factory=lambda: [Run()])
    figures: list[float] = field(default_factory=list[float])
    settled: list[float] = field(default_factory=list[float])

    def hear(self, socket: WebSocket) -> None:
        """Count what the server sends."""
        socket.on("framereceived", self._count)

    def _count(self, payload: str | bytes) -> None:
        data = payload.encode() if isinstance(payload, str) else payload
        if ForwardMsg.FromString(data).WhichOneof("type") == "new_session":
            self.runs.append(Run())
        self.runs[-1].frames += 1
        self.runs[-1].bytes += len(data)


def tab(browser: Browser, address: str, size: int) -> Tab:
    """A tab in which a session of `size` messages is open."""
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.set_default_timeout(PATIENCE)
    opened = Tab(size, page)
    page.on("websocket", opened.hear)
    page.goto(address)
    page.get_by_test_id("stMetric").first.wait_for()
    history = [message.to_openai() for message in session(size, characters=310)]
    page.locator(".st-key-upload input[type=file]").set_input_files(
        {
            "name": f"{size}.json",
            "mimeType": "application/json",
            "buffer": json.dumps(history).encode(),
        }
    )
    page.get_by_text(f"{size:,} messages").first.wait_for()
    quiet(page)
    opened.runs = [Run()]
    return opened


def quiet(page: Page) -> None:
    """Wait until no script runs."""
    page.wait_for_timeout(400)
    page.wait_for_function("!document.querySelector('[data-testid=stStatusWidget]')")
    page.wait_for_timeout(200)


def move(opened: Tab, slider: str, key: str) -> None:
    """One step of a slider, measured until the page has its new figures and is drawn."""
    page = opened.page
    page.get_by_role("slider", name=slider).evaluate(WATCH)
    page.keyboard.press(key)
    page.wait_for_function("window.moved.figures > 0")
    page.wait_for_timeout(1_000)
    moved: dict[str, float] = page.evaluate("window.moved")
    opened.figures.append(moved["figures"] - moved["start"])
    opened.settled.append(moved["settled"] - moved["start"])
    quiet(page)


@click.command(help=__doc__)
@click.option("--moves", default=30, show_default=True)
def main(*, moves: int) -> None:
    """Measure, and print medians and ratios."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running_app(Path(folder) / "log.txt") as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=present_browser(), args=FLAGS)
        tabs = [tab(browser, address, size) for size in SIZES]
        for number in range(moves):
            slider = list(WAYS)[number % len(WAYS)]
            keys = WAYS[slider]
            for opened in tabs:
                move(opened, slider, keys[number // len(WAYS) % len(keys)])
        base = statistics.median(tabs[0].figures)
        for opened in tabs:
            figures = statistics.median(opened.figures)
            click.echo(
                f"{opened.size:>6,} messages: figures after {figures:5.0f} ms "
                f"({figures / base:4.2f} times the shortest session), "
                f"drawn after {statistics.median(opened.settled):5.0f} ms; at most "
                f"{max(run.frames for run in opened.runs)} frames and "
                f"{max(run.bytes for run in opened.runs):,} bytes in one rerun"
            )


if __name__ == "__main__":
    main()
