"""Progress of work that may take a while; moving any control stops it."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

import streamlit as st

from memory_core.replay import Progress
from memory_core.texts import _

PATIENCE: Final = 0.5
"""Seconds of work before anything is shown."""
PAUSE: Final = 0.1
"""Seconds between two updates of the bar."""


@contextmanager
def waiting() -> Generator[Progress]:
    """A progress callback that draws a bar once the work has lasted.

    Drawing is where Streamlit ends a run that the person has moved on from, so the work stops too.
    """
    place = st.empty()
    shown = time.monotonic() + PATIENCE - PAUSE

    def show(done: int, total: int) -> None:
        nonlocal shown
        if time.monotonic() - shown >= PAUSE:
            shown = time.monotonic()
            text = _("Replaying call {done:,} of {total:,}. Moving any control stops this.")
            place.progress(done / total, text.format(done=done, total=total))

    yield show
    place.empty()
