"""The home page: what the model is sent at every call, and what became of each message."""

from __future__ import annotations

import streamlit as st

from pages.ui import current, picker, views, waiting
from pages.ui.failing import guarded
from pages.ui.headline import headline, warnings


@st.fragment
def _view() -> None:
    with guarded():
        now = current.get()
        picker.problems(now)
        top = st.empty()
        early = waiting.first(now)
        if early is not None:
            with top.container():
                headline(early, views.call_point(early, now.at), is_first=True)
        with waiting.shown(now) as replay:
            plan = views.call_point(replay, now.at)
            report = replay.report(plan)
            with top.container():
                headline(replay, plan)
            warnings(replay)
            views.chart(replay, plan)
            views.scrubber(replay, plan)
            left, right = st.container(key="regions").columns([3, 2], gap="medium")
            with left:
                views.messages(replay, report, page=now.page)
            with right:
                views.composition(replay, plan)
                views.summary(replay, plan)
                views.receipt(replay, report)
                views.repairs(report)
        current.write_link()


_view()
