"""Input that once broke the engine: each ends in a right window or a named failure."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from typing import Any, cast

import pytest

from memory_core.config import MemoryConfig
from memory_core.exchanges import pair
from memory_core.facts import units
from memory_core.manager import AgentMemoryManager, compress
from memory_core.messages import ChatMessage
from memory_core.snapshot import parse_state
from memory_core.summarizing.request import Summarizer
from tests.checks import broken_pairs
from tests.saying import assistant, system, talk, user

TIGHT = MemoryConfig(max_token_budget=300, sliding_window_size=4)


def _calls(*ids: str) -> ChatMessage:
    calls = [{"id": one, "function": {"name": "f"}} for one in ids]
    return ChatMessage.model_validate({"role": "assistant", "tool_calls": calls})


@pytest.mark.parametrize("ids", [("call_1_1", ""), ("", "call_1_0"), ("x", "x", "x~2", "x")])
def test_ids_made_up_for_calls_are_no_ids_of_other_calls(ids: tuple[str, ...]) -> None:
    window = compress([user("go"), _calls(*ids)], TIGHT).messages
    sent = [call.id for call in window[1].tool_calls]
    assert len(set(sent)) == len(ids)


@pytest.mark.timeout(20)
def test_two_thousand_calls_of_one_id_are_paired_within_the_timeout() -> None:
    results = [ChatMessage(role="tool", tool_call_id="x", content=str(n)) for n in range(2000)]
    pairing = pair([_calls(*["x"] * 2000), *results])
    assert broken_pairs(pairing.exchanges[0].messages) == []


@pytest.mark.timeout(20)
def test_an_endless_json_key_is_cut_from_the_lines_of_its_values() -> None:
    message = ChatMessage(role="tool", content=json.dumps({"k" * 50_000: [1] * 100_000}))
    assert all(len(unit.text) < 500 for unit in units(message, 0))


async def test_a_first_call_without_history_does_not_cost_the_anchor() -> None:
    manager = AgentMemoryManager(TIGHT)
    assert await manager.prepare_context_window(None, []) == []
    anchor = system("Never deploy on Fridays.")
    window = await manager.prepare_context_window(None, [anchor, *talk(60)])
    assert window[0] == anchor
    assert all(message != anchor for message in window[1:])


@pytest.mark.parametrize("answer", [123, b"bytes", None, ["list"]])
async def test_a_summariser_that_returns_no_text_is_a_reported_failure(answer: object) -> None:
    summarizer = cast("Summarizer", lambda _request: answer)  # pyright: ignore[reportUnknownLambdaType]
    manager = AgentMemoryManager(TIGHT, summarizer=summarizer)
    await manager.prepare_context_window("S", talk(60))
    assert manager.report is not None
    assert "not a text" in str(manager.report.plan.failure)
    assert not manager.report.over_budget


async def test_the_tokens_of_a_restored_summary_are_counted_not_believed() -> None:
    manager = AgentMemoryManager(TIGHT)
    history = talk(60)
    await manager.prepare_context_window("S", history)
    assert manager.state is not None
    data = json.loads(manager.state.to_json())
    data["summary"]["tokens"] = -5000
    again = AgentMemoryManager(TIGHT, state=parse_state(json.dumps(data)))
    sent = await again.prepare_context_window("S", [*history, user("next")])
    assert again.report is not None
    assert again.report.total_tokens == sum(_tokens(again, message) for message in sent)


def _tokens(manager: AgentMemoryManager, message: ChatMessage) -> int:
    assert manager.report is not None
    return manager.report.planner.gauge.tokens(message)


@pytest.mark.timeout(60)
def test_threads_with_loops_of_their_own_share_one_memory() -> None:
    manager = AgentMemoryManager(TIGHT)
    start = threading.Barrier(4, timeout=20)
    broken: list[str] = []

    def work() -> None:
        async def turns() -> None:
            for count in range(1, 60):
                history = talk(count)
                window = await manager.prepare_context_window("S", history)
                broken.extend(broken_pairs(window))

        start.wait()
        asyncio.run(turns())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=50)
    assert not any(thread.is_alive() for thread in threads)
    assert broken == []


MADE: list[Callable[[], Any]] = [
    lambda: assistant(None),
    lambda: ChatMessage.model_validate({"role": "assistant", "content": []}),
    lambda: ChatMessage.model_validate({"role": "user", "content": None}),
]


@pytest.mark.parametrize("make", MADE)
def test_no_message_without_calls_is_sent_with_null(make: Callable[[], ChatMessage]) -> None:
    window = compress([user("hi"), make(), user("there")], TIGHT).messages
    assert all(message.to_openai()["content"] is not None for message in window)
