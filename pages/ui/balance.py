"""What each technique saves, worked out only where a person opens it."""

from __future__ import annotations

from functools import partial

import plotly.graph_objects as go
import streamlit as st

from memory_core.config import MemoryConfig
from memory_core.replay import Replay
from memory_core.techniques import Balance, Technique, balance
from memory_core.texts import _
from pages.ui import cached, waiting
from pages.ui.current import Current
from pages.ui.states import BLUE, ORANGE
from pages.ui.titles import titled


def technique_balance(now: Current, replay: Replay) -> None:
    """An expander with the balance of the session; closed, it costs nothing."""
    opened = st.expander(
        _("What each technique saves"), key="balance", on_change="rerun", icon=":material/balance:"
    )
    if not opened.open:
        return
    with opened:
        if replay.is_draft:
            st.caption(_("It follows when all summaries are written."))
            return
        place = st.empty()
        found = balance(now.config, partial(_replayed, now, waiting.bar(place, now)))
        place.empty()
        titled(_statement(found), _explained(found))
        st.plotly_chart(
            balance_chart(found),
            key="balance_chart",
            config={"displayModeBar": False},
            alt=_("Tokens saved by each technique, alone and added to the others"),
        )


def balance_chart(found: Balance) -> go.Figure:
    """Two bars per technique, in percent of the whole history; what costs tokens is below zero."""
    names = _names()
    whole = found.whole or 1
    figure = go.Figure()
    for label, colour, tokens in (
        (_("alone"), BLUE, [one.alone for one in found.savings]),
        (_("added to the others"), ORANGE, [one.added for one in found.savings]),
    ):
        figure.add_bar(
            x=[names[one.technique] for one in found.savings],
            y=[100 * number / whole for number in tokens],
            name=label,
            marker={"color": colour},
            customdata=tokens,
            text=[f"{number:+,}" for number in tokens],
            textposition="outside",
            cliponaxis=False,
            hovertemplate=_("%{customdata:,} tokens over all calls"),
        )
    figure.update_layout(
        height=280,
        barmode="group",
        margin={"l": 8, "r": 8, "t": 24, "b": 24},
        legend={"orientation": "h", "y": 1.08, "yanchor": "bottom", "x": 0},
        yaxis={"title": {"text": _("saved, % of whole history")}, "ticksuffix": " %"},
    )
    return figure


def _replayed(now: Current, progress: waiting.Progress, config: MemoryConfig) -> Replay:
    return cached.replayed(now.opened.digest, now.session, config, progress=progress)


def _statement(found: Balance) -> str:
    return _("{sent:,} tokens over all calls instead of {whole:,}").format(
        sent=found.sent, whole=found.whole
    )


def _explained(found: Balance) -> str:
    line = _(
        "A bar alone: saved if only this were switched on; added: what the config saves more with "
        "it than without. The summary is measured against a window without one: it costs tokens, "
        "and stands for {represented:,} messages at the end. Sent whole, the history would be over "
        "the budget at {over:,} of {calls:,} calls."
    )
    return line.format(represented=found.represented, over=found.over_budget, calls=found.calls)


def _names() -> dict[Technique, str]:
    return {
        Technique.PRUNING: _("pruning"),
        Technique.WINDOW: _("window"),
        Technique.SUMMARY: _("summary"),
    }
