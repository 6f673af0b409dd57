"""The regions of the compression page, each with one sentence that says what to see in it."""

from __future__ import annotations

from typing import Final

import streamlit as st

from memory_core.errors import UnknownCallPoint
from memory_core.models import counted_model
from memory_core.plan import Cause, Plan, Receipt
from memory_core.reasons import fault_text
from memory_core.replay import Replay
from memory_core.texts import _, ngettext
from pages.ui import current, figures, listing
from pages.ui.plain import name_of

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


def headline(replay: Replay, plan: Plan) -> None:
    """The six figures, each with how far it can be trusted."""
    config, plans = replay.config, replay.plans
    model = counted_model(config.model, unknown_model_factor=config.unknown_model_factor)
    counted = _("measured") if model.exact else _("estimated")
    over = sum(one.over_budget for one in plans)
    so_far = sum(one.receipt is not None for one in plans[: plan.ordinal + 1])
    compactions = sum(one.receipt is not None for one in plans)
    budget = f"{config.max_token_budget:,}"
    figures_shown = [
        (_("Tokens sent / budget"), f"{plan.total:,} / {budget}", counted,
         _("Tokens sent at this call, of the budget.")),
        (_("Raw tokens"), f"{plan.raw_tokens:,}", counted,
         _("Tokens of the whole history before this call, nothing left out.")),
        (_("Saved"), _percent(plan.raw_tokens - plan.total, plan.raw_tokens), counted,
         _("Share of the raw history that is not sent at this call.")),
        (_("Compactions"), _("{so_far} of {all}").format(so_far=so_far, all=compactions),
         _("measured"), _("How often old messages left the window: up to this call, of all.")),
        (_("Over budget"), _("{over:,} of {calls:,}").format(over=over, calls=len(plans)), counted,
         _("Calls whose window could not be brought under the budget.")),
        (_("Cached prefix"), _percent(plan.cached_prefix_tokens, plan.total), counted,
         _("Share of the window that starts like the previous call's: a prompt cache can reuse "
           "it.")),
    ]  # fmt: skip
    for column, (label, value, trust, help_text) in zip(st.columns(6), figures_shown, strict=True):
        column.metric(
            label, value, delta=trust, delta_color="off", delta_arrow="off", help=help_text
        )


def chart(replay: Replay, plan: Plan) -> None:
    """Tokens over calls; a click on a mark goes there."""
    st.caption(
        _(
            "Tokens at every call: the line is what is sent, the grey area the recorded history, "
            "whole in the lower part. Click a mark to go to that call."
        )
    )
    st.plotly_chart(
        figures.window_chart(replay, shown=plan),
        key=current.CHART,
        on_select=current.go_to_point,
        selection_mode="points",
        config={"displayModeBar": False},
        alt=_("Tokens sent at every call against the recorded history, the budget and the trigger"),
    )


def scrubber(replay: Replay, plan: Plan) -> None:
    """A slider over the calls with a step back and forth."""
    calls = len(replay.plans)
    if calls < 2:
        return
    current.show(current.CALL, plan.ordinal + 1)
    back, slider, forth = st.columns([1, 14, 1], vertical_alignment="bottom")
    back.button(
        "◀", key="back", on_click=current.go_to_call, args=(-1,), disabled=not plan.ordinal,
        help=_("One call back"), width="stretch",
    )  # fmt: skip
    slider.slider(
        _("Call {call:,} of {calls:,}").format(call=plan.ordinal + 1, calls=calls),
        1, calls, key=current.CALL, on_change=current.go_to_call,
    )  # fmt: skip
    forth.button(
        "▶", key="forth", on_click=current.go_to_call, args=(1,),
        disabled=plan.ordinal + 1 == calls, help=_("One call on"), width="stretch",
    )  # fmt: skip


def messages(replay: Replay, plan: Plan) -> None:
    """What became of every message before the call."""
    st.subheader(_("What became of each message at call {call:,}").format(call=plan.ordinal + 1))
    st.caption(
        _(
            "Every message recorded before this call, with its tokens as recorded → as sent, and "
            "why."
        )
    )
    listing.message_list(replay, plan)


def composition(replay: Replay, plan: Plan) -> None:
    """What the window is made of."""
    st.subheader(_("What the window is made of"))
    st.caption(_("The tokens of this call by kind, up to the budget."))
    st.plotly_chart(
        figures.composition_chart(plan, replay.config),
        key="composition",
        config={"displayModeBar": False},
        alt=_("Tokens of the window by kind"),
    )


def summary(plan: Plan) -> None:
    """The summary that is sent in place of what left."""
    st.subheader(_("Summary"))
    if plan.summary is None:
        st.caption(_("No summary is sent at this call."))
        return
    st.caption(
        _(
            "Version {version}, {tokens:,} tokens: what is sent in place of the summarised "
            "messages; [#12] names the message a line comes from."
        ).format(version=plan.summary.version, tokens=plan.summary.tokens)
    )
    st.code(plan.summary.text, language=None, wrap_lines=True, height=280)


def receipt(replay: Replay, plan: Plan) -> None:
    """What the newest compaction up to this call did."""
    st.subheader(_("Receipt"))
    done = [one.receipt for one in replay.plans[: plan.ordinal + 1] if one.receipt]
    if not done:
        st.caption(_("No compaction so far: nothing was summarised or left out for good."))
        return
    st.caption(_("The newest compaction up to this call."))
    st.text(_receipt_line(done[-1]))


def repairs(replay: Replay, plan: Plan) -> None:
    """The repairs made so far."""
    st.subheader(_("Repairs"))
    made = replay.report(plan).repairs
    if not made:
        st.caption(_("Nothing had to be repaired up to this call."))
        return
    st.caption(_("What a provider would have refused up to this call, and what stands in for it."))
    lines = [
        f"#{one.index} {name_of(one.call_id)} {fault_text(one.fault)}"
        for one in made[-MOST_REPAIRS:]
    ]
    st.code("\n".join(lines), language=None, wrap_lines=True, height=180)


def _receipt_line(done: Receipt) -> str:
    cause = {
        Cause.TRIGGER: _("the window had passed the trigger"),
        Cause.EVERY_CALL: _("old messages leave at every call"),
        Cause.BUDGET: _("the budget could not hold them"),
        Cause.AGE: _("they were old"),
    }[done.cause]
    line = ngettext(
        "Call {call:,}: {n:,} message, {before:,} → {after:,} tokens, because {cause} "
        "({total:,} tokens).",
        "Call {call:,}: {n:,} messages, {before:,} → {after:,} tokens, because {cause} "
        "({total:,} tokens).",
        done.messages,
    )
    return line.format(
        call=done.ordinal + 1, n=done.messages, before=done.tokens_before,
        after=done.tokens_after, cause=cause, total=done.total_before,
    )  # fmt: skip


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"
