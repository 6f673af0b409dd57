"""Every tool call of a session beside its result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory_core.exchanges import Entry, Fault, pair
from memory_core.messages import ChatMessage, ToolCall


@dataclass(frozen=True, slots=True)
class Answered:
    """One call, the index of the message that made it, and the result, if one was recorded."""

    index: int
    call: ToolCall
    result: Entry | None


def answered_calls(messages: Sequence[ChatMessage]) -> list[Answered]:
    """All calls in the order they were made, paired as `exchanges.pair` does."""
    found: list[Answered] = []
    for exchange in pair(messages).exchanges:
        first, *results = exchange.entries
        by_id = {
            entry.message.tool_call_id: entry
            for entry in results
            if entry.fault is not Fault.MISSING_RESULT
        }
        found += [
            Answered(first.index, call, by_id.get(call.id)) for call in first.message.tool_calls
        ]
    return found
