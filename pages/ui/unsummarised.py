"""Why no summary stands for messages that are not sent, read off the data of the replay."""

from __future__ import annotations

from memory_core.acceptance import carrier_of
from memory_core.pipeline import MOST_STRIKES
from memory_core.plan import Plan
from memory_core.replay import Replay
from memory_core.texts import _, ngettext


def reason(replay: Replay, plan: Plan) -> str:
    """Why the messages that a plan drops were not summarised, as the end of a sentence."""
    config, summary = replay.config, plan.summary.tokens if plan.summary else 0
    heading = replay.planner.gauge.measure(carrier_of(config).message(""))
    replaced = summary + sum(
        sent.tokens
        for at in plan.dropped
        for sent in replay.planner.ledger.entries_at(at, plan.ordinal)
    )
    if plan.failure:
        return plan.failure.rstrip(".")
    if config.summarizer == "none":
        line = _("no summariser is switched on")
    elif _has_given_up(replay, plan):
        line = _(
            "none is asked for any more, since {strikes} in a row were empty or not shorter than "
            "what they replace"
        )
    elif config.summary_cap <= heading:
        line = ngettext(
            "a summary may take {cap:,} token, and its heading alone takes {heading:,}: raise the "
            "cap or the budget",
            "a summary may take {cap:,} tokens, and its heading alone takes {heading:,}: raise the "
            "cap or the budget",
            config.summary_cap,
        )
    elif replaced - 1 <= heading:
        line = _(
            "with the summary so far it has {replaced:,} tokens, too few for a new one, whose "
            "heading alone takes {heading:,}"
        )
    elif config.max_token_budget - plan.total + summary <= heading:
        line = _("what has to stay leaves no room for one in the budget of {budget:,} tokens")
    else:
        line = _("none was asked for at this call")
    return line.format(
        strikes=MOST_STRIKES,
        cap=config.summary_cap,
        heading=heading,
        replaced=replaced,
        budget=config.max_token_budget,
    )


def _has_given_up(replay: Replay, plan: Plan) -> bool:
    """Whether no summary was asked for any more: for good, from the last failure on."""
    failed = [one.ordinal for one in replay.plans if one.failure]
    return replay.planner.strikes >= MOST_STRIKES and plan.ordinal > failed[-1]
