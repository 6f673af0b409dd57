"""The regions of the compression page, each with one sentence that says what to see in it."""

from __future__ import annotations

from typing import Final

import streamlit as st

from memory_core.errors import UnknownCallPoint
from memory_core.plan import Cause, Plan, Receipt, State
from memory_core.reasons import fault_text
from memory_core.replay import Replay
from memory_core.report import Report
from memory_core.summarizing import HEADINGS
from memory_core.texts import _, ngettext
from pages.ui import changes, current, figures, listing
from pages.ui.plain import literal, name_of
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
    explained = _(
        "The line is what is sent at every call, the grey area the recorded history, whole in the "
        "lower part; the upright line is the call shown below. Click a mark to go to that call."
    )
    last = replay.plans[-1]
    if last.at == len(replay.messages):
        explained += _(
            " Call {call:,} is the next one: the recording ends before the model's answer."
        ).format(call=last.ordinal + 1)
    titled(_statement(replay), explained)
    st.plotly_chart(
        figures.window_chart(replay, shown=plan),
        key=changes.CHART,
        on_select=changes.go_to_point,
        selection_mode="points",
        config={"displayModeBar": False},
        alt=_("Tokens sent at every call against the recorded history, the budget and the trigger"),
    )


def scrubber(replay: Replay, plan: Plan) -> None:
    """A slider over the calls with a step back and forth."""
    calls = len(replay.plans)
    if calls < 2:
        return
    current.show(changes.CALL, plan.ordinal + 1)
    back, slider, forth = st.columns([1, 14, 1], vertical_alignment="bottom")
    back.button(
        "◀", key="back", on_click=changes.go_to_call, args=(-1,), disabled=not plan.ordinal,
        help=_("One call back"), width="stretch",
    )  # fmt: skip
    slider.slider(
        _("Call {call:,} of {calls:,}").format(call=plan.ordinal + 1, calls=calls),
        1, calls, key=changes.CALL, on_change=changes.go_to_call,
    )  # fmt: skip
    forth.button(
        "▶", key="forth", on_click=changes.go_to_call, args=(1,),
        disabled=plan.ordinal + 1 == calls, help=_("One call on"), width="stretch",
    )  # fmt: skip


def messages(replay: Replay, report: Report, *, page: int | None) -> None:
    """What became of every message before the call."""
    number = report.plan.ordinal + 1
    titled(
        _("What became of each message at call {call:,}").format(call=number),
        _(
            "Every message recorded before this call, with its tokens as recorded → as sent, and "
            "why. The last page holds the newest."
        ),
    )
    listing.message_list(replay, report, page=page)


def composition(replay: Replay, plan: Plan) -> None:
    """What the window is made of."""
    titled(
        _("What the window is made of"), _("The tokens of this call by kind, up to the budget.")
    )
    st.plotly_chart(
        figures.composition_chart(plan, replay.config),
        key="composition",
        config={"displayModeBar": False},
        alt=_("Tokens of the window by kind"),
    )


def summary(replay: Replay, plan: Plan) -> None:
    """The summary that is sent in place of what left."""
    st.subheader(_("Summary"))
    if plan.summary is None:
        st.caption(_("No summary is sent at this call."))
        return
    st.caption(
        _(
            "Version {version}, {tokens:,} tokens with its heading {heading}: what is sent in "
            "place of the summarised messages. [#12] names the message a line comes from."
        ).format(
            version=plan.summary.version,
            tokens=plan.summary.tokens,
            heading=literal(HEADINGS[replay.config.summary_heading].strip()),
        )
    )
    st.code(plan.summary.text, language=None, wrap_lines=True, height=280)


def receipt(replay: Replay, report: Report) -> None:
    """What the newest compaction up to this call did, and what is left out without one."""
    st.subheader(_("Receipt"))
    plan = report.plan
    dropped = sum(fate.state is State.DROPPED and not fate.receipt for fate in report.fates)
    if dropped:
        st.text(_dropped_line(dropped, plan))
    done = [one.receipt for one in replay.plans[: plan.ordinal + 1] if one.receipt]
    if done:
        st.caption(_("The newest compaction up to this call."))
        st.text(_receipt_line(done[-1]))
    elif not dropped:
        st.caption(_("No compaction so far: nothing was summarised or left out for good."))


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


def _dropped_line(dropped: int, plan: Plan) -> str:
    line = ngettext(
        "At this call {n:,} message is not sent, and no summary has taken it: {reason}.",
        "At this call {n:,} messages are not sent, and no summary has taken them: {reason}.",
        dropped,
    )
    return line.format(n=dropped, reason=plan.failure or _("the budget needed the room"))


def _receipt_line(done: Receipt) -> str:
    cause = {
        Cause.TRIGGER: _("the window had passed the trigger"),
        Cause.TARGET: _("the window had passed the trigger, and this much had to leave"),
        Cause.EVERY_CALL: _("old messages leave at every call"),
        Cause.BUDGET: _("the budget could not hold them"),
        Cause.AGE: _("they were old"),
    }[done.cause]
    line = ngettext(
        "Call {call:,}: {n:,} message left, because {cause} (it had {total:,} tokens).",
        "Call {call:,}: {n:,} messages left, because {cause} (it had {total:,} tokens).",
        done.messages,
    ).format(call=done.ordinal + 1, n=done.messages, cause=cause, total=done.total_before)
    return "\n".join([line, _price_line(done)])


def _price_line(done: Receipt) -> str:
    shared = {"before": done.tokens_before, "after": done.tokens_after}
    if not done.tokens_after:
        return _("Their {before:,} tokens are gone: no summariser is switched on.").format(**shared)
    if done.version > 1:
        return _(
            "{before:,} → {after:,} tokens: these messages and the summary before → the new "
            "summary."
        ).format(**shared)
    return _("{before:,} → {after:,} tokens: these messages → the summary.").format(**shared)
