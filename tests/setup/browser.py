"""Finds a Chromium for the browser tests, or installs one where that is possible."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC: Final = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
HELP: Final = (
    "No Chromium found, and none could be installed. Install Chromium or Google Chrome, "
    "or name one with PLAYGROUND_BROWSER=/path/to/chromium."
)
OWN_BROWSER: Final = (
    "from playwright.sync_api import sync_playwright as start\n"
    "with start() as playwright: print(playwright.chromium.executable_path)"
)


def present_browser() -> str | None:
    """Path of a browser on this machine that starts: named, on the path, or Playwright's own."""
    on_path = [shutil.which(name) for name in NAMES]
    candidates = [os.environ.get("PLAYGROUND_BROWSER"), *on_path, str(MAC)]
    return next((path for path in candidates if path and _starts(path)), None) or _playwrights_own()


def install_browser() -> str | None:
    """Path of a newly installed browser: Playwright's if it can be fetched, else Debian's."""
    install = [sys.executable, "-m", "playwright", "install", "chromium"]
    _succeeds(install, seconds=300, changes={"PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": "5000"})
    return _playwrights_own() or _debians()


def _debians() -> str | None:
    if os.name != "posix" or os.geteuid() != 0 or shutil.which("apt-get") is None:
        return None
    get = ["apt-get", "-y", "-qq", "-o", "DPkg::Lock::Timeout=120"]
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    _succeeds([*get, "update"], seconds=180, changes=quiet)
    install = [*get, "install", "--no-install-recommends"]
    if not _succeeds([*install, "chromium"], seconds=600, changes=quiet):
        return None
    _succeeds([*install, "fonts-noto-cjk"], seconds=300, changes=quiet)
    return present_browser()


def _playwrights_own() -> str | None:
    found = _run([sys.executable, "-c", OWN_BROWSER], seconds=60)
    path = found.stdout.strip() if found else ""
    return path if path and _starts(path) else None


def _starts(path: str) -> bool:
    return shutil.which(path) is not None and _succeeds([path, "--version"], seconds=60)


def _succeeds(
    command: Sequence[str], *, seconds: float, changes: Mapping[str, str] | None = None
) -> bool:
    result = _run(command, seconds=seconds, changes=changes)
    return result is not None and result.returncode == 0


def _run(
    command: Sequence[str], *, seconds: float, changes: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str] | None:
    try:
        return subprocess.run(
            command,
            check=False,
            capture_output=True,
            text=True,
            timeout=seconds,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **(changes or {})},
        )
    except (OSError, subprocess.TimeoutExpired):
        return None


def main() -> None:
    """Print the path of a browser, installing one if there is none."""
    path = present_browser()
    if path is None:
        sys.stderr.write("No Chromium on this machine: installing one for the browser tests ...\n")
        path = install_browser()
    if path is None:
        sys.exit(HELP)
    sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
