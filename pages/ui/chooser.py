"""Choosing what to follow: the items of a session, those lost and needed first, or any words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st

from memory_core.facts import FactKind
from memory_core.loss import Index, Loss, Need
from memory_core.texts import _, ngettext
from pages.ui import changes, current
from pages.ui.current import Current
from pages.ui.kinds import kind_name
from pages.ui.losses import lost_items
from pages.ui.plain import brief

MOST_OPTIONS: Final = 300
LONGEST: Final = 80
"""Characters of an item that are shown."""


def choose(now: Current, index: Index, loss: Loss) -> int | str | None:
    """The number of the chosen item, or the words that were typed; None for nothing.

    Nothing chosen so far is the item lost most often.
    """
    lost = lost_items(loss)
    row = st.container(horizontal=True, key="choosing", vertical_alignment="bottom")
    counts = {kind: _counted(index, lost, kind) for kind in index.kinds}
    kinds = row.multiselect(
        _("Kinds"),
        index.kinds,
        format_func=counts.__getitem__,
        key=changes.KINDS,
        placeholder=_("all kinds"),
        persist_state="session",
        width=300,
    )
    options = ordered(index, lost, kinds)
    chosen = _known(now.fact, index)
    if chosen is None:
        chosen = next(iter(options), None)
    listed: list[int | str] = [*options[:MOST_OPTIONS]]
    if chosen is not None and chosen not in listed:
        listed.insert(0, chosen)
    current.show(changes.FACT, chosen)
    row.selectbox(
        _("Item to follow: choose one, or type any words of the session"),
        listed,
        format_func=lambda one: _label(index, lost, one),
        key=changes.FACT,
        on_change=changes.follow_chosen,
        accept_new_options=True,
        help=_("Lost and needed ones come first (✖), then those needed again or said most often.")
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


def ordered(
    index: Index, lost: Mapping[int, Sequence[Need]], kinds: Sequence[FactKind]
) -> list[int]:
    """The items of some kinds (none = all): lost ones first, then those said most often."""
    wanted = frozenset(kinds or index.kinds)
    first = [number for number in lost if index.items[number].kind in wanted]
    rest = [
        number
        for number, item in enumerate(index.items)
        if item.kind in wanted and number not in lost
    ]
    counts = index.said.counts
    return first + sorted(rest, key=lambda number: -int(counts[number]))


def _counted(index: Index, lost: Mapping[int, Sequence[Need]], kind: FactKind) -> str:
    n = sum(item.kind == kind for item in index.items)
    gone = sum(index.items[number].kind == kind for number in lost)
    if gone:
        return _("{kind} {n:,}, ✖ {lost:,}").format(kind=kind_name(kind), n=n, lost=gone)
    return f"{kind_name(kind)} {n:,}"


def _label(index: Index, lost: Mapping[int, Sequence[Need]], chosen: int | str) -> str:
    if isinstance(chosen, str):
        return chosen
    item, said = index.items[chosen], int(index.said.counts[chosen])
    told = ngettext("said {n:,} time", "said {n:,} times", said).format(n=said)
    mark = ""
    if chosen in lost:
        n = len(lost[chosen])
        mark = "✖ "
        told = ngettext("lost and needed {n:,} time", "lost and needed {n:,} times", n).format(n=n)
    return f"{mark}{brief(item.text, longest=LONGEST)} · {kind_name(item.kind)} · {told}"


def _hidden(options: int) -> str:
    if options <= MOST_OPTIONS:
        return ""
    return " " + _("The first {n:,} of {all:,} are listed; type any other one.").format(
        n=MOST_OPTIONS, all=options
    )
