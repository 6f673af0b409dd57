"""Measuring messages: tokens and pruned forms, each computed once per message object."""

from __future__ import annotations

from dataclasses import dataclass

from memory_core.config import MemoryConfig
from memory_core.exchanges import Entry
from memory_core.messages import ChatMessage
from memory_core.pruning import is_error_output, prune_message
from memory_core.tokens.counting import TokenCounter, text_counter
from memory_core.tokens.framing import message_tokens

_MOST_MEASURED = 500_000


@dataclass(frozen=True, slots=True)
class Shortened:
    """A pruned output and its tokens."""

    message: ChatMessage
    tokens: int


def counting_of(config: MemoryConfig) -> tuple[object, ...]:
    """The settings that decide what a message counts."""
    return (
        config.model,
        config.unknown_model_factor,
        config.image_tokens,
        config.keep_thinking,
    )


class Gauge:
    """Counts with one counter; several replays of one session may share it.

    Messages are values, so a count belongs to the object: looking it up again costs no encoding.
    """

    def __init__(self, config: MemoryConfig, *, count: TokenCounter | None = None) -> None:
        self.count = count or text_counter(
            config.model, unknown_model_factor=config.unknown_model_factor
        )
        self.counts_like = counting_of(config)
        self._image_tokens = config.image_tokens
        self._keep_thinking = config.keep_thinking
        self._tokens: dict[int, tuple[ChatMessage, int]] = {}
        self._errors: dict[int, tuple[ChatMessage, bool]] = {}
        self._shortened: dict[tuple[object, ...], tuple[ChatMessage, Shortened | None]] = {}

    def tokens(self, message: ChatMessage) -> int:
        """Tokens of the message as sent, framing included."""
        known = self._tokens.get(id(message))
        if known is not None:
            return known[1]
        if len(self._tokens) > _MOST_MEASURED:
            self._tokens.clear()
        counted = self.measure(message)
        self._tokens[id(message)] = (message, counted)
        return counted

    def says_error(self, message: ChatMessage) -> bool:
        """Whether a tool message reports a failure."""
        known = self._errors.get(id(message))
        if known is None:
            if len(self._errors) > _MOST_MEASURED:
                self._errors.clear()
            known = self._errors[id(message)] = message, is_error_output(message)
        return known[1]

    def measure(self, message: ChatMessage) -> int:
        """The same for a message that is not kept: counted anew every time."""
        return message_tokens(
            message, self.count, image_tokens=self._image_tokens, keep_thinking=self._keep_thinking
        )

    def shortened(self, entry: Entry, config: MemoryConfig) -> Shortened | None:
        """The pruned form of an output, None where it stays as it is."""
        threshold, unit = config.tool_pruning_threshold, config.threshold_unit
        key = (id(entry.message), entry.index, threshold, unit, config.pruning_style)
        known = self._shortened.get(key)
        if known is not None:
            return known[1]
        if len(self._shortened) > _MOST_MEASURED:
            self._shortened.clear()
        message = prune_message(
            entry.message,
            threshold=threshold,
            unit=unit,
            style=config.pruning_style,
            number=entry.index,
            count=self.count,
        )
        short = None if message is None else Shortened(message, self.tokens(message))
        if short is not None and short.tokens >= self.tokens(entry.message):
            short = None
        self._shortened[key] = (entry.message, short)
        return short
