"""Choosing what to follow: items and statements of a session, lost ones first, or any words."""

from __future__ import annotations

from typing import Final

import streamlit as st

from memory_core.loss import Index, Loss
from memory_core.texts import _
from pages.ui import changes, current
from pages.ui.current import Current
from pages.ui.things import Things

MOST_OPTIONS: Final = 300


def choose(now: Current, index: Index, loss: Loss) -> int | str | None:
    """The number of the chosen item, or the words that were typed; None for nothing.

    A statement goes by its words. Nothing chosen so far is the item lost most often.
    """
    things = Things(index, loss)
    row = st.container(horizontal=True, key="choosing", vertical_alignment="bottom")
    kinds = row.multiselect(
        _("Kinds"),
        things.kinds,
        format_func=things.counted,
        key=changes.KINDS,
        placeholder=_("all kinds"),
        persist_state="session",
        width=300,
    )
    options = things.ordered(kinds)
    chosen = _known(now.fact, index)
    if chosen is None:
        chosen = next(iter(options), None)
    listed = options[:MOST_OPTIONS]
    if chosen is not None and chosen not in listed:
        listed.insert(0, chosen)
    current.show(changes.FACT, chosen)
    row.selectbox(
        _("What to follow: choose it, or type any words of the session"),
        listed,
        format_func=things.label,
        key=changes.FACT,
        on_change=changes.follow_chosen,
        accept_new_options=True,
        help=_("What was lost comes first (✖), then what was said most often.")
        + _hidden(len(options)),
    )
    return chosen


def _known(fact: int | str | None, index: Index) -> int | str | None:
    """What is followed, unless a link names an item that is not there."""
    if isinstance(fact, int) and fact >= len(index.items):
        line = _("The link asks for item {n:,}, but the session has {all:,}, from 0 on.")
        st.info(line.format(n=fact, all=len(index.items)))
        return None
    return fact


def _hidden(options: int) -> str:
    if options <= MOST_OPTIONS:
        return ""
    return " " + _("The first {n:,} of {all:,} are listed; type any other one.").format(
        n=MOST_OPTIONS, all=options
    )
