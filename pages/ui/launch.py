"""The way the app is started, so that a link to any page works on a fresh server."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click
from streamlit.runtime.pages_manager import PagesManager
from streamlit.web import cli

from memory_core.texts import _

APP: Final = Path(__file__).parents[2] / "app.py"


@click.command(help=_("Start Memory Playground and open it in the browser."))
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    help=_("Port on this machine; without it the first free one from 8501 on."),
)
@click.option("--no-browser", is_flag=True, help=_("Only say the address, open nothing."))
def launch(*, port: int | None, no_browser: bool) -> None:
    """Start the server and stay until it is stopped."""
    # A folder called `pages` beside app.py makes Streamlit look for its old kind of pages there,
    # and a link opened before the first run of app.py then shows "Page not found".
    PagesManager.uses_pages_directory = False
    options = ["--server.port", str(port)] if port else []
    if no_browser:
        options += ["--server.headless", "true"]
    cli.main(["run", str(APP), *options], prog_name="streamlit")


if __name__ == "__main__":
    launch()
