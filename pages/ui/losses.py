"""What was measured of one visitor's sessions: each is read once, each replay measured once.

Both take place off the page's thread, and rest while a page is being drawn.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import streamlit as st

from memory_core.errors import Cancelled
from memory_core.loss import Index, Loss, Needs, measure, needs_of
from memory_core.messages import ChatMessage
from memory_core.replay import Replay
from memory_core.texts import _
from pages.ui import current
from pages.ui.current import Current
from pages.ui.failing import told

MOST_MEASURED: Final = 24
"""Newest replays of one session whose losses are kept."""
PATIENCE: Final = 1.5
"""Seconds that a page, drawn otherwise, waits for figures before it says that they are coming."""
LOOK_SECONDS: Final = 0.05
"""Between two looks whether the person has moved on."""
LONGEST_REST: Final = 5.0
"""Seconds after which work goes on, though the page never said that it is drawn."""
POLL_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class Reading:
    """A session as it was read, for every config."""

    index: Index
    needs: Needs


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """The loss of a replay beside that of the config shown before; None at the first."""

    reading: Reading
    loss: Loss
    before: Loss | None


@dataclass
class Book:
    """What is known of one session, and the thread that finds out more."""

    messages: Sequence[ChatMessage]
    reading: Reading | None = None
    losses: list[tuple[Replay, Loss]] = field(default_factory=list[tuple[Replay, Loss]])
    """The newest last."""
    shown: tuple[Loss, Loss | None] | None = None
    failure: str = ""
    done: int = 0
    """Messages read so far."""
    _wanted: Replay | None = None
    _is_working: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _free: threading.Event = field(default_factory=threading.Event)

    def known(self, replay: Replay) -> Loss | None:
        """The loss of a replay, if it was measured."""
        return next((loss for one, loss in self.losses if one is replay), None)

    def rest(self) -> None:
        """Let the page be drawn first."""
        self._free.clear()

    def want(self, replay: Replay | None) -> None:
        """Measure this replay next, and no other; the page is drawn now."""
        self._free.set()
        with self._lock:
            self._wanted = replay
            if replay is None or self._is_working or self.known(replay) is not None:
                return
            self._is_working = True
        threading.Thread(target=self._work, daemon=True).start()

    def _work(self) -> None:
        while (replay := self._next()) is not None:
            self.failure = ""
            with told(self._fail):
                self._measure(replay)

    def _next(self) -> Replay | None:
        with self._lock:
            wanted = self._wanted
            is_open = wanted is not None and self.known(wanted) is None and not self.failure
            self._is_working = is_open
            return wanted if is_open else None

    def _measure(self, replay: Replay) -> None:
        if self.reading is None:
            index = Index(self.messages, progress=self._read)
            self.reading = Reading(index, needs_of(index))
        try:
            loss = measure(
                replay,
                self.reading.index,
                self.reading.needs,
                progress=lambda _done, _calls: self._look(replay),
            )
        except Cancelled:
            return
        self.losses = [*self.losses, (replay, loss)][-MOST_MEASURED:]

    def _read(self, done: int, _messages: int) -> None:
        self.done = done
        self._free.wait(LONGEST_REST)

    def _look(self, replay: Replay) -> None:
        self._free.wait(LONGEST_REST)
        if self._wanted is not replay:
            raise Cancelled(_("Another config is shown by now."))

    def _fail(self, reason: str) -> None:
        self.failure = reason


def book(now: Current) -> Book:
    """What is known of the session that is open."""
    return _book((now.opened.digest, now.session.id), now.session.messages)


def measured(now: Current, replay: Replay) -> Measured | None:
    """What a replay loses, beside what the one shown before it lost; None while that is not known.

    Call it when the page is drawn: it waits a little, and ends when the person moves on.
    """
    own = book(now)
    own.failure = ""
    own.want(replay)
    deadline = time.monotonic() + PATIENCE
    while (loss := own.known(replay)) is None and not own.failure:
        if time.monotonic() > deadline:
            return None
        time.sleep(LOOK_SECONDS)
        # Reading the state is where Streamlit ends a run that was overtaken.
        current.get()
    if loss is None or own.reading is None:
        return None
    if own.shown is None or own.shown[0] is not loss:
        own.shown = loss, own.shown[0] if own.shown else None
    return Measured(own.reading, *own.shown)


def coming(now: Current) -> str:
    """What is being done, or why it failed, in words."""
    own = book(now)
    if own.failure:
        return own.failure
    if own.reading is None and own.done:
        return _("The session is being read, once: message {done:,} of {total:,} …").format(
            done=own.done, total=len(own.messages)
        )
    return _("What the windows keep of it is being worked out …")


def redraw_when_known(now: Current, replay: Replay) -> None:
    """Draw the whole page again once a replay is measured."""
    own = book(now)

    @st.fragment(run_every=POLL_SECONDS)
    def look() -> None:
        if own.known(replay) is not None or own.failure:
            st.rerun()

    if not own.failure:
        look()


@st.cache_resource(max_entries=4, scope="session", show_spinner=False)
def _book(key: tuple[str, ...], _messages: Sequence[ChatMessage]) -> Book:  # noqa: ARG001
    return Book(_messages)
