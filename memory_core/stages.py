"""One call point stage by stage: what each step of the pipeline left of the history, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from memory_core.exchanges import Fault
from memory_core.laps import Clock, Step
from memory_core.plan import Cause, Plan, Pruning, Summary
from memory_core.profiles import opening_tokens
from memory_core.replay import Replay
from memory_core.texts import _


class StageName(StrEnum):
    """The steps in order; each takes what the one before left.

    `recorded`: the messages before the call as they stand in the file, the system message included.
    `repaired`: the same as a provider accepts it, with placeholders for missing results: the whole
    history that is called raw elsewhere, but for fixed overhead. `pruned`: with every output short
    that was shortened up to this call, but for those that the budget needed here.

    `counted`: the total that is compared with the trigger: overhead, the reply's reserve and the
    summary in force come on top, and what left at earlier calls is no longer there. `summarised`:
    the same after this call's compaction, if there was one. `windowed`: after holding the budget,
    without what was dropped and with the outputs shortened for it. `assembled`: the request as it
    is sent: the reserve is taken off, and an opening line put in that only dropping made necessary.
    """

    RECORDED = "recorded"
    REPAIRED = "repaired"
    PRUNED = "pruned"
    COUNTED = "counted"
    SUMMARISED = "summarised"
    WINDOWED = "windowed"
    ASSEMBLED = "assembled"


@dataclass(frozen=True, slots=True)
class Stage:
    """What is left after a step: tokens with their framing, and messages."""

    name: StageName
    tokens: int
    messages: int
    milliseconds: float | None
    """Time of the step at this call; None where nothing measured it. `recorded` is no step."""
    note: Mapping[str, int]
    """The numbers behind `remark`."""


def stages(replay: Replay, plan: Plan, *, clock: Clock | None = None) -> tuple[Stage, ...]:
    """All stages of a call point, read off its plan: nothing is decided anew.

    The replay's clock measured the steps: choosing what leaves counts to `counted`, taking the
    summary to `windowed`. `clock` measures the assembling, which is done here once more.
    """
    started = clock() if clock else 0.0
    sent = len(replay.window(plan))
    assembling = clock() - started if clock else None
    times: Mapping[Step, float] = replay.timings[plan.ordinal] if replay.timings else {}
    view = _View(replay, plan)
    counted, summarised = view.before_compaction(), view.after_compaction()
    late_line = max(0, plan.parts.opening - summarised.opening)
    windowed = _Left(plan.total - late_line, sent - bool(late_line))
    found = (
        (StageName.RECORDED, view.recorded(), None, dict[str, int]()),
        (StageName.REPAIRED, view.repaired(), times.get("repair"), view.repairs()),
        (StageName.PRUNED, view.pruned(), times.get("prune"), view.prunings()),
        (StageName.COUNTED, counted, times.get("choose"), view.trigger(counted)),
        (StageName.SUMMARISED, summarised, times.get("summarise"), view.compaction()),
        (StageName.WINDOWED, windowed, times.get("finish"), view.budget()),
        (StageName.ASSEMBLED, _Left(plan.parts.sent, sent), assembling, view.request()),
    )
    return tuple(
        Stage(name, left.tokens, left.messages, None if time is None else 1000 * time, note)
        for name, left, time, note in found
    )


@dataclass(frozen=True, slots=True)
class _Left:
    tokens: int
    messages: int
    opening: int = 0
    """Tokens of the opening line among them."""
    recorded: int = 0
    """Messages among them that are no summary and no opening line."""


class _View:
    """What one call point saw before the budget was held, and the numbers of its notes."""

    def __init__(self, replay: Replay, plan: Plan) -> None:
        self._plan = plan
        self._before = replay.summary_before(plan)
        self._planner = replay.planner
        self._ledger = replay.planner.ledger
        self._faults = [one.fault for one in self._ledger.pairing.repairs[: plan.repairs]]
        self._aged: list[Pruning] = []
        self._late: dict[int, int] = {}
        """Tokens saved by outputs that the budget needed at this very call, by message index."""
        for index, one in self._ledger.prunings.items():
            if one.ordinal == plan.ordinal and one.cause is Cause.BUDGET:
                self._late[index] = one.before - one.after
            elif one.ordinal <= plan.ordinal:
                self._aged.append(one)

    def recorded(self) -> _Left:
        gauge, at = self._planner.gauge, self._plan.at
        return _Left(sum(gauge.tokens(one) for one in self._ledger.messages[:at]), at)

    def repaired(self) -> _Left:
        made_up = self._faults.count(Fault.MISSING_RESULT)
        return _Left(self._plan.raw_tokens - self._plan.parts.overhead, self._plan.at + made_up)

    def pruned(self) -> _Left:
        whole = self.repaired()
        return _Left(whole.tokens - self.prunings()["saved"], whole.messages)

    def before_compaction(self) -> _Left:
        plan = self._plan
        start = plan.receipt.start if plan.receipt else plan.mark
        return self._sent([at for at in plan.held if at < start], start, self._before)

    def after_compaction(self) -> _Left:
        return self._sent(self._plan.held, self._plan.mark, self._plan.summary)

    def repairs(self) -> dict[str, int]:
        made_up = self._faults.count(Fault.MISSING_RESULT)
        return {"repairs": len(self._faults), "placeholders": made_up}

    def prunings(self) -> dict[str, int]:
        here = sum(one.ordinal == self._plan.ordinal for one in self._aged)
        saved = sum(one.before - one.after for one in self._aged)
        return {"outputs": len(self._aged), "here": here, "saved": saved}

    def trigger(self, counted: _Left) -> dict[str, int]:
        trigger = self._planner.config.trigger_tokens
        left = self.repaired().messages - counted.recorded
        return {
            "trigger": trigger,
            "over": max(0, counted.tokens - trigger),
            "left": left,
            "added": counted.messages - counted.recorded,
        }

    def compaction(self) -> dict[str, int]:
        done = self._plan.receipt
        if done is None:
            return {"left": 0, "before": 0, "after": 0, "version": 0}
        return {
            "left": done.messages,
            "before": done.tokens_before,
            "after": done.tokens_after,
            "version": done.version,
        }

    def budget(self) -> dict[str, int]:
        plan, budget = self._plan, self._planner.config.max_token_budget
        dropped = sum(
            len(self._ledger.row_at(at, plan.ordinal).exchange.entries) for at in plan.dropped
        )
        over = max(0, plan.total - budget)
        return {"budget": budget, "over": over, "dropped": dropped, "outputs": len(self._late)}

    def request(self) -> dict[str, int]:
        parts = self._plan.parts
        cached = self._plan.cached_prefix_tokens
        return {"reserve": parts.reserve, "opening": parts.opening, "cached": cached}

    def _sent(self, held: Sequence[int], start: int, summary: Summary | None) -> _Left:
        """The request and the reserve if `held` and all exchanges from `start` on were sent."""
        parts = self._plan.parts
        positions = [*held, *range(start, self._plan.exchanges)]
        opening = 0 if summary else self._opening(positions[:1])
        tokens = parts.system + parts.overhead + parts.reserve + opening
        recorded = 1 if self._planner.anchor else 0
        for position in positions:
            entries = self._ledger.entries_at(position, self._plan.ordinal)
            tokens += sum(one.tokens for one in entries) + self._saved_late(position)
            recorded += len(entries)
        return _Left(
            tokens=tokens + (summary.tokens if summary else 0),
            messages=recorded + bool(summary) + bool(opening),
            opening=opening,
            recorded=recorded,
        )

    def _saved_late(self, position: int) -> int:
        if not self._late:
            return 0
        entries = self._ledger.row_at(position, self._plan.ordinal).exchange.entries
        return sum(self._late.get(entry.index, 0) for entry in entries)

    def _opening(self, first: Sequence[int]) -> int:
        if not first:
            return 0
        exchange = self._ledger.row_at(first[0], self._plan.ordinal).exchange
        return opening_tokens(self._planner.profile, exchange, self._planner.gauge.tokens)


def remark(stage: Stage) -> str:
    """What the step found and did at this call, as a sentence."""
    telling, done, nothing = _remarks()[stage.name]
    return (done if stage.note.get(telling) else nothing).format(**stage.note)


def _remarks() -> Mapping[StageName, tuple[str, str, str]]:
    """By stage: the number of its note that decides, what is said for it, and for none."""
    return {
        StageName.RECORDED: ("", "", _("As it stands in the file.")),
        StageName.REPAIRED: (
            "repairs",
            _("Repairs so far: {repairs:,}, placeholders among them: {placeholders:,}."),
            _("Nothing had to be repaired."),
        ),
        StageName.PRUNED: (
            "outputs",
            _("Outputs short: {outputs:,}, since this call: {here:,}; tokens saved: {saved:,}."),
            _("No output is short."),
        ),
        StageName.COUNTED: (
            "over",
            _(
                "Tokens above the trigger of {trigger:,}: {over:,}. Messages that left at earlier "
                "calls: {left:,}; sent in their place: {added:,}."
            ),
            _(
                "Not above the trigger of {trigger:,}. Messages that left at earlier calls: "
                "{left:,}; sent in their place: {added:,}."
            ),
        ),
        StageName.SUMMARISED: (
            "left",
            _("Messages that leave here: {left:,}; {before:,} tokens become {after:,}."),
            _("Nothing leaves at this call."),
        ),
        StageName.WINDOWED: (
            "over",
            _(
                "Tokens over the budget of {budget:,}: {over:,}; messages dropped: {dropped:,}, "
                "outputs shortened: {outputs:,}."
            ),
            _(
                "Within the budget of {budget:,}; messages dropped for it: {dropped:,}, "
                "outputs shortened: {outputs:,}."
            ),
        ),
        StageName.ASSEMBLED: (
            "cached",
            _("{cached:,} tokens from its start on are those of the call before."),
            _("It starts unlike the call before."),
        ),
    }
