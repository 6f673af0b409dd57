"""A whole recorded session under one config: the window of every call point."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memory_core.behind import Masker
from memory_core.config import MemoryConfig
from memory_core.errors import UnknownCallPoint
from memory_core.exchanges import Repair
from memory_core.gauge import Gauge
from memory_core.messages import ChatMessage, ToolCall
from memory_core.pipeline import Planner
from memory_core.plan import Plan
from memory_core.summarizing import SUMMARIZERS
from memory_core.summarizing.asking import ask
from memory_core.summarizing.request import Summarizer
from memory_core.window import Fate, fates, render, sent_message

Progress = Callable[[int, int], bool]
"""Called with (call points done, all); returning False stops the replay there."""


@dataclass(frozen=True, slots=True)
class Replay:
    """The plans of a session's call points, in order, and what is needed to show any of them."""

    messages: tuple[ChatMessage, ...]
    config: MemoryConfig
    plans: tuple[Plan, ...]
    planner: Planner

    def plan_at(self, at: int) -> Plan:
        """The plan of the call point at a message index; raises `UnknownCallPoint`."""
        points = [plan.at for plan in self.plans]
        found = bisect_left(points, at)
        if found < len(points) and points[found] == at:
            return self.plans[found]
        nearest = min(points, key=lambda point: abs(point - at), default=0)
        raise UnknownCallPoint(at, nearest)

    def window(self, plan: Plan) -> tuple[ChatMessage, ...]:
        """The messages sent at a call point."""
        return tuple(render(self.planner, plan))

    def sent(self, plan: Plan, fate: Fate) -> ChatMessage:
        """One message as it is (or would be) sent: repaired, and shortened where it is."""
        return sent_message(self.planner, plan, fate)

    def call_of(self, plan: Plan, fate: Fate) -> ToolCall | None:
        """The call that a tool result answers, None for other messages."""
        call_id = self.sent(plan, fate).tool_call_id
        row = self.planner.ledger.row_at(fate.position, plan.ordinal)
        calls = row.exchange.entries[0].message.tool_calls
        return next((call for call in calls if call.id == call_id), None)

    def repairs(self, plan: Plan) -> tuple[Repair, ...]:
        """All repairs made up to a call point."""
        return tuple(self.planner.ledger.pairing.repairs[: plan.repairs])

    def fates(self, plan: Plan) -> tuple[Fate, ...]:
        """What became of every message before a call point."""
        return fates(self.planner, plan)


def call_points(messages: Sequence[ChatMessage]) -> list[int]:
    """Where the agent called the model: before each assistant message, and at an open end."""
    points = [index for index, message in enumerate(messages) if message.role == "assistant"]
    if messages and messages[-1].role != "assistant":
        points.append(len(messages))
    return points


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
    progress: Progress | None = None,
) -> Replay:
    """Plan every call point, as a manager called at each of them would.

    `summarizer` defaults to the one that `config.summarizer` names; `gauge` may be shared between
    replays of one session to count each message once.
    """
    summarize = summarizer or summarizer_of(config)
    points = call_points(messages)
    anchor = leading_anchor(messages)
    planner = Planner(config, anchor=anchor, gauge=gauge, mask=mask)
    plans: list[Plan] = []
    seen = 0
    for at in points:
        request = planner.advance(messages[seen:at], skip_first=anchor is not None)
        answer = ask(summarize, request)
        plans.append(planner.commit(answer.text, failure=answer.failure))
        seen = at
        if progress is not None and not progress(len(plans), len(points)):
            break
    return Replay(tuple(messages), config, tuple(plans), planner)


def summarizer_of(config: MemoryConfig) -> Summarizer | None:
    """A fresh summariser of the kind that a config names, None where it names none."""
    return None if config.summarizer == "none" else SUMMARIZERS[config.summarizer]()
