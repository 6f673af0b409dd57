"""The area a page draws in, and the progress of its replay; moving any control stops that."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from memory_core.replay import Progress, Replay
from memory_core.texts import _
from pages.ui import cached, current
from pages.ui.current import Current
from pages.ui.plain import literal

PATIENCE: Final = 0.5
"""Seconds of work before its progress is shown."""
PAUSE: Final = 0.1
"""Seconds between two updates of the bar."""


@contextmanager
def replayed(now: Current) -> Generator[Replay]:
    """The replay of what is open; what the block draws stands in the place of the last page.

    While a replay lasts, the page of another session is taken away first.
    """
    is_quick = cached.is_replayed(now.opened.digest, now.session, now.config)
    is_stale = not is_quick and not current.is_drawn(now)
    above = st.empty()
    area = st.empty() if is_stale else st.container()
    name = literal(now.opened.label)
    if is_stale:
        above.markdown(_("Replaying {session} …").format(session=name))
    progress = _bar(above, name)
    found = cached.replayed(now.opened.digest, now.session, now.config, progress=progress)
    above.empty()
    current.mark_drawn(now)
    with area.container() if is_stale else area:
        yield found


def _bar(place: DeltaGenerator, name: str) -> Progress:
    """A progress callback that draws a bar once the work has lasted.

    Drawing is where Streamlit ends a run that the person has moved on from, so the work stops too.
    """
    shown = time.monotonic() + PATIENCE - PAUSE

    def show(done: int, total: int) -> None:
        nonlocal shown
        if time.monotonic() - shown >= PAUSE:
            shown = time.monotonic()
            text = _(
                "Replaying {session}: call {done:,} of {total:,}. Moving any control stops this."
            ).format(session=name, done=done, total=total)
            place.progress(done / total, text)

    return show
