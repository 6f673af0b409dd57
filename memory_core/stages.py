"""One call point stage by stage: what each step of the pipeline made of the history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from memory_core.exchanges import Fault
from memory_core.laps import Clock, Step
from memory_core.plan import Plan
from memory_core.replay import Replay


class StageName(StrEnum):
    """The steps in order; each takes what the one before left."""

    RAW = "raw"
    REPAIRED = "repaired"
    PRUNED = "pruned"
    COUNTED = "counted"
    SUMMARISED = "summarised"
    WINDOWED = "windowed"
    ASSEMBLED = "assembled"


@dataclass(frozen=True, slots=True)
class Stage:
    """What is left after a step.

    Tokens of `raw` and `repaired` are those of the messages, system message included; `pruned`
    has every output shortened that was shortened so far; `counted` adds the fixed overhead and
    the reply reserve, so that it is what the budget has to hold; in `summarised` the summary
    stands for what has left; `windowed` is without what the budget drops at this call; `assembled`
    is the request as it is sent, the reserve taken off and an opening line put in.
    """

    name: StageName
    tokens: int
    messages: int
    seconds: float | None
    """Time of the step at this call; None where it was not measured, or not on its own."""


def stages(replay: Replay, plan: Plan, *, clock: Clock | None = None) -> tuple[Stage, ...]:
    """All stages of a call point; `clock` measures the assembling, the replay had its own."""
    measured: Mapping[Step, float] = replay.timings[plan.ordinal] if replay.timings else {}
    ledger, parts = replay.planner.ledger, plan.parts
    started = clock() if clock else 0.0
    sent = len(replay.window(plan))
    assembling = clock() - started if clock else None
    made_up = sum(
        one.fault is Fault.MISSING_RESULT for one in ledger.pairing.repairs[: plan.repairs]
    )
    recorded = sum(replay.planner.gauge.tokens(message) for message in replay.messages[: plan.at])
    repaired = plan.raw_tokens - parts.overhead
    pruned = repaired - sum(
        one.before - one.after for one in ledger.prunings.values() if one.ordinal <= plan.ordinal
    )
    dropped = [ledger.entries_at(position, plan.ordinal) for position in plan.dropped]
    windowed = parts.total - parts.opening
    inside = sent - bool(parts.opening)
    found = (
        (StageName.RAW, recorded, plan.at, None),
        (StageName.REPAIRED, repaired, plan.at + made_up, measured.get("repair")),
        (StageName.PRUNED, pruned, plan.at + made_up, measured.get("prune")),
        (StageName.COUNTED, pruned + parts.overhead + parts.reserve, plan.at + made_up, None),
        (
            StageName.SUMMARISED,
            windowed + sum(one.tokens for row in dropped for one in row),
            inside + sum(len(row) for row in dropped),
            _together(measured, "choose", "summarise"),
        ),
        (StageName.WINDOWED, windowed, inside, measured.get("finish")),
        (StageName.ASSEMBLED, parts.sent, sent, assembling),
    )
    return tuple(Stage(*one) for one in found)


def _together(measured: Mapping[Step, float], *steps: Step) -> float | None:
    known = [measured[step] for step in steps if step in measured]
    return sum(known) if known else None
