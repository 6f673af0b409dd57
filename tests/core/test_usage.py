"""The provider's recorded input stands beside our count at the call it belongs to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from memory_core.config import MemoryConfig
from memory_core.gauge import Gauge
from memory_core.raw import RawTotals, raw_totals
from memory_core.replay import tape_of
from memory_core.sessions import load_file
from memory_core.sessions.session import Origin, Usage
from memory_core.usage import compare_usage


def counted(*tokens: int) -> RawTotals:
    """Call points at messages 1, 3, 5 …"""
    at = tuple(range(1, 2 * len(tokens), 2))
    return RawTotals(at, np.array([tokens], np.int64))


def recorded(*inputs: int | None) -> list[Origin]:
    """Answers at messages 1, 3, 5 … with these input tokens."""
    origins: list[Origin] = []
    for tokens in inputs:
        usage = None if tokens is None else Usage(input_tokens=tokens)
        origins += [Origin(), Origin(usage=usage)]
    return origins


def test_input_is_all_of_it_whether_read_from_a_cache_or_written_to_one() -> None:
    usage = Usage(input_tokens=3, output_tokens=99, cache_read_tokens=500, cache_write_tokens=40)
    found = compare_usage([Origin(), Origin(usage=usage)], counted(100), overhead=7)
    assert [(call.ordinal, call.at, call.recorded, call.counted) for call in found.calls] == [
        (0, 1, 543, 107)
    ]
    assert found.unseen == 543 - 107
    assert found.growth is None


def test_without_usage_nothing_is_claimed() -> None:
    found = compare_usage(recorded(None, None), counted(10, 20))
    assert (found.calls, found.all_calls, found.falls, found.unseen) == ((), 2, (), 0)
    assert found.growth is None


def test_calls_without_usage_or_with_zero_input_are_left_out() -> None:
    found = compare_usage(recorded(None, 50, 0, 70), counted(10, 20, 30, 40))
    assert [call.ordinal for call in found.calls] == [1, 3]
    assert found.all_calls == 4


def test_an_open_last_call_has_no_usage() -> None:
    raw = RawTotals((1, 3), np.array([[10, 20]], np.int64))
    found = compare_usage([Origin(), Origin(usage=Usage(input_tokens=5)), Origin()], raw)
    assert [call.ordinal for call in found.calls] == [0]


@pytest.mark.parametrize(
    ("inputs", "falls", "growth"),
    [
        ((100, 120, 140), [], 2.0),
        ((100, 120, 90, 110), [2], 2.0),
        ((100, 90, 140), [], 2.0),
        ((100, 70, 50), [1, 2], None),
    ],
)
def test_growth_is_measured_up_to_the_first_fall(
    inputs: tuple[int, ...], falls: list[int], growth: float | None
) -> None:
    found = compare_usage(recorded(*inputs), counted(*range(10, 10 * len(inputs) + 10, 10)))
    assert [call.ordinal for call in found.falls] == falls
    assert found.growth == growth


def test_a_recorded_session_shows_what_its_file_leaves_out_and_where_its_agent_compacted(
    shared: Path,
) -> None:
    session = load_file(shared / "sessions" / "claude_code_spotter_258c7280.jsonl").sessions[0]
    config = MemoryConfig()
    tape = tape_of(session.messages)
    raw = raw_totals(session.messages, config, [Gauge(config)], tape=tape)
    found = compare_usage(session.origins, raw)
    assert len(found.calls) == found.all_calls == 152
    assert found.unseen > 20_000
    assert [call.ordinal for call in found.falls] == [102]
    assert found.growth is not None
    assert 1 < found.growth < 2
