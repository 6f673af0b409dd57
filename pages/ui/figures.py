"""Replays as Plotly figures; they carry numbers only, never session text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from memory_core.config import MemoryConfig
from memory_core.plan import Plan, State
from memory_core.replay import Replay
from memory_core.texts import _
from pages.ui.marks import Mark, marks
from pages.ui.states import BLUE, GREY, LOOKS, ORANGE, PURPLE, SKY, VERMILION, state_name

MOST_CALLS: Final = 300
"""Calls drawn at most, so that a chart stays below 2,000 points."""
HEIGHT: Final = 244
"""Pixels of the chart; so low that the film below it is in sight, too."""
FEW_CALLS: Final = 15
"""Up to here every call has its tick, and the history a point of its own."""

_AREA: Final = "rgba(153,153,153,0.30)"
_FREE: Final = "rgba(153,153,153,0.15)"

Numbers = NDArray[np.float64]
"""Whole numbers; a fixed overhead may be larger than 32 bits."""


@dataclass(frozen=True, slots=True)
class Series:
    """What is drawn of some calls: numbers from 1, message indices, tokens sent and recorded."""

    calls: Numbers
    at: Numbers
    window: Numbers
    raw: Numbers


def window_chart(replay: Replay, *, shown: Plan) -> go.Figure:
    """Tokens sent per call against budget and trigger, with a mark where something was done.

    The x of a mark is the number of its call, from 1. The lower part shows the whole history.
    """
    found = marks(replay.plans)
    drawn = series(replay.plans, found, shown.ordinal)
    figure = go.Figure()
    _area(figure, drawn, yaxis="y")
    _area(figure, drawn, yaxis="y2")
    _levels(figure, replay)
    figure.add_scatter(
        x=drawn.calls, y=drawn.window, name=_("sent"), mode="lines+markers",
        line={"color": BLUE, "width": 2}, marker={"size": 6}, customdata=drawn.at,
        hovertemplate=_("%{y:,} tokens, before message #%{customdata}"),
    )  # fmt: skip
    for mark in found:
        _draw(figure, drawn, mark)
    at = shown.ordinal + 1
    figure.add_shape(
        type="line", x0=at, x1=at, y0=0, y1=1, yref="paper", name=_("call shown below"),
        showlegend=True, layer="below", line={"color": PURPLE, "width": 2},
    )  # fmt: skip
    top = max(replay.config.max_token_budget, int(drawn.window.max()))
    _dress(figure, calls=len(replay.plans), top=top)
    return figure


def composition_chart(plan: Plan, config: MemoryConfig, by_state: Mapping[State, int]) -> go.Figure:
    """The tokens of one window by what they are, against the budget.

    `by_state`: those of its messages, as `window.sent_tokens` gives them.
    """
    parts = plan.parts
    figure = go.Figure()
    for name, tokens, colour in (
        (_("system"), parts.system, GREY),
        (_("overhead"), parts.overhead, "#555555"),
        (_("summary"), parts.summary, SKY),
        (_("opening line"), parts.opening, "#CCCCCC"),
        *[(state_name(one), tokens, LOOKS[one].colour) for one, tokens in by_state.items()],
        (_("reply reserve"), parts.reserve, BLUE),
        (_("free"), max(0, config.max_token_budget - plan.total), _FREE),
    ):
        if tokens:
            figure.add_bar(
                x=[tokens], y=[""], name=f"{name} {tokens:,}", orientation="h",
                marker={"color": colour}, hovertemplate=_("%{x:,} tokens"),
            )  # fmt: skip
    budget = config.max_token_budget
    figure.add_shape(
        type="line", x0=budget, x1=budget, y0=0, y1=1, yref="y domain", showlegend=True,
        name=_("budget {tokens:,}").format(tokens=budget),
        line={"color": VERMILION, "dash": "dash", "width": 2},
    )  # fmt: skip
    figure.update_layout(
        barmode="stack",
        height=230,
        margin={"l": 0, "r": 16, "t": 4, "b": 0},
        legend={"orientation": "h", "traceorder": "normal", "y": 0.36, "yanchor": "top", "x": 0},
        xaxis={
            "tickformat": "~s",
            "nticks": 5,
            "title": {"text": _("tokens"), "standoff": 8},
            "range": [0, 1.02 * max(1, budget, plan.total)],
        },
        yaxis={"visible": False, "domain": [0.65, 1]},
    )
    return figure


def series(plans: Sequence[Plan], found: Sequence[Mark], shown: int) -> Series:
    """At most about `MOST_CALLS` calls: marked ones with those before, and evenly spaced ones."""
    at: Sequence[int] = range(len(plans))
    if len(plans) > MOST_CALLS:
        telling = sorted({call - 1 for mark in found if not mark.on_history for call in mark.calls})
        telling = telling[:: max(1, -(-len(telling) // (MOST_CALLS // 4)))]
        beside = [one - 1 for one in telling if one]
        even = np.linspace(0, len(plans) - 1, MOST_CALLS // 2).astype(int).tolist()
        at = sorted({*telling, *beside, *even, shown})
    return Series(
        np.array([plans[one].ordinal + 1 for one in at], np.float64),
        np.array([plans[one].at for one in at], np.float64),
        np.array([plans[one].parts.sent for one in at], np.float64),
        np.array([plans[one].raw_tokens for one in at], np.float64),
    )


def _area(figure: go.Figure, drawn: Series, *, yaxis: str) -> None:
    few = len(drawn.calls) <= FEW_CALLS
    figure.add_scatter(
        x=drawn.calls, y=drawn.raw, name=_("whole history"), fill="tozeroy",
        mode="lines+markers" if few and yaxis == "y2" else "lines",
        line={"width": 1, "color": GREY}, fillcolor=_AREA, showlegend=yaxis == "y",
        hovertemplate=_("%{y:,} tokens"), yaxis=yaxis,
    )  # fmt: skip


def _levels(figure: go.Figure, replay: Replay) -> None:
    """Budget and trigger as what may be sent: the reply's share is taken off."""
    config, ends = replay.config, [0.5, len(replay.plans) + 0.5]
    budget, trigger = _("budget"), _("trigger")
    if config.reply_reserve:
        budget, trigger = _("budget less the reply"), _("trigger less the reply")
    for name, tokens, colour, dash in (
        (budget, config.max_token_budget, VERMILION, "dash"),
        (trigger, config.trigger_tokens, ORANGE, "dot"),
    ):
        level = max(0, tokens - config.reply_reserve)
        figure.add_scatter(
            x=ends, y=[level, level], name=name, mode="lines", hoverinfo="skip",
            line={"color": colour, "dash": dash, "width": 1.5},
        )  # fmt: skip


def _draw(figure: go.Figure, drawn: Series, mark: Mark) -> None:
    mask = np.isin(drawn.calls, mark.calls)
    if mask.any():
        figure.add_scatter(
            x=drawn.calls[mask], y=(drawn.raw if mark.on_history else drawn.window)[mask],
            yaxis="y2" if mark.on_history else "y", name=mark.name, mode="markers",
            marker={"symbol": mark.symbol, "size": 12, "color": mark.colour,
                    "line": {"width": 1, "color": "#333333"}},
            hovertemplate=_("here"),
        )  # fmt: skip


def _dress(figure: go.Figure, *, calls: int, top: int) -> None:
    figure.update_traces(unselected={"marker": {"opacity": 1}}, selector={"type": "scatter"})
    figure.update_layout(
        height=HEIGHT,
        # The film below stands in line with these margins.
        margin={"l": 88, "r": 8, "t": 28, "b": 42, "autoexpand": False},
        hovermode="x unified",
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
    )
    figure.update_xaxes(
        tickformat=",d",
        dtick=1 if calls <= FEW_CALLS else None,
        range=[0.5, calls + 0.5],
        title={"text": _("call of the model"), "standoff": 10},
        unifiedhovertitle={"text": _("call %{x:,d}")},
        anchor="y2",
    )
    figure.update_layout(
        yaxis={"domain": [0.34, 1], "range": [0, top * 1.15], "tickformat": "~s",
               "title": {"text": _("tokens")}},
        yaxis2={"domain": [0, 0.28], "rangemode": "tozero", "tickformat": "~s", "nticks": 3,
                "title": {"text": _("history,<br>tokens")}},
    )  # fmt: skip
