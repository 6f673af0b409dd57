"""The home page: what the model is sent at every call, and what became of each message."""

from __future__ import annotations

import streamlit as st

from pages.ui import current, views
from pages.ui.failing import guarded


@st.fragment
def _view() -> None:
    with guarded():
        now = current.get()
        replay = now.replay
        plan = views.call_point(replay, now.at)
        views.headline(replay, plan)
        views.chart(replay, plan)
        views.scrubber(replay, plan)
        left, right = st.columns([3, 2], gap="medium")
        with left:
            views.messages(replay, plan)
        with right:
            views.composition(replay, plan)
            views.summary(plan)
            views.receipt(replay, plan)
            views.repairs(replay, plan)
        current.write_link()


_view()
