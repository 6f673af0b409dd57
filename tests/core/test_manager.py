"""The memory of a running agent: anchors, summaries that fail, states, restarts, cancellation."""

from __future__ import annotations

import asyncio
import copy
import json
import threading
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from pydantic import ValidationError

from memory_core.config import MemoryConfig
from memory_core.errors import InvalidMemoryState, UnknownCallPoint
from memory_core.exchanges import NO_RESULT
from memory_core.gauge import Gauge
from memory_core.manager import AgentMemoryManager
from memory_core.messages import ChatMessage
from memory_core.pipeline import MOST_STRIKES
from memory_core.plan import State
from memory_core.replay import call_points, replay
from memory_core.report import Report
from memory_core.snapshot import MemoryState, parse_state
from memory_core.summarizing import HEADING
from memory_core.summarizing.request import Summarizer, SummaryRequest
from tests.histories import configs, histories
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
    words,
)

TIGHT = {"max_token_budget": 200, "sliding_window_size": 4}


def memory(
    summarizer: Summarizer | None = None, *, state: MemoryState | None = None, **fields: Any
) -> AgentMemoryManager:
    config = settings(**{**TIGHT, **fields})
    gauge = Gauge(config, count=words)
    return AgentMemoryManager(config, summarizer=summarizer, state=state, gauge=gauge)


def reported(manager: AgentMemoryManager) -> Report:
    assert manager.report is not None
    return manager.report


class Recorder:
    """A folding summariser that keeps what it was asked and answers with given texts."""

    def __init__(self, *answers: str) -> None:
        self.requests: list[SummaryRequest] = []
        self._answers = list(answers)

    def __call__(self, request: SummaryRequest) -> str:
        self.requests.append(request)
        return self._answers.pop(0) if self._answers else f"summary {len(self.requests)}"


# Anchors


HI = user("hi")
ANCHORS: dict[str, tuple[str | None, list[ChatMessage], list[str]]] = {
    "the given one": ("Be kind", [HI], ["system Be kind", "user hi"]),
    "a leading system message": (None, [system("Be kind"), HI], ["system Be kind", "user hi"]),
    "an equal one is not doubled": (
        "Be kind",
        [system("Be kind"), HI],
        ["system Be kind", "user hi"],
    ),
    "a different one stands before the leading one": (
        "Be brief",
        [system("Be kind"), HI],
        ["system Be brief", "system Be kind", "user hi"],
    ),
    "a leading developer message": (
        None,
        [ChatMessage(role="developer", content="Be kind"), HI],
        ["developer Be kind", "user hi"],
    ),
    "none": (None, [HI], ["user hi"]),
    "an empty prompt is none": ("", [HI], ["user hi"]),
    "a later system message is no anchor": (
        None,
        [HI, system("Be kind")],
        ["user hi", "system Be kind"],
    ),
    "an empty history": ("Be kind", [], ["system Be kind"]),
    "nothing at all": (None, [], []),
}


@pytest.mark.parametrize("rule", ANCHORS)
async def test_the_anchor_is(rule: str) -> None:
    prompt, history, window = ANCHORS[rule]
    assert shown(await memory().prepare_context_window(prompt, history)) == window


@pytest.mark.parametrize("rule", ANCHORS)
async def test_the_anchor_stands_first_after_compactions_too(rule: str) -> None:
    prompt, history, window = ANCHORS[rule]
    manager = memory(Recorder())
    sent = await manager.prepare_context_window(prompt, [*history, *talk(20)])
    assert reported(manager).receipt is not None
    anchored = bool(prompt) or bool(history and history[0].is_system)
    assert (shown(sent)[0] == window[0]) if anchored else sent[0].text.startswith(HEADING)


@pytest.mark.parametrize(
    "leading",
    [
        {"role": "system", "content": "Be kind", "id": "m-1"},
        {"role": "system", "content": [{"type": "text", "text": "Be kind"}]},
    ],
)
async def test_a_leading_message_that_says_the_same_as_the_prompt_is_not_doubled(
    leading: dict[str, Any],
) -> None:
    sent = await memory().prepare_context_window("Be kind", [leading, HI])
    assert [message.text for message in sent] == ["Be kind", "hi"]


@pytest.mark.parametrize("first", [None, "Be kind"])
async def test_a_prompt_that_changes_between_calls_loses_no_leading_system_message(
    first: str | None,
) -> None:
    manager = memory()
    await manager.prepare_context_window(first, [system("Be kind"), HI])
    sent = await manager.prepare_context_window("Be brief", [system("Be kind"), HI, *talk(1)])
    assert shown(sent)[:2] == ["system Be brief", "system Be kind"]


async def test_a_prompt_that_comes_to_equal_the_leading_message_is_not_doubled() -> None:
    manager = memory()
    await manager.prepare_context_window("Be brief", [system("Be kind"), HI])
    sent = await manager.prepare_context_window("Be kind", [system("Be kind"), HI, *talk(1)])
    assert shown(sent)[:2] == ["system Be kind", "user hi"]


async def test_a_prompt_may_change_between_calls_without_a_restart() -> None:
    manager = memory(Recorder())
    await manager.prepare_context_window("Today is Monday", talk(20))
    before = manager.summary_buffer
    sent = await manager.prepare_context_window("Today is Tuesday", [*talk(20), HI])
    assert sent[0].text == "Today is Tuesday"
    assert before == manager.summary_buffer != ""
    assert not reported(manager).is_restart


# Summaries


async def test_a_message_is_given_to_a_folding_summariser_once_with_the_summary_before() -> None:
    recorder = Recorder()
    manager = memory(recorder)
    history: list[ChatMessage] = []
    for message in talk(40):
        history.append(message)
        await manager.prepare_context_window("Be kind", history)
    given = [one.index for request in recorder.requests for one in request.new]
    assert len(recorder.requests) > 2
    assert given == list(range(len(given)))
    assert [request.previous for request in recorder.requests] == [
        "",
        *(f"summary {number}" for number in range(1, len(recorder.requests))),
    ]
    assert manager.summary_buffer == f"summary {len(recorder.requests)}"


async def test_a_summary_stays_in_force_until_the_next_compaction() -> None:
    manager = memory(Recorder())
    history = talk(20)
    first = await manager.prepare_context_window(None, history)
    second = await manager.prepare_context_window(None, [*history, HI])
    assert first[0] == second[0]
    assert second == [*first, HI]
    assert reported(manager).receipt is None


async def test_an_over_long_summary_is_cut_at_a_sentence() -> None:
    answer = "The goal is a red door. " * 9 + "It opens to the left " * 90
    manager = memory(Recorder(answer), max_summary_tokens=30)
    await manager.prepare_context_window(None, talk(20))
    assert manager.summary_buffer == " ".join(["The goal is a red door."] * 3)
    summary = reported(manager).plan.summary
    assert summary is not None
    assert summary.tokens <= 30


async def test_a_summary_that_is_not_shorter_than_what_it_replaces_is_refused() -> None:
    history = [user("a b"), assistant("c d"), *talk(1, words=60)]
    recorder = Recorder("one endless sentence without a full stop " * 9)
    manager = memory(recorder, summary_trigger_ratio=0.5, sliding_window_size=2)
    await manager.prepare_context_window(None, history)
    assert len(recorder.requests) == 1
    assert (manager.summary_buffer, reported(manager).receipt) == ("", None)
    assert "not shorter" in (reported(manager).plan.failure or "")


async def test_a_failing_summariser_changes_nothing_and_is_reported() -> None:
    def fail(_: SummaryRequest) -> str:
        raise RuntimeError("upstream 429")

    manager = memory(fail)
    history = talk(20)
    sent = await manager.prepare_context_window("Be kind", history)
    report = reported(manager)
    assert report.plan.failure == "RuntimeError: upstream 429"
    assert (report.plan.mark, manager.summary_buffer, report.receipt) == (0, "", None)
    assert report.total_tokens <= 200
    assert "429" not in "".join(message.text for message in sent)
    assert sent[-1] == history[-1]


async def test_after_a_failure_the_summariser_gets_the_same_messages_again() -> None:
    recorder = Recorder("", "all good")
    manager = memory(recorder)
    await manager.prepare_context_window(None, talk(20))
    await manager.prepare_context_window(None, [*talk(20), HI])
    first, second = ([one.index for one in request.new] for request in recorder.requests)
    assert set(first) <= set(second)
    assert manager.summary_buffer == "all good"


async def test_after_two_compactions_without_gain_no_summary_is_asked_for() -> None:
    recorder = Recorder(*[""] * 50)
    manager = memory(recorder)
    history = talk(20)
    for number in range(6):
        history = [*history, user(f"more {number}")]
        await manager.prepare_context_window(None, history)
        assert reported(manager).total_tokens <= 200
    assert len(recorder.requests) == MOST_STRIKES == 2


async def test_a_success_in_between_clears_the_strikes() -> None:
    recorder = Recorder("", "good", "", "good", "", "good")
    manager = memory(recorder)
    history = talk(20)
    for _ in range(12):
        history = [*history, *talk(3)]
        await manager.prepare_context_window(None, history)
    assert len(recorder.requests) > 6


async def test_masked_messages_are_what_a_summariser_gets() -> None:
    recorder = Recorder()
    manager = AgentMemoryManager(
        settings(**TIGHT),
        summarizer=recorder,
        mask=lambda message: user(message.text.replace("question", "<X_1>")),
    )
    await manager.prepare_context_window(None, talk(30))
    asked = recorder.requests[0]
    assert not [one for one in (*asked.behind, *asked.new) if "question" in one.message.text]
    assert asked.new[0].message.text.startswith("<X_1> 0")


async def test_a_summary_of_any_messages_may_be_asked_for_and_changes_no_memory() -> None:
    manager = memory(Recorder("in short"))
    assert await manager.summarize_old_messages(talk(3)) == "in short"
    assert (manager.summary_buffer, manager.state) == ("", None)


async def test_a_summary_asked_for_by_hand_holds_the_cap_too() -> None:
    manager = memory(Recorder("Short. " * 500), max_summary_tokens=20)
    assert manager.estimate_tokens(await manager.summarize_old_messages(talk(3))) <= 20


# The past


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


# States


async def saved(history: Sequence[ChatMessage]) -> MemoryState:
    manager = memory(Recorder())
    await manager.prepare_context_window("Be kind", history)
    assert manager.state is not None
    return manager.state


async def test_a_state_survives_json_and_is_a_few_numbers_not_the_conversation() -> None:
    state = await saved(talk(200))
    text = state.to_json()
    assert parse_state(text).to_json() == parse_state(text.encode()).to_json() == text
    assert len(text) < 2_000
    assert "question 7 " not in text


async def test_a_memory_goes_on_from_a_state_without_asking_again() -> None:
    recorder = Recorder()
    manager = memory(recorder, state=parse_state((await saved(talk(20))).to_json()))
    assert manager.summary_buffer == "summary 1"
    sent = await manager.prepare_context_window("Be kind", [*talk(20), HI])
    assert recorder.requests == []
    assert sent[1].text == HEADING + "summary 1"
    assert not reported(manager).is_restart


@pytest.mark.parametrize(
    "other", [[user("else")], talk(19), [user("else"), *talk(20)]], ids=["new", "shorter", "other"]
)
async def test_a_state_of_another_history_restarts_and_is_reported(
    other: list[ChatMessage],
) -> None:
    manager = memory(Recorder(), state=await saved(talk(20)))
    await manager.prepare_context_window("Be kind", other)
    assert reported(manager).is_restart


def _changed(text: str, **fields: Any) -> str:
    return json.dumps({**json.loads(text), **fields})


DAMAGES: dict[str, tuple[dict[str, Any], str]] = {
    "another version": ({"schema_version": 99}, "version 99"),
    "a missing summary field": ({"summary": {"text": "x"}}, "summary"),
    "a word for a number": ({"mark": "many"}, "mark"),
    "a field nobody knows": ({"extra": 1}, "extra"),
    "null for a list": ({"receipts": None}, "receipts"),
    "a cause nobody knows": (
        {"prunings": {"3": {"ordinal": 0, "cause": "whim", "before": 9, "after": 1}}},
        "prunings",
    ),
    "a newest plan without its numbers": ({"last": {"at": 1}}, "last"),
    "a negative mark": ({"mark": -1}, "mark"),
    "a mark beyond everything seen": ({"mark": 10**6}, "position"),
}


@pytest.mark.parametrize("damage", DAMAGES)
async def test_a_damaged_state_is_refused_by_name(damage: str) -> None:
    fields, named = DAMAGES[damage]
    text = (await saved(talk(20))).to_json()
    with pytest.raises(InvalidMemoryState, match=named):
        await memory(state=parse_state(_changed(text, **fields))).prepare_context_window(
            "Be kind", talk(20)
        )


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "{}", "\x00", '{"seen": 1'])
def test_a_text_that_is_no_state_is_refused(text: str) -> None:
    with pytest.raises(InvalidMemoryState, match="memory state"):
        parse_state(text)


async def test_a_state_is_frozen() -> None:
    state = await saved(talk(20))
    with pytest.raises(ValueError, match="frozen"):
        state.mark = 0


@pytest.mark.parametrize(
    "message",
    [
        user("한국어 🔬 \ud800 \x00 مرحبا"),
        user("x", metadata={"note": "\ud800"}),
        user("x", note="\ud800"),
    ],
    ids=["content", "metadata", "unknown field"],
)
async def test_a_state_can_be_saved_whatever_text_the_messages_hold(message: ChatMessage) -> None:
    state = await saved([message])
    assert parse_state(state.to_json()).to_json() == state.to_json()


# Several at once


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
    assert (await task)[0].text.startswith(HEADING)


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


# What is counted


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
