"""The frame of Memory Playground: menu, session picker and config controls around every page."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from memory_core.texts import _
from pages.ui import controls, current, picker
from pages.ui.failing import guarded

HOME = "pages/tune/compression.py"

st.set_page_config(
    page_title="Memory Playground", layout="wide", initial_sidebar_state=330, menu_items={}
)
st.html(Path(__file__).parent / "pages" / "ui" / "app.css")

page = st.navigation(
    {
        _("Tune"): [
            st.Page(HOME, title=_("Compression"), url_path="home", default=True),
            # The address of a default page is "/"; this one makes its name work in links too.
            st.Page(HOME, title=_("Compression"), url_path="compression", visibility="hidden"),
            st.Page("pages/tune/fact.py", title=_("Fact"), url_path="fact"),
        ],
        _("Inspect"): [st.Page("pages/inspect/session.py", title=_("Session"), url_path="session")],
    },
    position="top",
)

with guarded():
    now = current.get()
    with st.sidebar:
        picker.session_picker(now)
        controls.config_controls(now)
    current.mark_framed(now)
    with guarded():
        page.run()
    current.write_link()
