"""The tokens of a session by who said it and which tool answered."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from memory_core.exchanges import pair
from memory_core.gauge import Gauge
from memory_core.messages import ChatMessage


@dataclass(frozen=True, slots=True)
class RoleTotal:
    """Messages of one role, of one tool where they are tool results."""

    role: str
    tool: str
    """The function that was called; "" for other roles and for results whose call is unknown."""
    messages: int
    tokens: int
    longest: int
    """Tokens of the longest of them."""


def tokens_by_role(messages: Sequence[ChatMessage], gauge: Gauge) -> list[RoleTotal]:
    """One total per role and tool, most tokens first; each message counts in exactly one."""
    tools = _tools(messages)
    groups: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for index, message in enumerate(messages):
        tool = tools.get(index, message.name or "") if message.role == "tool" else ""
        groups[message.role, tool].append(gauge.tokens(message))
    totals = [
        RoleTotal(role, tool, len(tokens), sum(tokens), max(tokens))
        for (role, tool), tokens in groups.items()
    ]
    return sorted(totals, key=lambda total: -total.tokens)


def _tools(messages: Sequence[ChatMessage]) -> dict[int, str]:
    return {
        entry.index: call.name
        for exchange in pair(messages).exchanges
        for call in exchange.entries[0].message.tool_calls
        for entry in exchange.entries[1:]
        if entry.message.tool_call_id == call.id
    }
