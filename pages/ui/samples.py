"""The sessions that come with the app."""

from __future__ import annotations

from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parents[2] / "sample_sessions"
FIRST: Final = "coding_agent"


def sample_names() -> list[str]:
    """Names of the samples, the one shown at the first visit first."""
    return sorted(
        (path.stem for path in FOLDER.glob("*.json")), key=lambda name: (name != FIRST, name)
    )


def read_sample(name: str) -> bytes:
    """The file of a sample; `name` is one of `sample_names()`."""
    return (FOLDER / f"{name}.json").read_bytes()
