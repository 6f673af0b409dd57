"""One fact through a session: where it stands at every call, and what would have kept it."""

from __future__ import annotations

import streamlit as st

from memory_core.loss import follow, item_of, lifeline
from memory_core.replay import Replay
from memory_core.texts import _
from pages.ui import chooser, current, losses, picker, views, waiting
from pages.ui.current import Current
from pages.ui.lifelines import life
from pages.ui.losses import Measured
from pages.ui.model import model_panel
from pages.ui.remedying import Traced, remedying


def _follow(now: Current, replay: Replay, found: Measured) -> None:
    index = found.reading.index
    fact = chooser.choose(now, index, found.loss)
    if fact is None:
        st.info(_("Nothing in this session can be followed by itself: type words that it says."))
        return
    subject = follow(index, fact) if isinstance(fact, str) else item_of(index, fact)
    line = lifeline(replay, index, subject)
    life(line, calls=len(replay.plans), shown=views.call_point(replay, now.at).ordinal)
    remedying(now, Traced(fact, subject, line, replay, index))


now = current.get()
picker.problems(now)
model_panel(now)
with waiting.replayed(now) as replay:
    found = losses.measured(now, replay)
    if found is None:
        st.text(losses.coming(now))
        losses.redraw_when_known(now, replay)
    else:
        _follow(now, replay, found)
