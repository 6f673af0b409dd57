"""The home page: what the model is sent at every call, and what became of each message."""

from __future__ import annotations

import streamlit as st

from pages.ui import current, losses, picker, retention, summaries, views, waiting
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
        losses.book(now).rest()
        picker.problems(now)
        with waiting.shown(now) as replay:
            plan = views.call_point(replay, now.at)
            report = replay.report(plan)
            row = headline(replay, plan)
            warnings(replay)
            views.chart(replay, plan)
            player(replay, plan)
            strip(replay, plan)
            technique_balance(now, replay)
            # Laid out by CSS: columns and rows would take a block more each.
            regions = st.container(key="regions")
            with regions.container(key="left", horizontal=True, vertical_alignment="bottom"):
                views.messages(replay, report, now)
            with regions.container(key="right"):
                views.composition(replay, plan)
                summaries.summary_panel(
                    replay,
                    waiting.written(now, replay, plan),
                    waiting.prompts(now, replay, plan),
                )
                views.repairs(report)
            # Last: what takes longest keeps nothing else from being seen.
            retention.kept(now, replay, row)
        current.write_link()


model_panel(current.get())
_view()
