"""The home page: what the model is sent at every call, and what became of each message."""

from __future__ import annotations

import streamlit as st

from pages.ui import current, picker, summaries, views, waiting
from pages.ui.balance import technique_balance
from pages.ui.failing import guarded
from pages.ui.headline import headline, warnings
from pages.ui.model import model_panel
from pages.ui.player import player
from pages.ui.strip import strip


@st.fragment
def _view() -> None:
    with guarded():
        now = current.get()
        if not current.is_framed(now):
            st.rerun()
        picker.problems(now)
        with waiting.shown(now) as replay:
            plan = views.call_point(replay, now.at)
            report = replay.report(plan)
            headline(replay, plan)
            warnings(replay)
            views.chart(replay, plan)
            player(replay, plan)
            strip(replay, plan)
            technique_balance(now, replay)
            left, right = st.container(key="regions").columns([3, 2], gap="medium")
            with left:
                views.messages(replay, report, now)
            with right:
                views.composition(replay, plan)
                summaries.summary_panel(
                    replay,
                    waiting.written(now, replay, plan),
                    waiting.prompts(now, replay, plan),
                )
                views.repairs(report)
        current.write_link()


model_panel(current.get())
_view()
