"""Every tool call of a session beside its result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory_core.exchanges import Entry, pair
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
        first, *results = exchange.recorded
        by_id = {entry.message.tool_call_id: entry for entry in results}
        found += [
            Answered(first.index, call, by_id.get(call.id)) for call in first.message.tool_calls
        ]
    return found


def tools_by_result(messages: Sequence[ChatMessage]) -> Mapping[int, str]:
    """The tool that each recorded result came from, by the index of the result."""
    return {
        made.result.index: made.call.name
        for made in answered_calls(messages)
        if made.result is not None
    }
