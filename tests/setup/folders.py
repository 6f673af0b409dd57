"""Where the tests find the project and the shared data that is not part of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
SHARED: Final = Path(os.environ.get("PLAYGROUND_SHARED") or ROOT.parent / "shared")


def project_files(*suffixes: str) -> list[Path]:
    """Every file of the project with one of `suffixes` (without any: all), ignored folders out."""
    ignored = {
        line.rstrip("/")
        for line in (ROOT / ".gitignore").read_text().splitlines()
        if line.endswith("/")
    }
    found: list[Path] = []
    folders = [ROOT]
    while folders:
        for path in sorted(folders.pop().iterdir()):
            if path.is_dir():
                if path.name != ".git" and not any(path.match(pattern) for pattern in ignored):
                    folders.append(path)
            elif path.is_file() and (not suffixes or path.suffix in suffixes):
                found.append(path)
    return sorted(found)
