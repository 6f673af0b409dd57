"""Calls at which something happened that a person should see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from memory_core.plan import Plan
from memory_core.texts import _
from pages.ui.states import GREY, PURPLE, SKY, VERMILION, YELLOW


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that happened at some calls (numbers from 1), and how it is drawn.

    `on_history`: in the lower part of the chart.
    """

    name: str
    symbol: str
    colour: str
    calls: list[int]
    on_history: bool = False


def marks(plans: Sequence[Plan]) -> list[Mark]:
    """Every kind of mark, with the calls it stands at."""
    compacted = [plan.ordinal + 1 for plan in plans if plan.receipt]
    over = [plan.ordinal + 1 for plan in plans if plan.over_budget]
    return [
        Mark(_("compaction"), "triangle-down", SKY, compacted),
        Mark(_("over budget"), "x", VERMILION, over),
        Mark(_("same request as before"), "square", PURPLE, repeated(plans)),
        Mark(_("newest messages not sent"), "diamond", GREY, deaf(plans)),
        Mark(_("repair"), "triangle-up", YELLOW, _repaired(plans), on_history=True),
    ]


def repeated(plans: Sequence[Plan]) -> list[int]:
    """Calls whose whole request equals the one of the call before."""
    return [
        plan.ordinal + 1
        for before, plan in pairwise(plans)
        if plan.cached_prefix_tokens == plan.parts.sent and plan.parts == before.parts
    ]


def deaf(plans: Sequence[Plan]) -> list[int]:
    """Calls whose request leaves out the newest exchange: what just happened."""
    return [plan.ordinal + 1 for plan in plans if plan.exchanges and _is_deaf(plan)]


def _is_deaf(plan: Plan) -> bool:
    newest = plan.exchanges - 1
    return newest in plan.dropped or (newest < plan.mark and newest not in plan.held)


def _repaired(plans: Sequence[Plan]) -> list[int]:
    before = [0, *(plan.repairs for plan in plans)]
    return [
        plan.ordinal + 1 for plan, was in zip(plans, before, strict=False) if plan.repairs > was
    ]
