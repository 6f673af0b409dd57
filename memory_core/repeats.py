"""Calls that an agent made again: the same tool with the same arguments."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from memory_core.calls import Answered, answered_calls
from memory_core.gauge import Gauge
from memory_core.messages import ChatMessage, clean_text


@dataclass(frozen=True, slots=True)
class Repeat:
    """One call that was made at least twice; calls without a recorded result count as calls."""

    tool: str
    arguments: str
    """As `canonical` writes them."""
    calls: tuple[int, ...]
    """Index of the calling message, once per call."""
    results: tuple[int, ...]
    """Indices of the recorded results, in the order of their calls."""
    tokens: int
    """Tokens of all results."""
    again: int
    """Tokens of the results that say word for word what an earlier one of these said."""
    different: int
    """How many different results there were; 0 where none was recorded."""

    @property
    def is_identical(self) -> bool:
        """True where at least two results were recorded and all are equal."""
        return self.different == 1 and len(self.results) > 1


def repeated_calls(messages: Sequence[ChatMessage], gauge: Gauge) -> list[Repeat]:
    """Every call made more than once, the one whose results have most tokens first."""
    groups: defaultdict[tuple[str, str], list[Answered]] = defaultdict(list)
    for made in answered_calls(messages):
        groups[made.call.name, canonical(made.call.arguments)].append(made)
    repeats = [
        _repeat(tool, arguments, group, gauge)
        for (tool, arguments), group in groups.items()
        if len(group) > 1
    ]
    return sorted(repeats, key=lambda one: (-one.tokens, -len(one.calls), one.calls))


def canonical(arguments: str) -> str:
    """Arguments with their keys in order and no free space; stripped only where they are no JSON.

    Two calls with equal ones ask a tool that reads JSON for the same thing.
    """
    try:
        value = json.loads(arguments)
        ordered = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    except (ValueError, RecursionError):
        return arguments.strip()
    return clean_text(ordered)


def _repeat(tool: str, arguments: str, group: Sequence[Answered], gauge: Gauge) -> Repeat:
    seen: set[tuple[str, ...]] = set()
    tokens = again = 0
    results = [made.result for made in group if made.result is not None]
    for result in results:
        content = _content(result.message)
        size = gauge.tokens(result.message)
        tokens += size
        again += size if content in seen else 0
        seen.add(content)
    return Repeat(
        tool=tool,
        arguments=arguments,
        calls=tuple(made.index for made in group),
        results=tuple(result.index for result in results),
        tokens=tokens,
        again=again,
        different=len(seen),
    )


def _content(message: ChatMessage) -> tuple[str, ...]:
    others = (repr(part) for part in message.parts if not part.is_text)
    return message.text, *others
