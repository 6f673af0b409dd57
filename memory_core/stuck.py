"""Calls at which an agent is stuck: what happened before them does not reach the model."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from memory_core.plan import Plan


def repeated(plans: Sequence[Plan]) -> list[Plan]:
    """The calls whose whole request equals the one of the call before."""
    return [
        plan
        for before, plan in pairwise(plans)
        if plan.cached_prefix_tokens == plan.parts.sent and plan.parts == before.parts
    ]


def unheard(plans: Sequence[Plan]) -> list[Plan]:
    """The calls whose request leaves out the newest exchange: what just happened."""
    return [plan for plan in plans if plan.exchanges and not plan.sends(plan.exchanges - 1)]
