"""What one call did to the memory, as data a person, a log or a test can read."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from memory_core.exchanges import Repair
from memory_core.messages import ChatMessage, ToolCall
from memory_core.pipeline import Planner
from memory_core.plan import Plan, Receipt
from memory_core.window import Fate, fates, render, sent_message, state_counts


@dataclass(frozen=True)
class Report:
    """The report of one call point; everything but the plan is derived when asked for."""

    planner: Planner
    plan: Plan
    is_restart: bool = False
    """True where the history did not extend the one seen before, so the memory began afresh."""

    @property
    def total_tokens(self) -> int:
        return self.plan.total

    @property
    def over_budget(self) -> bool:
        return self.plan.over_budget

    @property
    def summary(self) -> str:
        """The summary in force, without its heading."""
        return self.plan.summary.text if self.plan.summary else ""

    @property
    def receipt(self) -> Receipt | None:
        return self.plan.receipt

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """All repairs made so far, each naming the message and the call id it touched."""
        made = self.planner.ledger.pairing.repairs[: self.plan.repairs]
        return tuple(sorted(made, key=lambda one: (one.index, one.fault, one.call_id)))

    @cached_property
    def message_tokens(self) -> tuple[int, ...]:
        """Tokens of each message of the history, as it was given."""
        messages = self.planner.ledger.messages[: self.plan.at]
        return tuple(self.planner.gauge.tokens(message) for message in messages)

    @cached_property
    def fates(self) -> tuple[Fate, ...]:
        return fates(self.planner, self.plan)

    def sent(self, fate: Fate) -> ChatMessage:
        """One message as it is (or would be) sent: repaired, and shortened where it is."""
        return sent_message(self.planner, self.plan, fate)

    def call_of(self, fate: Fate) -> ToolCall | None:
        """The call that a tool result answers, None for other messages."""
        if fate.position < 0:
            return None
        exchange = self.planner.ledger.row_at(fate.position, self.plan.ordinal).exchange
        entry = next(entry for entry in exchange.recorded if entry.index == fate.index)
        return exchange.call_of(entry)

    @cached_property
    def messages(self) -> tuple[ChatMessage, ...]:
        """The window."""
        return tuple(render(self.planner, self.plan))

    def states(self) -> dict[str, int]:
        """How many messages are in each state."""
        counts = state_counts(self.planner, self.plan)
        return {state.value: count for state, count in counts.items()}

    def figures(self) -> dict[str, Any]:
        """What can be said of the call point without looking at every message."""
        return {
            "at": self.plan.at,
            "total_tokens": self.plan.total,
            "raw_tokens": self.plan.raw_tokens,
            "parts": asdict(self.plan.parts),
            "over_budget": self.plan.over_budget,
            "cached_prefix_tokens": self.plan.cached_prefix_tokens,
            "states": self.states(),
            "receipt": asdict(self.plan.receipt) if self.plan.receipt else None,
            "failure": self.plan.failure,
        }

    def to_dict(self) -> dict[str, Any]:
        """The whole report as plain JSON data."""
        return {
            **self.figures(),
            "message_tokens": list(self.message_tokens),
            "summary": self.summary,
            "repairs": [asdict(repair) for repair in self.repairs],
            "restarted": self.is_restart,
        }
