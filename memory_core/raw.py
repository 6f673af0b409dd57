"""The whole history at every call point, counted in several ways at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory_core.config import MemoryConfig
from memory_core.exchanges import Exchange
from memory_core.gauge import Gauge
from memory_core.messages import ChatMessage
from memory_core.profiles import PROFILES, adapt
from memory_core.replay import call_points, leading_anchor
from memory_core.tape import Tape


@dataclass(frozen=True, slots=True)
class RawTotals:
    """Tokens of the history before each call point, repaired, and nothing left out or shortened.

    `tokens[k, n]` is what gauge k counts at call n, and `at[n]` the message index of that call.
    System message included; fixed overhead and reply reserve not.
    """

    at: tuple[int, ...]
    tokens: NDArray[np.int64]


def raw_totals(
    messages: Sequence[ChatMessage], config: MemoryConfig, gauges: Sequence[Gauge], *, tape: Tape
) -> RawTotals:
    """One pass over the session for all gauges; each row equals a replay with everything kept.

    `tape` is `replay.tape_of` the same messages; raises `InvalidConfig` where it is of others.
    """
    points, anchor = call_points(messages), leading_anchor(messages)
    tape.check(messages, points)
    profile = PROFILES[config.provider_profile]
    found = np.zeros((len(gauges), len(points)), np.int64)
    sums = np.array([gauge.tokens(anchor) if anchor else 0 for gauge in gauges], np.int64)
    rows: dict[int, NDArray[np.int64]] = {}
    for ordinal, changes in enumerate(tape.changes):
        for position, exchange in changes.items():
            row = _row(adapt(exchange, profile), gauges)
            sums += row - rows.get(position, 0)
            rows[position] = row
        found[:, ordinal] = sums
    return RawTotals(tuple(points), found)


def _row(exchange: Exchange, gauges: Sequence[Gauge]) -> NDArray[np.int64]:
    return np.array(
        [sum(gauge.tokens(one) for one in exchange.messages) for gauge in gauges], np.int64
    )
