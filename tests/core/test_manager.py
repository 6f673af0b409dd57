"""The memory of a running agent: anchors, summaries that fail, states, restarts, cancellation."""

from __future__ import annotations

import asyncio
import copy
import json
import threading
from typing import Any

import pytest
from hypothesis import given
from pydantic import ValidationError

from memory_core.config import MemoryConfig
from memory_core.errors import UnknownCallPoint
from memory_core.exchanges import NO_RESULT
from memory_core.manager import AgentMemoryManager
from memory_core.messages import ChatMessage
from memory_core.plan import State
from memory_core.replay import call_points, replay
from memory_core.summarizing import HEADINGS
from memory_core.summarizing.request import SummaryRequest
from tests.histories import configs, histories
from tests.memories import HI, TIGHT, Recorder, memory, reported
from tests.saying import (
    assistant,
    calling,
    once,
    result,
    settings,
    shown,
    system,
    talk,
    user,
)


async def test_what_a_call_has_seen_never_changes_afterwards() -> None:
    manager = memory(max_token_budget=10**6)
    history = [user("go"), calling("a"), user("never mind"), assistant("ok")]
    before = await manager.prepare_context_window(None, history)
    after = await manager.prepare_context_window(None, [*history, result("a", "late"), user("so?")])
    assert shown(before)[2] == f"result a: {NO_RESULT}"
    assert after[: len(before)] == before
    assert "not in this conversation: a]\nlate" in after[-2].text


@pytest.mark.parametrize(
    "other",
    [talk(2)[1:], talk(2)[:-1], [user("else"), *talk(2)[1:]], [*talk(1), HI, *talk(1)], []],
    ids=["front cut", "shorter", "edited", "inserted", "empty"],
)
async def test_a_history_that_does_not_extend_the_one_seen_restarts_and_is_reported(
    other: list[ChatMessage],
) -> None:
    manager = memory()
    await manager.prepare_context_window("Be kind", talk(2))
    sent = await manager.prepare_context_window("Be kind", other)
    assert reported(manager).is_restart
    assert sent[1:] == other
    await manager.prepare_context_window("Be kind", [*other, HI])
    assert not reported(manager).is_restart


async def test_a_restart_takes_one_compaction_at_most() -> None:
    recorder = Recorder()
    manager = memory(recorder)
    await manager.prepare_context_window(None, talk(20))
    await manager.prepare_context_window(None, [user("else"), *talk(30)])
    assert len(recorder.requests) == 2
    assert recorder.requests[1].previous == ""
    assert reported(manager).total_tokens <= 200


async def test_an_older_report_still_shows_what_was_sent_then() -> None:
    manager = memory(Recorder())
    history = talk(4)
    sent = await manager.prepare_context_window(None, history)
    report = reported(manager)
    await manager.prepare_context_window(None, [*history, *talk(20)])
    assert list(report.messages) == sent


@given(histories(), configs())
def test_histories_of_dicts_give_the_same_windows_as_histories_of_messages(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    raw = [message.model_dump(mode="json") for message in history]
    untouched = copy.deepcopy(raw)

    async def run() -> None:
        of_dicts, of_messages = AgentMemoryManager(config), AgentMemoryManager(config)
        for at in call_points(history):
            from_dicts = await of_dicts.prepare_context_window("Be kind", raw[:at])
            from_messages = await of_messages.prepare_context_window("Be kind", history[:at])
            assert from_dicts == from_messages
            assert not reported(of_dicts).is_restart

    asyncio.run(run())
    assert raw == untouched


async def test_any_sequence_will_do_for_a_history() -> None:
    manager = memory(Recorder())
    await manager.prepare_context_window(None, talk(20))
    sent = await manager.prepare_context_window(None, (*talk(20), HI))
    assert not reported(manager).is_restart
    assert sent[-1] == HI


class Slow:
    """A summariser that says when it has begun and waits until it may answer."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.may_answer = threading.Event()

    def __call__(self, request: SummaryRequest) -> str:
        self.begun.set()
        assert self.may_answer.wait(10)
        return f"up to {request.behind[-1].index}"


async def test_a_call_cancelled_while_it_waits_for_a_summary_leaves_a_usable_memory() -> None:
    slow = Slow()
    manager = memory(slow)
    history = talk(20)
    task = asyncio.create_task(manager.prepare_context_window("Be kind", history))
    await asyncio.to_thread(slow.begun.wait, 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert manager.summary_buffer == ""
    assert manager.state is not None
    assert '"failure":"cancelled"' in manager.state.to_json()
    slow.may_answer.set()
    sent = await manager.prepare_context_window("Be kind", [*history, HI])
    assert manager.summary_buffer.startswith("up to ")
    assert sent[-1] == HI
    assert reported(manager).total_tokens <= 200
    assert not reported(manager).is_restart


async def test_the_event_loop_goes_on_while_a_summary_is_written() -> None:
    slow = Slow()
    task = asyncio.create_task(memory(slow).prepare_context_window(None, talk(20)))
    await asyncio.to_thread(slow.begun.wait, 10)
    assert not task.done()
    slow.may_answer.set()
    assert (await task)[0].text.startswith(HEADINGS["korean"])


async def test_calls_at_the_same_time_take_turns() -> None:
    history = talk(60)
    lengths = list(range(4, len(history) + 1, 4))
    manager, alone = memory(Recorder()), memory(Recorder())
    together = await asyncio.gather(
        *(manager.prepare_context_window("Be kind", history[:length]) for length in lengths)
    )
    one_by_one = [
        await alone.prepare_context_window("Be kind", history[:length]) for length in lengths
    ]
    assert together == one_by_one
    assert manager.state == alone.state


def test_one_memory_may_be_used_from_one_event_loop_after_another() -> None:
    manager = memory(Recorder())

    async def several(history: list[ChatMessage]) -> None:
        calls = (manager.prepare_context_window(None, history) for _ in range(3))
        await asyncio.gather(*calls)

    asyncio.run(several(talk(20)))
    asyncio.run(several(talk(40)))
    assert reported(manager).plan.at == 80


async def test_thinking_is_neither_counted_nor_sent_unless_asked_for() -> None:
    thought = {"type": "thinking", "thinking": "let me see " * 50, "signature": "c2ln"}
    said = {"role": "assistant", "content": [thought, {"type": "text", "text": "done"}]}
    without, kept = memory(), memory(keep_thinking=True)
    silent = await without.prepare_context_window(None, [HI, said])
    loud = await kept.prepare_context_window(None, [HI, said])
    assert reported(without).total_tokens == 5 + 5
    assert reported(kept).total_tokens > 150
    assert "let me see" not in json.dumps(silent[1].to_openai())
    assert "let me see" in json.dumps(loud[1].to_openai(keep_thinking=True))
    assert silent[1].parts[0].is_thinking


@pytest.mark.parametrize("cost", [765, 85])
async def test_an_image_costs_a_fixed_number_of_tokens_however_large_it_is(cost: int) -> None:
    def seen(size: int) -> dict[str, Any]:
        url = {"url": "data:image/png;base64," + "A" * size}
        return {"role": "user", "content": [{"type": "image_url", "image_url": url}]}

    manager = memory(max_token_budget=10**6, image_tokens=cost)
    await manager.prepare_context_window(None, [seen(10), seen(3_000_000)])
    assert reported(manager).message_tokens == (4 + cost, 4 + cost)


async def test_a_report_says_what_became_of_every_message() -> None:
    manager = memory(Recorder())
    history = [system("Be kind"), *talk(20), result("z")]
    await manager.prepare_context_window(None, history)
    report = reported(manager)
    assert [fate.index for fate in report.fates] == list(range(42))
    assert sum(report.states().values()) == 42
    assert set(report.states()) == {state.value for state in State}
    data = report.to_dict()
    assert json.loads(json.dumps(data)) == json.loads(json.dumps(data, default=str))
    assert (data["total_tokens"], data["summary"]) == (report.total_tokens, "summary 1")
    assert data["repairs"] == [{"fault": "orphan_result", "index": 41, "call_id": "z"}]
    assert data["receipt"]["version"] == 1


def test_any_valid_budget_can_be_used_however_large() -> None:
    assert once([HI], max_token_budget=10**15).total_tokens == 5
    with pytest.raises(ValidationError, match="max_token_budget"):
        settings(max_token_budget=10**400)


def test_a_budget_of_nothing_is_over_and_says_so() -> None:
    assert once([HI], max_token_budget=0).over_budget


def test_a_replay_up_to_a_call_point_is_the_beginning_of_the_whole_one() -> None:
    seen: list[tuple[int, int]] = []
    config = settings(**TIGHT)
    run = replay(talk(20), config, until=5, progress=lambda done, all_: seen.append((done, all_)))
    assert seen == [(1, 3), (2, 3), (3, 3)]
    assert [plan.at for plan in run.plans] == [1, 3, 5]
    assert run.plans == replay(talk(20), config).plans[:3]


@pytest.mark.parametrize(("until", "nearest"), [(0, 1), (4, 3), (99, 39)])
def test_a_replay_up_to_no_call_point_names_the_nearest(until: int, nearest: int) -> None:
    with pytest.raises(UnknownCallPoint) as caught:
        replay(talk(20), settings(**TIGHT), until=until)
    assert (caught.value.at, caught.value.nearest) == (until, nearest)
