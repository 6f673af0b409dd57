"""A whole recorded session under one config: the window of every call point."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from memory_core.behind import Masker, numbered
from memory_core.config import MemoryConfig
from memory_core.errors import InvalidConfig, UnknownCallPoint
from memory_core.gauge import Gauge
from memory_core.laps import Clock, Step
from memory_core.messages import ChatMessage
from memory_core.pipeline import Planner
from memory_core.plan import Plan, Receipt, Summary, receipts_until
from memory_core.report import Report
from memory_core.summarizing import SUMMARIZERS, clip
from memory_core.summarizing.asking import ask
from memory_core.summarizing.request import Summarizer, SummaryRequest
from memory_core.tape import Tape
from memory_core.texts import _
from memory_core.window import Fate

Progress = Callable[[int, int], None]
"""Called with (call points done, all). What it raises ends the replay."""


@dataclass(frozen=True, slots=True)
class Replay:
    """The plans of a session's call points, in order, and what is needed to show any of them."""

    messages: tuple[ChatMessage, ...]
    config: MemoryConfig
    plans: tuple[Plan, ...]
    planner: Planner

    def plan_at(self, at: int) -> Plan:
        """The plan of the call point at a message index; raises `UnknownCallPoint`."""
        return self.plans[_position([plan.at for plan in self.plans], at)]

    def report(self, plan: Plan) -> Report:
        """Everything about one call point: messages, fates, repairs, figures."""
        return Report(self.planner, plan)

    @property
    def is_draft(self) -> bool:
        """True where summaries are only reserved: tokens are estimates, texts are missing."""
        return any(plan.summary and plan.summary.is_reserved for plan in self.plans[-1:])

    @property
    def timings(self) -> Sequence[Mapping[Step, float]]:
        """Seconds each step took, by call point; empty where no clock was passed."""
        return self.planner.laps.points

    def receipt_of(self, plan: Plan) -> Receipt | None:
        """The newest compaction up to a call point that left a summary."""
        return next((one for one in reversed(self.receipts_until(plan)) if one.version), None)

    def receipts_until(self, plan: Plan) -> Sequence[Receipt]:
        """The compactions up to a call point, that one included, in order."""
        return receipts_until(self.planner.receipts, plan)

    def summary_before(self, plan: Plan) -> Summary | None:
        """The summary in force at the call point before this one."""
        return self.plans[plan.ordinal - 1].summary if plan.ordinal else None

    def request(self, receipt: Receipt) -> SummaryRequest:
        """What the summariser was asked at a compaction."""
        before = self.summary_before(self.plans[receipt.ordinal])
        ledger, mask = self.planner.ledger, self.planner.mask
        return SummaryRequest(
            behind=numbered(ledger.messages, ledger.recorded(0, receipt.end), mask),
            new=numbered(ledger.messages, ledger.recorded(receipt.start, receipt.end), mask),
            previous=before.text if before else "",
            cap=receipt.cap,
            count=self.planner.gauge.count,
        )

    def window(self, plan: Plan) -> tuple[ChatMessage, ...]:
        """The messages sent at a call point."""
        return self.report(plan).messages

    def fates(self, plan: Plan) -> tuple[Fate, ...]:
        """What became of every message before a call point."""
        return self.report(plan).fates


def _position(points: Sequence[int], at: int) -> int:
    found = bisect_left(points, at)
    if found < len(points) and points[found] == at:
        return found
    raise UnknownCallPoint(at, min(points, key=lambda point: abs(point - at), default=0))


def call_points(messages: Sequence[ChatMessage]) -> list[int]:
    """Where the agent called the model: before each assistant message, and at an open end."""
    points = [index for index, message in enumerate(messages) if message.role == "assistant"]
    if messages and messages[-1].role != "assistant":
        points.append(len(messages))
    return points


def tape_of(messages: Sequence[ChatMessage]) -> Tape:
    """The pairing of a session, for all its replays to share."""
    skip_first = leading_anchor(messages) is not None
    return Tape(messages, call_points(messages), skip_first=skip_first)


def leading_anchor(messages: Sequence[ChatMessage]) -> ChatMessage | None:
    """The system message a session starts with, if it does."""
    return messages[0] if messages and messages[0].is_system else None


def replay(
    messages: Sequence[ChatMessage],
    config: MemoryConfig,
    *,
    summarizer: Summarizer | None = None,
    gauge: Gauge | None = None,
    mask: Masker | None = None,
    until: int | None = None,
    progress: Progress | None = None,
    tape: Tape | None = None,
    clock: Clock | None = None,
) -> Replay:
    """Plan every call point, as a manager called at each of them would.

    `until` ends it after the call point at that message index; raises `UnknownCallPoint`.

    `summarizer` defaults to the one that `config.summarizer` names; `gauge` may be shared between
    replays of one session to count each message once, and so may `tape`, made by `tape_of` the
    same messages; raises `InvalidConfig` where it was made of others. `clock` measures the
    steps (`timings`).
    """
    summarize = summarizer or summarizer_of(config)
    anchor = leading_anchor(messages)
    planner = Planner(config, anchor=anchor, gauge=gauge, mask=mask, tape=tape, clock=clock)

    skip_first = anchor is not None

    def step(new: Sequence[ChatMessage]) -> Plan:
        answer = ask(summarize, planner.advance(new, skip_first=skip_first))
        return planner.commit(answer.text, failure=answer.failure)

    return _replayed(messages, planner, step, until=until, progress=progress, tape=tape)


def draft(
    messages: Sequence[ChatMessage],
    config: MemoryConfig,
    *,
    gauge: Gauge | None = None,
    progress: Progress | None = None,
    tape: Tape | None = None,
    clock: Clock | None = None,
) -> Replay:
    """The same without asking any summariser: every summary is taken to fill its cap.

    It costs a fraction of a replay. Tokens are estimates on the high side, so that a call may be
    over budget here and not in the replay. Summaries have no text: `written` gives the one of a
    call point.
    """
    anchor = leading_anchor(messages)
    planner = Planner(config, anchor=anchor, gauge=gauge, tape=tape, clock=clock)
    skip_first = anchor is not None

    def step(new: Sequence[ChatMessage]) -> Plan:
        planner.decide(new, skip_first=skip_first)
        return planner.reserve() if planner.awaits_summary else planner.commit(None)

    return _replayed(messages, planner, step, until=None, progress=progress, tape=tape)


def written(drafted: Replay, plan: Plan, summarizer: Summarizer) -> Plan:
    """A plan of a draft with the text of its summary, by a summariser that needs no earlier one."""
    receipt = drafted.receipt_of(plan)
    if receipt is None or plan.summary is None or not plan.summary.is_reserved:
        return plan
    request = drafted.request(receipt)
    text = clip(ask(summarizer, request).text or "", request.cap, request.count)
    return replace(plan, summary=replace(plan.summary, text=text))


def _replayed(
    messages: Sequence[ChatMessage],
    planner: Planner,
    step: Callable[[Sequence[ChatMessage]], Plan],
    *,
    until: int | None,
    progress: Progress | None,
    tape: Tape | None,
) -> Replay:
    points = call_points(messages)
    if tape is not None:
        tape.check(messages, points)
    if until is not None:
        points = points[: _position(points, until) + 1]
    plans: list[Plan] = []
    seen = 0
    for at in points:
        plans.append(step(messages[seen:at]))
        seen = at
        if progress is not None:
            progress(len(plans), len(points))
    return Replay(tuple(messages), planner.config, tuple(plans), planner)


def summarizer_of(config: MemoryConfig) -> Summarizer | None:
    """A fresh summariser of the kind that a config names, None where it names none.

    Raises `InvalidConfig` where it names a model: that one needs an address.
    """
    if config.summarizer == "model":
        raise InvalidConfig(_("summarizer: a model has to be passed as `summarizer`"))
    return None if config.summarizer == "none" else SUMMARIZERS[config.summarizer]()
