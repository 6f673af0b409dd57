"""A page with nothing but the player, and in words what it made of the visitor's place."""

from __future__ import annotations

import streamlit as st

from pages.ui import cached, current, views
from pages.ui.player import player

st.set_page_config(layout="wide")


@st.fragment
def view() -> None:
    now = current.get()
    replay = cached.replayed(now.opened.digest, now.session, now.config)
    plan = views.call_point(replay, now.at)
    player(replay, plan)
    st.text(f"call {plan.ordinal + 1}, message {now.focus}")
    st.text_input("Elsewhere")


view()
