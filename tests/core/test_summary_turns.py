"""Turns with a summary: what a summariser is asked, and what its answers may do."""

from __future__ import annotations

from memory_core.manager import AgentMemoryManager
from memory_core.messages import ChatMessage
from memory_core.pipeline import MOST_STRIKES
from memory_core.summarizing.request import SummaryRequest
from tests.memories import HI, TIGHT, Recorder, memory, reported
from tests.saying import (
    assistant,
    settings,
    talk,
    user,
)


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
    assert report.plan.failure == "the summariser failed (RuntimeError)"
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
