"""Calls at which something happened that a person should see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from memory_core.plan import Plan
from memory_core.stuck import repeated, unheard
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
    compacted = _numbers(plan for plan in plans if plan.receipt)
    over = _numbers(plan for plan in plans if plan.over_budget)
    return [
        Mark(_("compaction"), "triangle-down", SKY, compacted),
        Mark(_("over budget"), "x", VERMILION, over),
        Mark(_("same request as before"), "square", PURPLE, _numbers(repeated(plans))),
        Mark(_("newest messages not sent"), "diamond", GREY, _numbers(unheard(plans))),
        Mark(_("repair"), "triangle-up", YELLOW, _numbers(_repaired(plans)), on_history=True),
    ]


def _numbers(plans: Iterable[Plan]) -> list[int]:
    return [plan.ordinal + 1 for plan in plans]


def _repaired(plans: Sequence[Plan]) -> Iterator[Plan]:
    before = [0, *(plan.repairs for plan in plans)]
    return (plan for plan, was in zip(plans, before, strict=False) if plan.repairs > was)
