"""What the provider counted at each call, beside our count of the history that the file holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from memory_core.raw import RawTotals
from memory_core.sessions.session import Origin, Usage

_FALL: Final = 0.8
"""A recorded input below this share of the one before: something was left out by the agent."""


@dataclass(frozen=True, slots=True)
class UsedCall:
    """One call with recorded usage: its ordinal from 0, and the message index it is before."""

    ordinal: int
    at: int
    usage: Usage
    counted: int
    """Our count of the whole history before it, overhead included, nothing left out."""

    @property
    def recorded(self) -> int:
        """All input tokens of the call, read from a cache, written to one, or neither."""
        used = self.usage
        return used.input_tokens + used.cache_read_tokens + used.cache_write_tokens


@dataclass(frozen=True, slots=True)
class Comparison:
    """The calls with recorded usage, in order; empty where the file has none."""

    calls: tuple[UsedCall, ...]
    all_calls: int

    @property
    def falls(self) -> tuple[UsedCall, ...]:
        """Calls whose recorded input is a fifth or more below the one before."""
        return tuple(
            now for before, now in pairwise(self.calls) if now.recorded < _FALL * before.recorded
        )

    @property
    def steady(self) -> tuple[UsedCall, ...]:
        """The calls before the first fall."""
        return self.calls[: self.calls.index(self.falls[0])] if self.falls else self.calls

    @property
    def unseen(self) -> int:
        """Recorded minus counted at the first call: what is sent and not in the file."""
        return self.calls[0].recorded - self.calls[0].counted if self.calls else 0

    @property
    def growth(self) -> float | None:
        """Recorded tokens per counted one that came in at the steady calls; None if none came.

        The first call's surplus (system prompt, tool schemas) is in neither of the two, so this
        compares the tokenizers, and whatever the agent adds to a call without recording it.
        """
        if len(self.steady) < 2:
            return None
        first, last = self.steady[0], self.steady[-1]
        came = last.counted - first.counted
        return (last.recorded - first.recorded) / came if came > 0 else None


def compare_usage(origins: Sequence[Origin], raw: RawTotals, *, overhead: int = 0) -> Comparison:
    """Recorded input of every call that has it, against the first row of `raw` plus `overhead`."""
    return Comparison(tuple(_used(origins, raw, overhead)), len(raw.at))


def _used(origins: Sequence[Origin], raw: RawTotals, overhead: int) -> Iterator[UsedCall]:
    for ordinal, at in enumerate(raw.at):
        usage = origins[at].usage if at < len(origins) else None
        if usage is None:
            continue
        call = UsedCall(ordinal, at, usage, int(raw.tokens[0, ordinal]) + overhead)
        if call.recorded:
            yield call
