"""Why a message is kept, shortened or gone, as a sentence built from the plan's data."""

from __future__ import annotations

from typing import NamedTuple

from memory_core.config import MemoryConfig
from memory_core.exchanges import Fault
from memory_core.plan import Cause, Plan, Pruning, Receipt, State
from memory_core.texts import _, ngettext
from memory_core.window import Fate


def why(fate: Fate, plan: Plan, config: MemoryConfig) -> str:
    """One sentence that says why the message is in its state at this call point."""
    if fate.state is State.SUMMARISED and fate.receipt:
        return _held_until(fate) or _summarised(fate.receipt, config)
    if fate.state is State.DROPPED:
        return _held_until(fate) or _dropped(fate.receipt, plan, config)
    if fate.state is State.PRUNED and fate.pruning:
        return _pruned(fate.pruning, config)
    if fate.state is State.REPAIRED and fate.fault:
        return fault_text(fate.fault)
    return _stays(fate, plan, config)


class Short(NamedTuple):
    """Why a message is in a state, in a few words."""

    before: str
    """Before the call at which it was to leave, or where it never is."""
    after: str
    """From that call on."""


def in_short(state: State) -> Short:
    """As `why`, for a state alone.

    {shortened} and {left} stand for the numbers of the calls at which that happened.
    """
    pinned = _("always sent word for word")
    repaired = _("a provider would have refused it as recorded")
    shortened = _("shortened at call {shortened}")
    return {
        State.KEPT: Short(_("sent as recorded"), _("the last user message stays")),
        State.PRUNED: Short(shortened, shortened),
        State.SUMMARISED: Short("", _("left at call {left}")),
        State.DROPPED: Short(
            _("the budget had no room for it"), _("left at call {left}, no summary")
        ),
        State.PINNED: Short(pinned, pinned),
        State.REPAIRED: Short(repaired, repaired),
    }[state]


def fault_text(fault: Fault) -> str:
    """What was wrong with a message and what was done about it."""
    return {
        Fault.ORPHAN_RESULT: _(
            "Repaired: a tool result without its call, shown as a marked user message."
        ),
        Fault.LATE_RESULT: _("Repaired: the result came late and was moved behind its call."),
        Fault.MISSING_RESULT: _("Repaired: a call never got its result; a placeholder stands in."),
        Fault.DUPLICATE_ID: _("Repaired: two calls of one message had the same id."),
        Fault.MISSING_ID: _("Repaired: the call or its result had no id; paired by order."),
        Fault.EMPTY_MESSAGE: _("Repaired: the message was empty, which providers refuse."),
    }[fault]


def unknown_role_text() -> str:
    """What became of a message whose recorded role has no meaning here."""
    return _("Read as a user message: no role is known by its name.")


def _held_until(fate: Fate) -> str:
    if fate.held_until is None:
        return ""
    line = _("Dropped, left at call {call}: it was held as the last user message until then.")
    if fate.state is State.SUMMARISED:
        line = _(
            "Summarised, left at call {call}: it was held as the last user message until then."
        )
    return line.format(call=fate.held_until + 1)


def _summarised(receipt: Receipt, config: MemoryConfig) -> str:
    window = config.sliding_window_size
    older = ngettext(
        "Summarised at call {call}: older than the newest message.",
        "Summarised at call {call}: older than the newest {window} messages.",
        window,
    )
    sentence = {
        Cause.TRIGGER: ngettext(
            "Summarised at call {call}: older than the newest message when {total:,} tokens "
            "passed the trigger of {trigger:,}.",
            "Summarised at call {call}: older than the newest {window} messages when "
            "{total:,} tokens passed the trigger of {trigger:,}.",
            window,
        ),
        Cause.TARGET: _(
            "Summarised at call {call}: among the oldest messages when {total:,} tokens passed "
            "the trigger of {trigger:,}."
        ),
        Cause.BUDGET: _(
            "Summarised at call {call}: the budget of {budget:,} tokens could not hold it beside "
            "what is newer ({total:,} tokens)."
        ),
    }.get(receipt.cause, older)
    return sentence.format(
        call=receipt.ordinal + 1,
        window=window,
        total=receipt.total_before,
        trigger=config.trigger_tokens,
        budget=config.max_token_budget,
    )


def _dropped(receipt: Receipt | None, plan: Plan, config: MemoryConfig) -> str:
    if receipt is not None:
        return _(
            "Dropped at call {call}: it left the window and no summariser is switched on."
        ).format(call=receipt.ordinal + 1)
    line = _(
        "Dropped at this call: the budget of {budget:,} tokens could not be held otherwise, and no "
        "summary has taken it."
    )
    if plan.failure:
        line = _(
            "Dropped at this call: the budget of {budget:,} tokens could not be held otherwise, "
            "and no summary has taken it ({reason})."
        )
    return line.format(
        budget=config.max_token_budget, reason=plan.failure.rstrip(".") if plan.failure else ""
    )


def _pruned(pruning: Pruning, config: MemoryConfig) -> str:
    most = config.tool_pruning_threshold
    unit = ngettext("character", "characters", most)
    if config.threshold_unit == "tokens":
        unit = ngettext("token", "tokens", most)
    shared = {
        "call": pruning.ordinal + 1,
        "before": pruning.before,
        "after": pruning.after,
        "threshold": most,
        "unit": unit,
    }
    if pruning.cause is Cause.BUDGET:
        return _(
            "Shortened at call {call} from {before:,} to {after:,} tokens: the budget needed the "
            "room, and it was over {threshold:,} {unit}."
        ).format(**shared)
    return ngettext(
        "Shortened at call {call} from {before:,} to {after:,} tokens: older than the newest "
        "message and over {threshold:,} {unit}.",
        "Shortened at call {call} from {before:,} to {after:,} tokens: older than the newest "
        "{recent} messages and over {threshold:,} {unit}.",
        config.keep_recent_messages,
    ).format(**shared, recent=config.keep_recent_messages)


def _stays(fate: Fate, plan: Plan, config: MemoryConfig) -> str:
    if fate.position < 0:
        return _("Kept: the system message always stands first.")
    if fate.state is State.PINNED and fate.pinned_with is not None:
        line = _("Pinned with #{index}: a call and its results stay together, word for word.")
        return line.format(index=fate.pinned_with)
    if fate.state is State.PINNED:
        return _("Pinned: it stays word for word, whatever else leaves.")
    if fate.is_held:
        return _("Kept: the last user message stays, although older messages have left.")
    return _kept(fate, plan, config)


def _kept(fate: Fate, plan: Plan, config: MemoryConfig) -> str:
    if not plan.mark and not plan.drop_end:
        return _("Kept: nothing has left the window so far.")
    if plan.at - fate.index <= config.sliding_window_size:
        return ngettext(
            "Kept: the newest message.",
            "Kept: one of the newest {window} messages.",
            config.sliding_window_size,
        ).format(window=config.sliding_window_size)
    return _("Kept: only messages before it have left so far.")
