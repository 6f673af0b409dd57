"""The search for the smallest change that keeps something, off the page's thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import streamlit as st

from memory_core.config import MemoryConfig
from memory_core.errors import Cancelled
from memory_core.loss import Index, Remedy, Subject, remedies
from memory_core.replay import Replay
from memory_core.summarizing import Summarizer
from memory_core.texts import _
from pages.ui.failing import told

END_SECONDS: Final = 1.0
"""The longest a cancel waits; mostly the next call of a replay ends the search."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is looked for: a change of this config under which a fact stands at a call point."""

    session: tuple[str, str]
    config: MemoryConfig
    fact: int | str
    at: int


class Seeking:
    """One search in a thread of its own; it ends early when it is stopped or nobody wants it."""

    def __init__(
        self,
        question: Question,
        replay: Replay,
        index: Index,
        subject: Subject,
        *,
        summarizer: Callable[[], Summarizer | None],
        is_wanted: Callable[[], bool],
    ) -> None:
        self.question = question
        self.settled, self.settings = 0, 1
        """Settings tried to the end, of all."""
        self.remedies: tuple[Remedy, ...] = ()
        self.failure = ""
        """Why it ended early, in words; "" where it did not."""
        self.taken: Remedy | None = None
        """The remedy whose config was taken over last."""
        self._stop = threading.Event()
        self._is_wanted = is_wanted
        self._thread = threading.Thread(
            target=self._run, args=(replay, index, subject, summarizer), daemon=True
        )
        self._thread.start()

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    def stop(self) -> None:
        """End it, mostly at once."""
        self._stop.set()
        self._thread.join(END_SECONDS)

    def take(self, place: int) -> MemoryConfig:
        """The config of a remedy, which is the one in force from here on."""
        self.taken = self.remedies[place]
        return self.taken.config

    def _run(
        self,
        replay: Replay,
        index: Index,
        subject: Subject,
        summarizer: Callable[[], Summarizer | None],
    ) -> None:
        with told(self._fail):
            self.remedies = remedies(
                replay,
                index,
                subject,
                self.question.at,
                summarizer=summarizer,
                progress=self._look,
            )

    def _look(self, settled: int, settings: int) -> None:
        self.settled, self.settings = settled, settings
        if self._stop.is_set() or not self._is_wanted():
            raise Cancelled(_("Called off."))

    def _fail(self, reason: str) -> None:
        self.failure = reason


@dataclass
class _Kept:
    seeking: Seeking | None = None


def found() -> Seeking | None:
    """The visitor's search, running or done; None before the first."""
    return _kept().seeking


def keep(seeking: Seeking) -> None:
    """From here on this is the visitor's search; one before it ends."""
    before = _kept().seeking
    if before is not None:
        before.stop()
    _kept().seeking = seeking


@st.cache_resource(scope="session", show_spinner=False)
def _kept() -> _Kept:
    return _Kept()
