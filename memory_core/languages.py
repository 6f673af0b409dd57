"""Which scripts a session is written in, by role: characters by letter, tokens by kind of text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory_core.gauge import Gauge
from memory_core.messages import ChatMessage
from memory_core.scripts import Kind, Scripts, scripts_of


@dataclass(frozen=True, slots=True)
class RoleScripts:
    """The messages of one role: every character counts for its script, every message whole for
    the kind that its text is."""

    role: str
    messages: int
    scripts: Scripts
    tokens: Mapping[Kind, int]
    """Tokens of the messages of each kind, framing included."""

    @property
    def all_tokens(self) -> int:
        return sum(self.tokens.values())


def scripts_by_role(messages: Sequence[ChatMessage], gauge: Gauge) -> list[RoleScripts]:
    """One entry per role, most tokens first; together they hold every message once."""
    groups: defaultdict[str, list[ChatMessage]] = defaultdict(list)
    for message in messages:
        groups[message.role].append(message)
    found = [_of_role(role, group, gauge) for role, group in groups.items()]
    return sorted(found, key=lambda one: -one.all_tokens)


def _of_role(role: str, messages: Sequence[ChatMessage], gauge: Gauge) -> RoleScripts:
    tokens = dict.fromkeys(Kind, 0)
    together = Scripts()
    for message in messages:
        scripts = scripts_of(message.said)
        tokens[scripts.kind] += gauge.tokens(message)
        together += scripts
    return RoleScripts(role, len(messages), together, tokens)
