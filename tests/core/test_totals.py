"""The totals by role hold every message once and name tools by their calls."""

from __future__ import annotations

from collections import Counter

from hypothesis import given

from memory_core.config import MemoryConfig
from memory_core.gauge import Gauge
from memory_core.messages import ChatMessage, as_message
from memory_core.totals import RoleTotal, tokens_by_role
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
    found = {(one.role, one.tool): one for one in tokens_by_role(messages, gauge)}
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
    totals = tokens_by_role(messages, gauge)
    roles: Counter[str] = Counter()
    for total in totals:
        roles[total.role] += total.messages
    assert roles == Counter(message.role for message in messages)
    assert sum(one.tokens for one in totals) == sum(gauge.tokens(one) for one in messages)
    assert [one.tokens for one in totals] == sorted((one.tokens for one in totals), reverse=True)
