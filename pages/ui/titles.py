"""The head of a region: its title, and one sentence that says what to see in it."""

from __future__ import annotations

import streamlit as st


def titled(title: str, text: str) -> None:
    """One element for both; neither may hold text of a session."""
    st.markdown(f"### {title}\n:small[:gray[{text}]]")
