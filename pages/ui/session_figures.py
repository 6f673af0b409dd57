"""What a session holds as Plotly figures; they carry numbers and cleaned names, never its text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from memory_core.languages import RoleScripts
from memory_core.scripts import Scripts
from memory_core.texts import _
from memory_core.totals import Growth, RoleTotal
from memory_core.usage import Comparison
from pages.ui.plain import name_of
from pages.ui.states import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, YELLOW

MOST_STEPS: Final = 180
"""Messages or calls drawn at most, so that a chart stays below 2,000 points."""
MOST_SOURCES: Final = 8
"""Roles and tools drawn on their own; the smaller ones are drawn together."""

DARK: Final = "#666666"
LIGHT: Final = "#BBBBBB"
LEGEND: Final = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "traceorder": "normal"}

_ROLES: Final = {"system": GREY, "developer": LIGHT, "user": BLUE, "assistant": GREEN}
_TOOLS: Final = (ORANGE, SKY, VERMILION, YELLOW, PURPLE)


def growth_chart(growth: Growth) -> go.Figure:
    """Tokens of the session up to each message, stacked by role and tool.

    The y of a line at message #n is what came with messages #0 to #n from that source.
    """
    at = spread(len(growth.tokens), MOST_STEPS)
    until = growth.until(at + 1)
    own = _drawn_alone(growth.totals)
    figure = go.Figure()
    tools = iter(_TOOLS * len(own))
    for place in own:
        total = growth.totals[place]
        colour = _ROLES.get(total.role) or next(tools)
        _layer(figure, at, until[place], name=source_name(total), colour=colour)
    others = [place for place in range(len(growth.totals)) if place not in own]
    if others:
        together = until[others].sum(axis=0)
        _layer(figure, at, together, name=_("other tools and roles"), colour=DARK)
    figure.update_layout(
        height=330,
        margin={"l": 8, "r": 8, "t": 8, "b": 48},
        hovermode="x unified",
        legend=LEGEND,
        xaxis={"title": {"text": _("message of the session"), "standoff": 12},
               "tickformat": ",d", "rangemode": "tozero",
               "unifiedhovertitle": {"text": _("up to message #%{x:d}")}},
        yaxis={"title": {"text": _("tokens so far")}, "tickformat": "~s", "rangemode": "tozero"},
    )  # fmt: skip
    return figure


def source_name(total: RoleTotal) -> str:
    """What a role or a tool's results are called in a legend."""
    if total.role != "tool":
        return total.role
    return _("tool: {name}").format(name=name_of(total.tool) or _("unknown"))


def scripts_chart(found: Sequence[RoleScripts]) -> go.Figure:
    """Shares of the characters of each role by script, in percent."""
    figure = go.Figure()
    roles = [one.role for one in reversed(found)]
    for name, field, colour in (
        (_("Hangul"), "hangul", ORANGE),
        (_("Latin letters"), "latin", BLUE),
        (_("letters of other scripts"), "other", PURPLE),
        (_("digits and marks"), "marks", SKY),
        (_("spaces and line ends"), "spaces", GREY),
    ):
        shares = [_share(one.scripts, field) for one in reversed(found)]
        if any(shares):
            figure.add_bar(
                x=np.array(shares), y=roles, name=name, orientation="h", marker={"color": colour},
                hovertemplate="%{x:.1f} %",
            )  # fmt: skip
    figure.update_layout(
        barmode="stack",
        height=110 + 34 * len(found),
        margin={"l": 8, "r": 8, "t": 8, "b": 48},
        hovermode="y unified",
        legend=LEGEND,
        xaxis={"title": {"text": _("share of the characters, %"), "standoff": 12},
               "range": [0, 100.5], "dtick": 20},
        yaxis={"type": "category"},
    )  # fmt: skip
    return figure


def usage_chart(found: Comparison) -> go.Figure:
    """Recorded input tokens of each call beside our count of the history before it."""
    keep = set(spread(len(found.calls), MOST_STEPS).tolist())
    fallen = set(found.falls)
    drawn = [call for place, call in enumerate(found.calls) if place in keep or call in fallen]
    calls = np.array([call.ordinal + 1 for call in drawn], np.int64)
    recorded = np.array([call.recorded for call in drawn], np.int64)
    counted = np.array([call.counted for call in drawn], np.int64)
    few = len(drawn) <= 15
    figure = go.Figure()
    for name, values, colour, dash in (
        (_("recorded by the provider, cache included"), recorded, VERMILION, "solid"),
        (_("counted here: the whole history"), counted, BLUE, "dash"),
    ):
        figure.add_scatter(
            x=calls, y=values, name=name, mode="lines+markers" if few else "lines",
            line={"color": colour, "width": 2, "dash": dash}, hovertemplate="%{y:,}",
        )  # fmt: skip
    if fallen:
        is_fall = np.array([call in fallen for call in drawn])
        figure.add_scatter(
            x=calls[is_fall], y=recorded[is_fall], name=_("recorded input fell"), mode="markers",
            marker={"symbol": "triangle-down", "size": 12, "color": PURPLE,
                    "line": {"width": 1, "color": "#333333"}},
            hovertemplate=_("fell here"),
        )  # fmt: skip
    figure.update_layout(
        height=320,
        margin={"l": 8, "r": 8, "t": 8, "b": 48},
        hovermode="x unified",
        legend=LEGEND,
        xaxis={"title": {"text": _("call of the model"), "standoff": 12}, "tickformat": ",d",
               "unifiedhovertitle": {"text": _("call %{x:,d}")}},
        yaxis={"title": {"text": _("input tokens")}, "tickformat": "~s", "rangemode": "tozero"},
    )  # fmt: skip
    return figure


def spread(count: int, most: int) -> NDArray[np.int64]:
    """At most `most` evenly spread places of `count`, the first and last among them."""
    if count <= most:
        return np.arange(count, dtype=np.int64)
    return np.unique(np.linspace(0, count - 1, most).astype(np.int64))


def _drawn_alone(totals: Sequence[RoleTotal]) -> list[int]:
    """Roles first, then the tools with most tokens, as many as can be told apart."""
    roles = [place for place, total in enumerate(totals) if total.role != "tool"]
    tools = [place for place, total in enumerate(totals) if total.role == "tool"]
    room = MOST_SOURCES - len(roles)
    return [*roles, *tools[: min(room, len(_TOOLS))]]


def _layer(
    figure: go.Figure, at: NDArray[np.int64], tokens: NDArray[np.int64], *, name: str, colour: str
) -> None:
    figure.add_scatter(
        x=at, y=tokens, name=name, mode="lines", stackgroup="tokens",
        line={"width": 0.5, "color": colour}, fillcolor=colour, hovertemplate="%{y:,}",
    )  # fmt: skip


def _share(scripts: Scripts, field: str) -> float:
    return 100 * int(getattr(scripts, field)) / (scripts.characters or 1)
