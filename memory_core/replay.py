"""A whole recorded session under one config: the window of every call point."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memory_core.behind import Masker
from memory_core.config import MemoryConfig
from memory_core.errors import UnknownCallPoint
from memory_core.gauge import Gauge
from memory_core.messages import ChatMessage
from memory_core.pipeline import Planner
from memory_core.plan import Plan
from memory_core.report import Report
from memory_core.summarizing import SUMMARIZERS
from memory_core.summarizing.asking import ask
from memory_core.summarizing.request import Summarizer
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
) -> Replay:
    """Plan every call point, as a manager called at each of them would.

    `until` ends it behind the call point at that message index; raises `UnknownCallPoint`.

    `summarizer` defaults to the one that `config.summarizer` names; `gauge` may be shared between
    replays of one session to count each message once.
    """
    summarize = summarizer or summarizer_of(config)
    points = call_points(messages)
    if until is not None:
        points = points[: _position(points, until) + 1]
    anchor = leading_anchor(messages)
    planner = Planner(config, anchor=anchor, gauge=gauge, mask=mask)
    plans: list[Plan] = []
    seen = 0
    for at in points:
        request = planner.advance(messages[seen:at], skip_first=anchor is not None)
        answer = ask(summarize, request)
        plans.append(planner.commit(answer.text, failure=answer.failure))
        seen = at
        if progress is not None:
            progress(len(plans), len(points))
    return Replay(tuple(messages), config, tuple(plans), planner)


def summarizer_of(config: MemoryConfig) -> Summarizer | None:
    """A fresh summariser of the kind that a config names, None where it names none."""
    return None if config.summarizer == "none" else SUMMARIZERS[config.summarizer]()
