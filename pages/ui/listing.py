"""The messages before a call, a page at a time: what became of each, why, and its text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import streamlit as st

from memory_core.plan import State
from memory_core.replay import Replay
from memory_core.report import Report
from memory_core.texts import _
from memory_core.window import Fate
from pages.ui import changes, current, marked
from pages.ui.current import Current
from pages.ui.excerpts import fitted, pattern
from pages.ui.message_cards import Cards
from pages.ui.states import LOOKS, state_name

PER_PAGE: Final = 20
LIST: Final = "messages"


@dataclass(frozen=True, slots=True)
class Filters:
    """Which messages are listed; empty and None = all."""

    states: Sequence[State] = ()
    roles: Sequence[str] = ()
    found: re.Pattern[str] | None = None

    @property
    def hide(self) -> bool:
        """Whether any of them is set."""
        return bool(self.states or self.roles or self.found)


def message_list(replay: Replay, report: Report, now: Current) -> None:
    """Filters, and one page of the messages up to the call and the answer to it.

    It is the page with the message that is looked at, else the chosen one, else the newest.
    """
    filters = _filters(replay, report.fates)
    cards = Cards(replay, report, focus=now.focus)
    fates = [fate for fate in report.fates if _fits(fate, filters, cards)]
    if now.focus is not None and filters.hide and now.focus not in [one.index for one in fates]:
        st.caption(_("The filters rest while you look at message #{n}.").format(n=now.focus))
        filters, fates = Filters(), list(report.fates)
    listed: list[Fate | None] = [*fates]
    if not filters.hide and report.plan.at < len(replay.messages):
        listed.append(None)
    if not listed:
        st.caption(_("No message before this call fits the filters: take one of them off."))
    start = (_page(listed, report.plan.at, now) - 1) * PER_PAGE
    shown = [
        cards.answer() if fate is None else cards.of(fate)
        for fate in listed[start : start + PER_PAGE]
    ]
    marked.cards(fitted(shown, found=filters.found), key=LIST)


def _fits(fate: Fate, filters: Filters, cards: Cards) -> bool:
    role = cards.replay.messages[fate.index].role
    return (
        (not filters.states or fate.state in filters.states)
        and (not filters.roles or role in filters.roles)
        and (filters.found is None or filters.found.search(cards.text(fate)) is not None)
    )


def _page(listed: Sequence[Fate | None], at: int, now: Current) -> int:
    pages = max(1, -(-len(listed) // PER_PAGE))
    wanted = now.page
    if now.focus is not None:
        wanted = _page_of(listed, at, now.focus) or wanted
    page = min(wanted or pages, pages)
    if pages > 1:
        current.show(changes.PAGE, page)
        st.pagination(pages, key=changes.PAGE, on_change=changes.turn_page, args=(pages,))
    return page


def _page_of(listed: Sequence[Fate | None], at: int, focus: int) -> int | None:
    indices = [at if fate is None else fate.index for fate in listed]
    if focus in indices:
        return indices.index(focus) // PER_PAGE + 1
    st.caption(_("Message #{n} comes after this call: go on to see it.").format(n=focus))
    return None


def _filters(replay: Replay, fates: Sequence[Fate]) -> Filters:
    counts = {state: sum(fate.state is state for fate in fates) for state in State}
    states = st.pills(
        _("State"),
        list(State),
        format_func=lambda state: _counted(state, counts[state]),
        selection_mode="multi",
        key=changes.STATES,
        wrap=True,
        persist_state="session",
        on_change=changes.look_through,
    )
    roles = st.pills(
        _("Role"),
        sorted({message.role for message in replay.messages}),
        selection_mode="multi",
        key="roles",
        wrap=True,
        persist_state="session",
        on_change=changes.look_through,
    )
    wanted = st.text_input(
        _("Search"),
        key="search",
        placeholder=_("text, tool or argument"),
        persist_state="session",
        on_change=changes.look_through,
        help=_("Upper and lower case are alike. The messages that hold it are listed."),
        width=220,
    )
    return Filters(states, roles, pattern(wanted))


def _counted(state: State, count: int) -> str:
    text = f"{LOOKS[state].glyph} {state_name(state)} {count:,}"
    return text if count else f":gray[{text}]"
