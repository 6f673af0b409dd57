"""Replays as Plotly figures; they carry numbers only, never session text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from memory_core.config import MemoryConfig
from memory_core.plan import Plan
from memory_core.replay import Replay
from memory_core.texts import _
from pages.ui.states import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, YELLOW

MOST_CALLS: Final = 350
"""Calls drawn at most, so that a chart stays below 2,000 points."""

_AREA: Final = "rgba(153,153,153,0.30)"
_FREE: Final = "rgba(153,153,153,0.15)"

Numbers = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Series:
    """Tokens of the drawn calls; `calls` are numbers from 1."""

    calls: Numbers
    window: Numbers
    raw: Numbers


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that happened at some calls; `on_history` = marked in the lower part."""

    name: str
    symbol: str
    colour: str
    calls: list[int]
    on_history: bool = False


def window_chart(replay: Replay, *, shown: Plan) -> go.Figure:
    """Tokens per call against budget and trigger, with a mark where something was done.

    The x of a mark is the number of its call, from 1. The lower part shows the whole history.
    """
    plans, config = replay.plans, replay.config
    drawn = series(plans, shown.ordinal)
    figure = go.Figure()
    _area(figure, drawn, yaxis="y")
    _area(figure, drawn, yaxis="y2")
    last = len(plans)
    _level(figure, _("budget"), config.max_token_budget, last, VERMILION, "dash")
    _level(figure, _("trigger"), config.trigger_tokens, last, ORANGE, "dot")
    figure.add_scatter(
        x=drawn.calls, y=drawn.window, name=_("window"), mode="lines+markers",
        line={"color": BLUE, "width": 2}, marker={"size": 6}, hovertemplate=_("%{y:,} tokens"),
    )  # fmt: skip
    for mark in _marks(plans):
        _draw(figure, drawn, mark)
    at = shown.ordinal + 1
    figure.add_shape(
        type="line", x0=at, x1=at, y0=0, y1=1, yref="paper", line={"color": PURPLE, "width": 2}
    )
    _dress(figure, top=max(config.max_token_budget, int(drawn.window.max())))
    return figure


def composition_chart(plan: Plan, config: MemoryConfig) -> go.Figure:
    """The tokens of one window by what they are, up to the budget."""
    parts = plan.parts
    figure = go.Figure()
    for name, tokens, colour in (
        (_("system"), parts.system, GREY),
        (_("overhead"), parts.overhead, "#555555"),
        (_("summary"), parts.summary, SKY),
        (_("opening line"), parts.opening, YELLOW),
        (_("kept"), parts.kept, GREEN),
        (_("pruned"), parts.pruned, ORANGE),
        (_("reserved for the reply"), parts.reserve, PURPLE),
        (_("free"), max(0, config.max_token_budget - plan.total), _FREE),
    ):
        if tokens:
            figure.add_bar(
                x=[tokens], y=[""], name=f"{name} {tokens:,}", orientation="h",
                marker={"color": colour}, hovertemplate=_("%{x:,} tokens"),
            )  # fmt: skip
    figure.update_layout(
        barmode="stack",
        height=190,
        margin={"l": 0, "r": 16, "t": 4, "b": 0},
        legend={"orientation": "h", "traceorder": "normal", "y": -0.5, "x": 0},
        xaxis={"tickformat": "~s", "nticks": 4},
        yaxis={"visible": False},
    )
    return figure


def series(plans: Sequence[Plan], shown: int) -> Series:
    """At most about `MOST_CALLS` calls: both sides of a compaction, else evenly spaced ones."""
    at: Sequence[int] = range(len(plans))
    if len(plans) > MOST_CALLS:
        telling = [one.ordinal for one in plans if one.receipt or one.over_budget]
        telling = telling[:: max(1, -(-len(telling) // (MOST_CALLS // 4)))]
        beside = [one - 1 for one in telling if one]
        even = np.linspace(0, len(plans) - 1, MOST_CALLS // 2).astype(int).tolist()
        at = sorted({*telling, *beside, *even, shown})
    return Series(
        np.array([plans[one].ordinal + 1 for one in at], np.int32),
        np.array([plans[one].total for one in at], np.int32),
        np.array([plans[one].raw_tokens for one in at], np.int32),
    )


def _area(figure: go.Figure, drawn: Series, *, yaxis: str) -> None:
    figure.add_scatter(
        x=drawn.calls, y=drawn.raw, name=_("raw history"), mode="lines", fill="tozeroy",
        line={"width": 1, "color": GREY}, fillcolor=_AREA, showlegend=yaxis == "y",
        hovertemplate=_("%{y:,} tokens"), yaxis=yaxis,
    )  # fmt: skip


def _marks(plans: Sequence[Plan]) -> list[Mark]:
    before = [0, *(plan.repairs for plan in plans)]
    repaired = [
        plan.ordinal + 1 for plan, was in zip(plans, before, strict=False) if plan.repairs > was
    ]
    compacted = [plan.ordinal + 1 for plan in plans if plan.receipt]
    over = [plan.ordinal + 1 for plan in plans if plan.over_budget]
    return [
        Mark(_("compaction"), "triangle-down", SKY, compacted),
        Mark(_("over budget"), "x", VERMILION, over),
        Mark(_("repair"), "triangle-up", YELLOW, repaired, on_history=True),
    ]


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


def _level(figure: go.Figure, name: str, tokens: int, last: int, colour: str, dash: str) -> None:
    figure.add_scatter(
        x=[1, last], y=[tokens, tokens], name=name, mode="lines", hoverinfo="skip",
        line={"color": colour, "dash": dash, "width": 1.5},
    )  # fmt: skip


def _dress(figure: go.Figure, *, top: int) -> None:
    figure.update_traces(unselected={"marker": {"opacity": 1}}, selector={"type": "scatter"})
    figure.update_layout(
        height=360,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        hovermode="x unified",
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
    )
    figure.update_xaxes(tickformat=",d", title={"text": _("call"), "standoff": 4}, anchor="y2")
    figure.update_layout(
        yaxis={"domain": [0.3, 1], "range": [0, top * 1.15], "tickformat": "~s",
               "title": {"text": _("tokens")}},
        yaxis2={"domain": [0, 0.25], "rangemode": "tozero", "tickformat": "~s", "nticks": 3,
                "title": {"text": _("whole")}},
    )  # fmt: skip
