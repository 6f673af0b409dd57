"""What each technique saves, worked out only where a person opens it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from memory_core.replay import Replay
from memory_core.techniques import Balance, Technique
from memory_core.texts import _, ngettext
from pages.ui import cached, tables, waiting
from pages.ui.current import Current
from pages.ui.plain import literal
from pages.ui.states import BLUE, ORANGE
from pages.ui.titles import titled

BALANCE: Final = "balance"


def technique_balance(now: Current, replay: Replay) -> None:
    """An expander with the balance of the session; closed, it costs nothing."""
    opened = st.expander(
        _("What each technique saves"), key=BALANCE, on_change="rerun", icon=":material/balance:"
    )
    if not opened.open:
        return
    with opened:
        if replay.is_draft:
            st.caption(_("It follows when all summaries are written."))
            return
        place = st.empty()
        found = cached.balanced(
            now.opened.digest,
            now.session,
            now.config,
            known=replay,
            progress=waiting.bar(place, now),
        )
        place.empty()
        _draw(found)


def _draw(found: Balance) -> None:
    titled(_statement(found), explained(found))
    st.plotly_chart(
        balance_chart(found),
        key="balance_chart",
        config={"displayModeBar": False},
        alt=_("Tokens saved by each technique, alone and added to the others"),
    )
    tables.table(balance_columns(found), key="balance_table")


def balance_chart(found: Balance) -> go.Figure:
    """Two bars per technique, in tokens over all calls; what costs tokens is below zero."""
    names = [_names()[one.technique] for one in found.savings]
    figure = go.Figure()
    for label, colour, tokens in (
        (_("alone"), BLUE, [one.alone for one in found.savings]),
        (_("added to the others"), ORANGE, [one.added for one in found.savings]),
    ):
        figure.add_bar(
            x=names,
            y=np.array(tokens, np.float64),
            name=label,
            marker={"color": colour},
            text=[_percent(found, number) for number in tokens],
            textposition="outside",
            cliponaxis=False,
            hovertemplate=_("%{y:,} tokens saved over all calls"),
        )
    figure.update_layout(
        height=280,
        barmode="group",
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        legend={"orientation": "h", "y": 1.12, "yanchor": "bottom", "x": 0},
        yaxis={"title": {"text": _("tokens saved")}, "tickformat": "~s", "zeroline": True},
    )
    return figure


def balance_columns(found: Balance) -> dict[str, Sequence[tables.Cell]]:
    """One row per technique: tokens saved and their share, and the calls still over budget."""
    rows, names = found.savings, _names()
    return {
        _("technique"): [names[one.technique] for one in rows],
        _("alone, tokens"): [one.alone for one in rows],
        _("alone, %"): [round(found.percent(one.alone), 1) for one in rows],
        _("over budget, only it"): [one.only.over_budget for one in rows],
        _("added, tokens"): [one.added for one in rows],
        _("added, %"): [round(found.percent(one.added), 1) for one in rows],
        _("over budget, without it"): [one.others.over_budget for one in rows],
    }


def _percent(found: Balance, tokens: int) -> str:
    return f"{found.percent(tokens):+.1f} %".replace("-", "\N{MINUS SIGN}")


def _statement(found: Balance) -> str:
    saved = found.whole.tokens - found.sent.tokens
    return _("{sent:,} tokens sent in all instead of {whole:,}: {percent:.1f} % saved").format(
        sent=found.sent.tokens, whole=found.whole.tokens, percent=found.percent(saved)
    )


def explained(found: Balance) -> str:
    """What the bars mean, what the summary buys, and how far the figures hold."""
    lines = [
        _(
            "Alone: saved with only this switched on. Added: saved with everything, against "
            "everything but this."
        ),
        _buys(found),
        ngettext(
            "Sent whole, the history would be over the budget at {over:,} of {calls:,} call; as "
            "configured, at {now:,}.",
            "Sent whole, the history would be over the budget at {over:,} of {calls:,} calls; as "
            "configured, at {now:,}.",
            found.calls,
        ).format(over=found.whole.over_budget, calls=found.calls, now=found.sent.over_budget),
        _failures(found),
    ]
    return " ".join(line for line in lines if line)


def _buys(found: Balance) -> str:
    """What the summary is for, where there is one."""
    if not found.represented:
        return ""
    costs = found.savings[-1].alone < 0
    line = ngettext(
        "The summary stands for {n:,} message at the last call",
        "The summary stands for {n:,} messages at the last call",
        found.represented,
    ).format(n=found.represented)
    return line + (_(": that is what its tokens buy.") if costs else ".")


def _failures(found: Balance) -> str:
    if not found.failures:
        return ""
    return ngettext(
        "At {n:,} call of the replays compared here no summary was taken ({reason}): the "
        "figures of the summary hold only where one was.",
        "At {n:,} calls of the replays compared here no summary was taken (at last: {reason}): "
        "the figures of the summary hold only where one was.",
        found.failures,
    ).format(n=found.failures, reason=literal(found.reason))


def _names() -> Mapping[Technique, str]:
    return {
        Technique.PRUNING: _("pruning"),
        Technique.WINDOW: _("window"),
        Technique.SUMMARY: _("summary"),
    }
