"""The area a page draws in, and the progress of its replay; moving any control stops that."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final, Protocol

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from memory_core.config import MemoryConfig
from memory_core.plan import Plan
from memory_core.replay import Progress, Replay
from memory_core.replay import written as write
from memory_core.sessions.session import Session
from memory_core.texts import _
from pages.ui import cached, current
from pages.ui.current import Current
from pages.ui.plain import literal

PATIENCE: Final = 0.5
"""Seconds of work before its progress is shown."""
SHORT: Final = 250
"""Messages up to which a replay is as quick as a draft, for a person."""
PAUSE: Final = 2.0
"""Seconds between two updates of the bar: each is a message to the browser."""
LOOK_SECONDS: Final = 0.2
"""Seconds between two looks whether the person has moved on."""


@contextmanager
def shown(now: Current) -> Generator[Replay]:
    """The replay, or of a longer session first a draft of it.

    After a draft was drawn the replay is made, and the page drawn again with its figures.
    """
    if _is_known(now) or len(now.session.messages) <= SHORT:
        with replayed(now) as found:
            yield found
        return
    above = st.empty()
    with _in_place(now, above, cached.drafted) as found:
        yield found
    if found.is_draft:
        cached.replayed(now.opened.digest, now.session, now.config, progress=bar(above, now))
        st.rerun()


@contextmanager
def replayed(now: Current) -> Generator[Replay]:
    """The replay of what is open; what the block draws stands in the place of the last page."""
    with _in_place(now, st.empty(), cached.replayed) as found:
        yield found


def written(now: Current, replay: Replay, plan: Plan) -> Plan:
    """The plan with the text of its summary, also where the replay is a draft."""
    # Notes of a model need the ones before them: extracts stand in for those.
    made = cached.extracts if now.config.summarizer == "model" else cached.summarizer
    summarize = made(now.opened.digest, now.session, now.config)
    if summarize is None or not replay.is_draft:
        return plan
    return write(replay, plan, summarize)


def prompts(now: Current, replay: Replay, plan: Plan) -> list[str]:
    """What a model is asked for the summary of a plan, word for word; [] without a model."""
    receipt = replay.receipt_of(plan)
    if now.config.summarizer != "model" or replay.is_draft or receipt is None:
        return []
    return cached.notes().prompts(replay.request(receipt), now.config)


class _Making(Protocol):
    def __call__(
        self, digest: str, session: Session, config: MemoryConfig, *, progress: Progress
    ) -> Replay: ...


@contextmanager
def _in_place(now: Current, above: DeltaGenerator, make: _Making) -> Generator[Replay]:
    """What `make` makes, with its progress `above`.

    While that lasts, the page of another session is taken away first.
    """
    is_stale = not _is_known(now) and not current.is_drawn(now)
    area = st.empty() if is_stale else st.container()
    if is_stale:
        above.markdown(_("Replaying {session} …").format(session=_name(now)))
    progress = bar(above, now)
    found = make(now.opened.digest, now.session, now.config, progress=progress)
    above.empty()
    current.mark_drawn(now)
    with area.container() if is_stale else area:
        yield found


def _is_known(now: Current) -> bool:
    return cached.is_replayed(now.opened.digest, now.session, now.config)


def _name(now: Current) -> str:
    return literal(now.opened.label)


def bar(place: DeltaGenerator, now: Current) -> Progress:
    """A progress callback that draws a bar once the work has lasted.

    It ends the work where the person has moved on.
    """
    name, looked = _name(now), time.monotonic()
    drawn = looked + PATIENCE - PAUSE

    def show(done: int, total: int) -> None:
        nonlocal looked, drawn
        moment = time.monotonic()
        if moment - looked < LOOK_SECONDS:
            return
        looked = moment
        # Reading the state is where Streamlit ends a run that was overtaken, and sends nothing.
        current.get()
        if moment - drawn >= PAUSE:
            drawn = moment
            text = _(
                "Replaying {session}: call {done:,} of {total:,}. Moving any control stops this."
            ).format(session=name, done=done, total=total)
            place.progress(done / total, text)

    return show
