"""The regions of the compression page, each with one sentence that says what to see in it."""

from __future__ import annotations

from typing import Final

import streamlit as st

from memory_core.errors import UnknownCallPoint
from memory_core.plan import Plan
from memory_core.reasons import fault_text
from memory_core.replay import Replay
from memory_core.report import Report
from memory_core.texts import _, ngettext
from memory_core.window import sent_tokens
from pages.ui import changes, figures, listing
from pages.ui.current import Current
from pages.ui.headline import saved, trust
from pages.ui.plain import name_of
from pages.ui.titles import titled

MOST_REPAIRS: Final = 200
"""Newest repairs listed beside the messages; the session page has them all."""


def call_point(replay: Replay, at: int | None) -> Plan:
    """The plan at a message index; the last one without an index, else the nearest."""
    if at is None:
        return replay.plans[-1]
    try:
        return replay.plan_at(at)
    except UnknownCallPoint as error:
        st.info(
            _("Message {at} is no call point; this is the nearest one, {nearest}.").format(
                at=at, nearest=error.nearest
            )
        )
        return replay.plan_at(error.nearest)


def chart(replay: Replay, plan: Plan) -> None:
    """Tokens over calls; a click on a mark goes there."""
    explained = _("Grey: the whole history. Click a mark to go to its call.")
    last = replay.plans[-1]
    over = [one.total for one in replay.plans if one.over_budget]
    if over:
        explained += _(
            " Over the budget nothing more may leave: what is always sent takes up to {most:,} "
            "tokens there."
        ).format(most=max(over))
    if last.at == len(replay.messages):
        explained += _(
            " Call {call:,} is the next one: the recording ends before the model's answer."
        ).format(call=last.ordinal + 1)
    titled(_statement(replay), f"{saved(replay)} {trust(replay)} {explained}")
    st.plotly_chart(
        figures.window_chart(replay, shown=plan),
        key=changes.CHART,
        on_select=changes.go_to_point,
        selection_mode="points",
        config={"displayModeBar": False},
        alt=_("Tokens sent at every call against the recorded history, the budget and the trigger"),
    )


def messages(replay: Replay, report: Report, now: Current) -> None:
    """What became of every message before the call."""
    number = report.plan.ordinal + 1
    titled(
        _("What became of each message at call {call:,}").format(call=number),
        _(
            "Every message recorded before this call, with its tokens as recorded → as sent, and "
            "why. The last page holds the newest."
        ),
    )
    listing.message_list(replay, report, now)


def composition(replay: Replay, plan: Plan) -> None:
    """What the window is made of."""
    titled(_("What the window is made of"), _composed(replay, plan))
    st.plotly_chart(
        figures.composition_chart(plan, replay.config, sent_tokens(replay.planner, plan)),
        key="composition",
        config={"displayModeBar": False},
        alt=_("Tokens of the window by kind"),
    )


def repairs(report: Report) -> None:
    """The repairs made so far."""
    made = report.repairs
    if not made:
        return
    titled(
        _("Repairs"),
        _("What a provider would have refused up to this call, and what stands in for it."),
    )
    lines = [
        f"#{one.index} {name_of(one.call_id)} {fault_text(one.fault)}"
        for one in made[-MOST_REPAIRS:]
    ]
    st.code("\n".join(lines), language=None, wrap_lines=True, height=180)


def _composed(replay: Replay, plan: Plan) -> str:
    """How far the window is under the budget, or why it is over it."""
    free = replay.config.max_token_budget - plan.total
    if not plan.over_budget:
        return ngettext(
            "The tokens of this call by kind; {free:,} token is left to the budget.",
            "The tokens of this call by kind; {free:,} tokens are left to the budget.",
            free,
        ).format(free=free)
    return ngettext(
        "The tokens of this call by kind, {over:,} token over the budget: nothing more of it may "
        "leave. Always sent: {stays}.",
        "The tokens of this call by kind, {over:,} tokens over the budget: nothing more of it may "
        "leave. Always sent: {stays}.",
        -free,
    ).format(over=-free, stays=_stays(replay, plan))


def _stays(replay: Replay, plan: Plan) -> str:
    """What a window cannot do without, as far as this one has it."""
    parts, before = plan.parts, replay.messages[: plan.at]
    calling = bool(before and before[-1].role == "tool")
    there = {
        _("the system message"): parts.system,
        _("the fixed overhead"): parts.overhead,
        _("the room for the reply"): parts.reserve,
        _("the summary so far"): parts.summary,
        _("pinned messages"): len(replay.config.pins),
        _("the last user message"): any(message.role == "user" for message in before),
        _("the newest call with its results"): calling,
    }
    return ", ".join(name for name, is_there in there.items() if is_there)


def _statement(replay: Replay) -> str:
    """What is to be seen in the chart."""
    plans, budget = replay.plans, replay.config.max_token_budget
    within = sum(not one.over_budget for one in plans)
    raw = max(plan.raw_tokens for plan in plans)
    shared = {"budget": budget, "within": within, "n": len(plans), "raw": raw}
    if raw + replay.config.reply_reserve <= budget:
        return ngettext(
            "The whole history, {raw:,} tokens, fits into {budget:,} at the only call",
            "The whole history, up to {raw:,} tokens, fits into {budget:,} at all {n:,} calls",
            len(plans),
        ).format(**shared)
    return ngettext(
        "Within {budget:,} tokens at {within:,} of {n:,} call; the history has {raw:,}",
        "Within {budget:,} tokens at {within:,} of {n:,} calls, while the history grows to {raw:,}",
        len(plans),
    ).format(**shared)
