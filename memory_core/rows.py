"""Exchanges as they are sent, with the tokens of each of their messages."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from memory_core.config import MemoryConfig
from memory_core.exchanges import Exchange
from memory_core.gauge import Gauge
from memory_core.messages import ChatMessage
from memory_core.profiles import Profile, adapt


@dataclass(frozen=True, slots=True)
class Row:
    """One exchange as it is sent, with the tokens of each of its messages, nothing shortened."""

    exchange: Exchange
    tokens: tuple[int, ...]
    is_pinned: bool
    counted: int
    """Recorded messages that a sliding window counts: no system messages, no placeholders."""

    @property
    def recorded(self) -> int:
        """Recorded messages: all but placeholders."""
        return len(self.exchange.recorded)


class Rows:
    """Makes the rows of one history under one config."""

    def __init__(self, config: MemoryConfig, gauge: Gauge, profile: Profile) -> None:
        self.key: Hashable = (config.provider_profile, config.pins, gauge.counts_like)
        """Configs with the same key have the same rows."""
        self._gauge = gauge
        self._profile = profile
        self._pins = frozenset(config.pins)

    def row(self, paired: Exchange, messages: Sequence[ChatMessage]) -> Row:
        """The row of an exchange of `messages`."""
        exchange = adapt(paired, self._profile)
        counted = sum(not messages[entry.index].is_system for entry in paired.recorded)
        tokens = tuple([self._gauge.tokens(entry.message) for entry in exchange.entries])
        return Row(exchange, tokens, self._is_pinned(exchange, messages), counted)

    def _is_pinned(self, exchange: Exchange, messages: Sequence[ChatMessage]) -> bool:
        return bool(self._pins) and any(
            entry.index in self._pins or messages[entry.index].id in self._pins
            for entry in exchange.entries
        )
