"""The estimators against the count, as a region of the session page."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Final

import streamlit as st

from memory_core.audit import Audit, Group, verdict_text, verdicts
from memory_core.config import MemoryConfig
from memory_core.models import ESTIMATORS
from memory_core.texts import _
from pages.ui import tables
from pages.ui.audit_figures import group_name, ratio_chart, shown_calls, trigger_chart
from pages.ui.titles import titled

_PLAIN: Final = {"displayModeBar": False}
_RULE: Final = "len // 3"
_TELLING: Final = 0.02
"""Share of all tokens from which on a kind of text is worth a title."""


def estimators(audit: Audit, config: MemoryConfig) -> None:
    """What an estimator in place of a tokenizer would do to the trigger, and how far it is off."""
    _at_the_trigger(audit, config)
    if audit.groups:
        _per_message(audit)


def _at_the_trigger(audit: Audit, config: MemoryConfig) -> None:
    found = verdicts(audit, config)
    late = max(found, key=lambda verdict: len(verdict.late))
    early = max(found, key=lambda verdict: len(verdict.early))
    if late.late:
        title = _("{rule} would have compacted too late at {n:,} of {calls:,} calls").format(
            rule=late.estimator, n=len(late.late), calls=late.calls
        )
    elif early.early:
        title = _("{rule} would have compacted too early at {n:,} of {calls:,} calls").format(
            rule=early.estimator, n=len(early.early), calls=early.calls
        )
    else:
        title = _("Estimates and count agree on the trigger at every call")
    end, calls = shown_calls(audit, config), len(audit.raw.at)
    text = _(
        "The total of the whole history at every call, nothing shortened or summarised, by the "
        "count and by two rules of thumb, against this config's trigger of {trigger:,} tokens."
    ).format(trigger=config.trigger_tokens)
    if end < calls:
        text += " " + _(
            "Drawn are the first {end:,} calls; at all later ones all three are over it."
        ).format(end=end)
    titled(title, text)
    st.plotly_chart(
        trigger_chart(audit, config),
        key="estimated_totals",
        config=_PLAIN,
        alt=_("Total of the history at every call: counted, and by two estimators"),
    )
    st.text("\n".join(verdict_text(verdict, config) for verdict in found))


def _per_message(audit: Audit) -> None:
    worst = _farthest_off(audit.groups)
    titled(
        _("len // 3 estimates {share:.0%} of the tokens of {kind}").format(
            share=worst.ratio(_RULE), kind=group_name(worst)
        ),
        _(
            "Estimate divided by count for the text of every message, without the frame that each "
            "one is sent in: the mark is the median, the line reaches from the lowest to the "
            "highest. Left of 1 too few, right of it too many. Counted: {label}."
        ).format(label=audit.reference.label),
    )
    st.plotly_chart(
        ratio_chart(audit.groups),
        key="estimated_ratios",
        config=_PLAIN,
        alt=_("Estimated tokens by counted tokens, per message, by role and kind of text"),
    )
    tables.table(_columns(audit.groups), key="estimators", decimals=2)


def _farthest_off(groups: Sequence[Group]) -> Group:
    """The kind of text that the article's rule gets most wrong, tiny ones aside."""
    whole, *others = groups
    kinds = [one for one in others if one.by == "kind" and one.tokens >= _TELLING * whole.tokens]
    return max(kinds, key=lambda one: abs(log(one.ratio(_RULE) or 0.01)), default=whole)


def _columns(groups: tuple[Group, ...]) -> dict[str, Sequence[tables.Cell]]:
    columns: dict[str, Sequence[tables.Cell]] = {
        _("of"): [group_name(group) for group in groups],
        _("messages"): [group.messages for group in groups],
        _("tokens counted"): [group.tokens for group in groups],
    }
    for rule in ESTIMATORS:
        columns |= {
            _("{rule}: all").format(rule=rule): [round(one.ratio(rule), 2) for one in groups],
            _("{rule}: median").format(rule=rule): [
                round(one.estimates[rule].median, 2) for one in groups
            ],
            _("{rule}: range").format(rule=rule): [
                f"{one.estimates[rule].lowest:.2f} to {one.estimates[rule].highest:.2f}"
                for one in groups
            ],
        }
    return columns
