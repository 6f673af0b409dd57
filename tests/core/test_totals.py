"""The totals by role hold every message once and name tools by their calls."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given

from memory_core.config import MemoryConfig
from memory_core.gauge import Gauge
from memory_core.messages import ChatMessage, as_message
from memory_core.totals import RoleTotal, growth, largest
from tests.histories import histories


def call(*names: str) -> ChatMessage:
    calls = [{"id": name[0], "function": {"name": name, "arguments": "{}"}} for name in names]
    return as_message({"role": "assistant", "content": None, "tool_calls": calls})


def result(call_id: str, text: str, **fields: str) -> ChatMessage:
    return as_message({"role": "tool", "tool_call_id": call_id, "content": text, **fields})


def test_results_are_named_by_their_calls_and_orphans_by_themselves() -> None:
    messages = [
        as_message({"role": "user", "name": "Mina", "content": "go"}),
        call("read", "grep"),
        result("g", "a long result, longer than any other " * 5, name="not this"),
        result("r", "short"),
        call("read"),
        result("r", "longer than short"),
        result("z", "orphan"),
        result("y", "named orphan", name="lost"),
    ]
    gauge = Gauge(MemoryConfig())
    found = {(one.role, one.tool): one for one in growth(messages, gauge).totals}
    assert set(found) == {
        ("user", ""),
        ("assistant", ""),
        ("tool", "read"),
        ("tool", "grep"),
        ("tool", ""),
        ("tool", "lost"),
    }
    short, long = gauge.tokens(messages[3]), gauge.tokens(messages[5])
    assert found["tool", "read"] == RoleTotal("tool", "read", 2, short + long, long)


@given(histories())
def test_every_message_counts_once_and_most_tokens_come_first(messages: list[ChatMessage]) -> None:
    gauge = Gauge(MemoryConfig(model="chars / 4"))
    totals = growth(messages, gauge).totals
    roles: Counter[str] = Counter()
    for total in totals:
        roles[total.role] += total.messages
    assert roles == Counter(message.role for message in messages)
    assert sum(one.tokens for one in totals) == sum(gauge.tokens(one) for one in messages)
    assert [one.tokens for one in totals] == sorted((one.tokens for one in totals), reverse=True)


@given(histories())
def test_the_growth_of_the_sources_adds_up_to_every_history(messages: list[ChatMessage]) -> None:
    gauge = Gauge(MemoryConfig(model="chars / 4"))
    found = growth(messages, gauge)
    ends = np.arange(len(messages) + 1)
    until = found.until(ends)
    for end in ends.tolist():
        assert until[:, end].sum() == sum(gauge.tokens(one) for one in messages[:end])
    assert until[:, -1].tolist() == [total.tokens for total in found.totals]
    assert found.until(ends[1::3]).tolist() == until[:, 1::3].tolist()


@given(histories())
def test_the_largest_messages_are_the_first_of_all_by_tokens(messages: list[ChatMessage]) -> None:
    gauge = Gauge(MemoryConfig(model="chars / 4"))
    found = growth(messages, gauge)
    everything = largest(found, most=len(messages))
    assert sorted(one.index for one in everything) == list(range(len(messages)))
    for one in everything:
        assert (one.tokens, one.role) == (
            gauge.tokens(messages[one.index]),
            messages[one.index].role,
        )
    order = [(-one.tokens, one.index) for one in everything]
    assert order == sorted(order)
    assert largest(found, most=3) == everything[:3]
