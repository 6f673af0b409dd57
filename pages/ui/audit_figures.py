"""The estimators against the count, as Plotly figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from memory_core.audit import Audit, Group, Verdict, verdicts
from memory_core.config import MemoryConfig
from memory_core.models import ESTIMATORS
from memory_core.scripts import Kind
from memory_core.texts import _
from pages.ui.session_figures import LEGEND, MOST_STEPS, spread
from pages.ui.states import BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILION

FEWEST_CALLS: Final = 15
"""Calls drawn at least, where the session has them."""
HIGHEST_RATIO: Final = 3.0

_RULES: Final = dict(
    zip(ESTIMATORS, ((PURPLE, "solid", "circle"), (GREEN, "dashdot", "square")), strict=True)
)
"""Colour, dash and marker of each estimator."""
_OUTLINE: Final = {"width": 1, "color": "#333333"}


def shown_calls(audit: Audit, config: MemoryConfig) -> int:
    """How many calls the chart draws: twice as far as anything happens at the trigger."""
    below = (audit.totals(config) <= config.trigger_tokens).any(axis=0)
    last = int(np.flatnonzero(below)[-1]) + 1 if below.any() else 0
    return min(len(audit.raw.at), max(FEWEST_CALLS, 2 * last))


def trigger_chart(audit: Audit, config: MemoryConfig) -> go.Figure:
    """The total of the whole history at each call by the count and by both estimators.

    Marked are the calls at which an estimator is on the other side of the trigger than the count.
    """
    totals, end = audit.totals(config), shown_calls(audit, config)
    at = spread(end, MOST_STEPS)
    figure = go.Figure()
    _line(figure, at, totals[0], name=_("counted"), colour=BLUE, width=3)
    for row, verdict in enumerate(verdicts(audit, config), 1):
        colour, dash, _symbol = _RULES[verdict.estimator]
        _line(figure, at, totals[row], name=verdict.estimator, colour=colour, dash=dash)
        _disagreements(figure, verdict, totals[row], colour=colour)
    for name, level, colour, dash in (
        (_("trigger"), config.trigger_tokens, ORANGE, "dot"),
        (_("budget"), config.max_token_budget, VERMILION, "dash"),
    ):
        figure.add_scatter(
            x=[0.5, end + 0.5], y=[level, level], name=name, mode="lines", hoverinfo="skip",
            line={"color": colour, "dash": dash, "width": 1.5},
        )  # fmt: skip
    _dress(figure, calls=end)
    return figure


def ratio_chart(groups: Sequence[Group]) -> go.Figure:
    """Estimate / count per message: the median, and the range as a bar; 1 is right."""
    figure = go.Figure()
    places = np.arange(len(groups), dtype=np.float64)[::-1]
    for offset, rule in zip((0.16, -0.16), ESTIMATORS, strict=True):
        colour, _dash, symbol = _RULES[rule]
        found = [group.estimates[rule] for group in groups]
        middle = np.array([one.median for one in found])
        figure.add_scatter(
            x=middle, y=places + offset, name=rule, mode="markers",
            marker={"size": 10, "color": colour, "symbol": symbol, "line": _OUTLINE},
            error_x={"type": "data", "symmetric": False, "color": colour, "thickness": 2,
                     "array": np.array([one.highest for one in found]) - middle,
                     "arrayminus": middle - np.array([one.lowest for one in found])},
            hovertemplate=_("median %{x:.2f}"),
        )  # fmt: skip
    figure.add_vline(x=1, line={"color": GREY, "width": 2})
    highest = max((one.highest for group in groups for one in group.estimates.values()), default=1)
    figure.update_layout(
        height=110 + 40 * len(groups),
        margin={"l": 8, "r": 8, "t": 8, "b": 48},
        legend=LEGEND,
        xaxis={"title": {"text": _("estimate / count, per message (1 = right)"), "standoff": 12},
               "range": [0, min(HIGHEST_RATIO, max(1.2, 1.05 * highest))], "tickformat": ".1f"},
        yaxis={"tickvals": places, "ticktext": [group_name(group) for group in groups],
               "range": [-0.6, len(groups) - 0.4], "showgrid": False, "zeroline": False},
    )  # fmt: skip
    return figure


def group_name(group: Group) -> str:
    """What a group is called on an axis or in a table."""
    if group.by == "all":
        return _("all messages")
    return kind_name(Kind(group.name)) if group.by == "kind" else group.name


def kind_name(kind: Kind) -> str:
    """What a kind of text is called."""
    return {
        Kind.KOREAN: _("Korean text"),
        Kind.LATIN: _("text in Latin letters"),
        Kind.CODE: _("code and data"),
        Kind.OTHER: _("other or no letters"),
    }[kind]


def _line(
    figure: go.Figure,
    at: NDArray[np.int64],
    totals: NDArray[np.int64],
    *,
    name: str,
    colour: str,
    dash: str = "solid",
    width: int = 2,
) -> None:
    figure.add_scatter(
        x=at + 1, y=totals[at], name=name, mode="lines", hovertemplate="%{y:,}",
        line={"color": colour, "width": width, "dash": dash},
    )  # fmt: skip


def _disagreements(
    figure: go.Figure, verdict: Verdict, totals: NDArray[np.int64], *, colour: str
) -> None:
    sides: Iterable[tuple[Sequence[int], str, str]] = (
        (verdict.late, _("{rule}: too late"), "x"),
        (verdict.early, _("{rule}: too early"), "diamond"),
    )
    for calls, name, symbol in sides:
        if calls:
            at = np.array(calls, np.int64)[spread(len(calls), MOST_STEPS)]
            figure.add_scatter(
                x=at + 1, y=totals[at], name=name.format(rule=verdict.estimator), mode="markers",
                marker={"symbol": symbol, "size": 9, "color": colour, "line": _OUTLINE},
                hovertemplate=_("here"),
            )  # fmt: skip


def _dress(figure: go.Figure, *, calls: int) -> None:
    figure.update_layout(
        height=340,
        margin={"l": 8, "r": 8, "t": 8, "b": 48},
        hovermode="x unified",
        legend=LEGEND,
        xaxis={"title": {"text": _("call of the model"), "standoff": 12}, "tickformat": ",d",
               "dtick": 1 if calls <= FEWEST_CALLS else None, "range": [0.5, calls + 0.5],
               "unifiedhovertitle": {"text": _("call %{x:,d}")}},
        yaxis={"title": {"text": _("tokens of the whole history")}, "tickformat": "~s",
               "rangemode": "tozero"},
    )  # fmt: skip
