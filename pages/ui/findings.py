"""What a session holds, whatever the config does with it: the figures of the session page."""

from __future__ import annotations

from dataclasses import dataclass

from memory_core.gauge import Gauge
from memory_core.languages import RoleScripts, scripts_by_role
from memory_core.repeats import Repeat, repeated_calls
from memory_core.sessions.session import Session
from memory_core.totals import Growth, Large, growth, largest


@dataclass(frozen=True, slots=True)
class Findings:
    """One session, measured."""

    growth: Growth
    largest: tuple[Large, ...]
    repeats: tuple[Repeat, ...]
    scripts: tuple[RoleScripts, ...]

    @property
    def tokens(self) -> int:
        """Tokens of all messages."""
        return int(self.growth.tokens.sum())


def find(session: Session, gauge: Gauge) -> Findings:
    """Measure every message of a session."""
    grown = growth(session.messages, gauge)
    return Findings(
        growth=grown,
        largest=tuple(largest(grown)),
        repeats=tuple(repeated_calls(session.messages, gauge)),
        scripts=tuple(scripts_by_role(session.messages, gauge)),
    )
