"""The life of one thing on the screen: a chart over the calls, and the same in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from memory_core.loss import Form, Lifeline, Span, Use
from memory_core.loss.needs import LEAST_GAP
from memory_core.texts import _, ngettext
from pages.ui import changes
from pages.ui.kinds import FORMS, form_name
from pages.ui.marked import Chip
from pages.ui.sheet import Act, Cell, sheet
from pages.ui.states import GREY, PURPLE
from pages.ui.titles import titled

MOST_SPANS: Final = 300
"""Spans that are drawn and listed, the newest."""

_PLACES: Final = {form: len(FORMS) - place for place, form in enumerate(FORMS, start=1)}


def life(line: Lifeline, *, calls: int, shown: int) -> None:
    """Chart and table of a lifeline; `shown` is the call that is looked at, from 0."""
    titled(_statement(line), _explained(line, calls))
    st.plotly_chart(
        lifeline_chart(line, calls=calls, shown=shown),
        key=changes.LIFELINE,
        on_select=changes.go_to_use,
        selection_mode="points",
        config={"displayModeBar": False},
        alt=_("In which form it stands at every call, and the calls that used it again"),
    )
    sheet(
        _("Where it stands, call by call"),
        [_("Calls"), _("It stands"), _("Used again"), _("Why"), _("Look")],
        [_row(span, line.uses) for span in line.spans[-MOST_SPANS:]],
        key="spans",
    )


def lifeline_chart(line: Lifeline, *, calls: int, shown: int) -> go.Figure:
    """A bar per span on the line of its form, and a mark per use; x = the call, from 1."""
    figure = go.Figure()
    spans = line.spans[-MOST_SPANS:]
    path = [(x, _PLACES[one.form]) for one in spans for x in (one.first + 0.5, one.last + 1.5)]
    figure.add_scatter(
        x=np.array([x for x, _y in path], np.float64),
        y=np.array([y for _x, y in path], np.float64),
        mode="lines", line={"color": GREY, "width": 1}, showlegend=False, hoverinfo="skip",
    )  # fmt: skip
    for form, look in FORMS.items():
        own = [span for span in spans if span.form is form]
        figure.add_scatter(
            x=np.array([x for one in own for x in (one.first + 0.5, one.last + 1.5, np.nan)]),
            y=np.full(3 * len(own), float(_PLACES[form])),
            mode="lines", line={"color": look.colour, "width": 16}, showlegend=False,
            hoverinfo="skip",
        )  # fmt: skip
    _uses(figure, [use for use in line.uses if use.is_met], is_met=True)
    _uses(figure, [use for use in line.uses if not use.is_met], is_met=False)
    figure.add_shape(
        type="line", x0=shown + 1, x1=shown + 1, y0=0, y1=1, yref="paper", layer="below",
        name=_("call looked at"), showlegend=True, line={"color": PURPLE, "width": 2},
    )  # fmt: skip
    _dress(figure, calls)
    return figure


def _uses(figure: go.Figure, uses: Sequence[Use], *, is_met: bool) -> None:
    if uses:
        figure.add_scatter(
            x=np.array([use.call + 1 for use in uses], np.float64),
            y=np.array([_PLACES[use.form] for use in uses], np.float64),
            name=_("used again: it stood") if is_met else _("used again: it was lost"),
            mode="markers",
            marker={
                "symbol": "circle" if is_met else "x",
                "size": 11,
                "color": "#FFFFFF",
                "line": {"width": 1.5, "color": "#000000"},
            },
            customdata=np.array([use.at for use in uses], np.int64),
            hovertemplate=_("call %{x:,d}, answered by message #%{customdata}"),
        )


def _dress(figure: go.Figure, calls: int) -> None:
    figure.update_traces(unselected={"marker": {"opacity": 1}}, selector={"mode": "markers"})
    figure.update_layout(
        height=250,
        margin={"l": 8, "r": 8, "t": 30, "b": 8},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        hovermode="closest",
        xaxis={
            "title": {"text": _("call of the model")},
            "range": [0.5, calls + 0.5],
            "tickformat": ",d",
            "zeroline": False,
        },
        yaxis={
            "tickvals": list(_PLACES.values()),
            "ticktext": [f"{look.glyph} {form_name(form)} " for form, look in FORMS.items()],
            "range": [-0.6, len(FORMS) - 0.4],
            "zeroline": False,
            "automargin": True,
        },
    )


def _row(span: Span, uses: Sequence[Use]) -> list[Cell]:
    look, own = FORMS[span.form], [use for use in uses if span.first <= use.call <= span.last]
    numbers = ", ".join(f"{use.call + 1:,}" for use in own)
    used = ""
    if own:
        used = _("✓ at call {calls}") if span.form is not Form.GONE else _("✖ lost at call {calls}")
    at = span.first + 1
    return [
        f"{at:,}" if span.first == span.last else f"{at:,}\N{EN DASH}{span.last + 1:,}",
        Chip(look.glyph, form_name(span.form), look.colour),
        used.format(calls=numbers),
        span.reason,
        [
            Act(
                _("call {call:,}").format(call=at),
                _("Look at this call, with message #{n} marked").format(n=span.message),
                "open",
                {"call": at, "message": span.message},
            )
        ],
    ]


def _statement(line: Lifeline) -> str:
    known = sum(span.last - span.first + 1 for span in line.spans)
    gone = sum(one.last - one.first + 1 for one in line.spans if one.form is Form.GONE)
    lost = sum(not use.is_met for use in line.uses)
    if not known:
        return _("No call comes after it: nothing can be lost")
    if not gone:
        return ngettext(
            "It stands at the only call that can know it",
            "It stands at all {n:,} calls that can know it",
            known,
        ).format(n=known)
    said = _("Gone at {gone:,} of {n:,} calls").format(gone=gone, n=known)
    if not line.uses:
        return _("{said}; it was not used again").format(said=said)
    return ngettext(
        "{said}; lost at {lost:,} of the {n:,} call that used it again",
        "{said}; lost at {lost:,} of the {n:,} calls that used it again",
        len(line.uses),
    ).format(said=said, lost=lost, n=len(line.uses))


def _explained(line: Lifeline, calls: int) -> str:
    told = ngettext(
        "{n:,} message says it, first #{first}. The bar shows in which form it stands in the "
        "window of each of {calls:,} calls; a mark is a call whose answer used it again, at least "
        "{gap} messages after it was last said.",
        "{n:,} messages say it, first #{first}. The bar shows in which form it stands in the "
        "window of each of {calls:,} calls; a mark is a call whose answer used it again, at least "
        "{gap} messages after it was last said.",
        len(line.said),
    ).format(n=len(line.said), first=line.said[0], calls=calls, gap=LEAST_GAP)
    if len(line.spans) > MOST_SPANS:
        told += " " + _("Only its newest {n:,} spans are shown.").format(n=MOST_SPANS)
    return told
