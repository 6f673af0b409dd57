"""The figures at the top of the compression page, and what should worry a person."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from memory_core.models import counted_model
from memory_core.plan import Plan
from memory_core.replay import Replay
from memory_core.stuck import repeated, unheard
from memory_core.texts import _, ngettext
from pages.ui.plain import literal


@dataclass(frozen=True, slots=True)
class Figure:
    """One number with what it is a number of."""

    label: str
    value: str
    unit: str
    help: str


def headline(replay: Replay, plan: Plan) -> DeltaGenerator:
    """The six figures of a call; below them, in the same place, there is room for more."""
    row = st.container(horizontal=True, key="figures")
    for one in _figures(replay, plan):
        row.metric(
            one.label, one.value, delta=one.unit, delta_color="off", delta_arrow="off",
            help=one.help,
        )  # fmt: skip
    return row


def trust(replay: Replay) -> str:
    """How far the figures can be trusted, as one line."""
    config = replay.config
    model = counted_model(config.model, unknown_model_factor=config.unknown_model_factor)
    line = (
        _("Tokens are those of {model}.")
        if model.exact
        else _("Tokens are estimated for {model}: its vocabulary is not public.")
    )
    line = line.format(model=literal(config.model))
    if replay.is_draft:
        line += _(" **Estimates** until all summaries are written: each is taken to fill its cap.")
    return line


def saved(replay: Replay) -> str:
    """What the config saves over all calls, as one line."""
    sent = sum(plan.parts.sent for plan in replay.plans)
    whole = sum(plan.raw_tokens for plan in replay.plans)
    line = _("**{sent:,} tokens sent instead of {whole:,}: {percent} saved over all calls.**")
    return line.format(sent=sent, whole=whole, percent=_percent(whole - sent, whole))


def warnings(replay: Replay) -> None:
    """One line for each way in which a session is stuck, all as one element."""
    same, deaf = len(repeated(replay.plans)), len(unheard(replay.plans))
    lines: list[str] = []
    if same:
        lines.append(
            ngettext(
                "Same request as before: {n:,} call. Nothing that happened in between reaches the "
                "model there, so it can only do the same again.",
                "Same request as before: {n:,} calls. Nothing that happened in between reaches "
                "the model there, so it can only do the same again.",
                same,
            ).format(n=same)
        )
    if deaf:
        lines.append(
            ngettext(
                "Newest messages not sent: {n:,} call, "
                "there the model does not see what came last.",
                "Newest messages not sent: {n:,} calls, "
                "there the model does not see what came last.",
                deaf,
            ).format(n=deaf)
        )
    if lines:
        st.warning("\n\n".join(lines))


def _figures(replay: Replay, plan: Plan) -> list[Figure]:
    plans, config, sent = replay.plans, replay.config, plan.parts.sent
    so_far = sum(one.receipt is not None for one in plans[: plan.ordinal + 1])
    compactions = sum(one.receipt is not None for one in plans)
    over = sum(one.over_budget for one in plans)
    reserve = ""
    if plan.parts.reserve:
        reserve = ngettext(
            " {reserve:,} token of the budget is kept free for the reply.",
            " {reserve:,} tokens of the budget are kept free for the reply.",
            plan.parts.reserve,
        ).format(reserve=plan.parts.reserve)
    return [
        Figure(_("Sent / budget"), f"{sent:,} / {config.max_token_budget:,}",
               _("tokens, this call"),
               _("Tokens sent at this call, of the budget.") + reserve),
        Figure(_("Raw"), f"{plan.raw_tokens:,}", _("tokens, this call"),
               _("Tokens of the whole history before this call, repaired so that a provider "
                 "accepts it, nothing left out.")),
        Figure(_("Saved"), _percent(plan.raw_tokens - sent, plan.raw_tokens),
               _("of raw, this call"),
               _("Share of the raw history that is not sent at this call.")),
        Figure(_("Compactions"), _("{part:,} of {all:,}").format(part=so_far, all=compactions),
               _("so far, of all"),
               _("How often old messages left the window: up to this call, of all.")),
        Figure(_("Over budget"), _("{part:,} of {all:,}").format(part=over, all=len(plans)),
               ngettext("call in all", "calls in all", len(plans)),
               _("Calls whose window could not be brought under the budget.")),
        Figure(_("Cached prefix"), _percent(plan.cached_prefix_tokens, sent),
               _("of sent, this call"),
               _("Share of the request that starts like the previous call's: a prompt cache can "
                 "reuse it.")),
    ]  # fmt: skip


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"
