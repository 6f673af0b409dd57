"""The tokens of a session by who said it and which tool answered, together and over time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory_core.calls import tools_by_result
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


@dataclass(frozen=True, slots=True)
class Large:
    """One message and its tokens; `tool` as in `RoleTotal`."""

    index: int
    role: str
    tool: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Growth:
    """The tokens of every message and whose they are: `totals[source[i]]` holds message i."""

    totals: tuple[RoleTotal, ...]
    """One per role and tool, most tokens first; each message counts in exactly one."""
    source: NDArray[np.int64]
    tokens: NDArray[np.int64]

    def until(self, ends: NDArray[np.int64]) -> NDArray[np.int64]:
        """Tokens of the messages before each of these indices, ascending: one row per source."""
        table = np.zeros((len(self.totals), len(ends) + 1), np.int64)
        first_end = np.searchsorted(ends, np.arange(len(self.tokens)), side="right")
        np.add.at(table, (self.source, first_end), self.tokens)
        return table.cumsum(axis=1)[:, :-1]


def growth(messages: Sequence[ChatMessage], gauge: Gauge) -> Growth:
    """The totals by role and tool, and how they come together message by message."""
    groups: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    names = _sources(messages)
    tokens = [gauge.tokens(message) for message in messages]
    for name, size in zip(names, tokens, strict=True):
        groups[name].append(size)
    totals = sorted(
        (
            RoleTotal(role, tool, len(sizes), sum(sizes), max(sizes))
            for (role, tool), sizes in groups.items()
        ),
        key=lambda total: -total.tokens,
    )
    places = {(total.role, total.tool): place for place, total in enumerate(totals)}
    source = np.array([places[name] for name in names], np.int64)
    return Growth(tuple(totals), source, np.array(tokens, np.int64))


def largest(found: Growth, *, most: int = 20) -> list[Large]:
    """The `most` messages with most tokens, of whatever role; the earlier one first where equal."""
    order = np.argsort(-found.tokens, kind="stable")[:most]
    return [
        Large(index, source.role, source.tool, int(found.tokens[index]))
        for index in order.tolist()
        for source in (found.totals[int(found.source[index])],)
    ]


def _sources(messages: Sequence[ChatMessage]) -> list[tuple[str, str]]:
    """Role and tool of every message."""
    tools = tools_by_result(messages)
    return [
        (one.role, tools.get(index, one.name or "") if one.role == "tool" else "")
        for index, one in enumerate(messages)
    ]
