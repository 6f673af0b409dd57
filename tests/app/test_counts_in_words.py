"""One call is a call, and one message a message, wherever they are counted."""

from __future__ import annotations

from memory_core.config import MemoryConfig
from memory_core.messages import ChatMessage
from memory_core.plan import State
from memory_core.reasons import why
from memory_core.replay import replay
from tests.app.opening import chat, opened, upload


def test_a_session_of_one_call_counts_one_call() -> None:
    one = chat({"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"})
    app = upload(opened(), "one.json", one)
    (over,) = [metric for metric in app.metric if metric.label == "Over budget"]
    assert (over.value, over.delta) == ("0 of 1", "call in all")
    app.session_state["balance"] = True
    app.run()
    assert any("at 0 of 1 call; as configured" in text.value for text in app.markdown)


def test_a_window_of_one_message_is_the_newest_message() -> None:
    said = [
        ChatMessage(role=role, content=f"{number} " + "word " * 40)
        for number in range(20)
        for role in ("user", "assistant")
    ]
    found = replay(said, MemoryConfig(max_token_budget=400, sliding_window_size=1))
    report = found.report(found.plans[-1])
    reasons = {fate.state: why(fate, report.plan, found.config) for fate in report.fates}
    assert "older than the newest message when" in reasons[State.SUMMARISED]
    assert reasons[State.KEPT] == "Kept: the newest message."
