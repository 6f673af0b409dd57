"""The promises of summaries and of the windows around them, on generated sessions."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.config import MemoryConfig
from memory_core.exchanges import Fault
from memory_core.manager import compress
from memory_core.messages import ChatMessage
from memory_core.plan import Plan, State
from memory_core.replay import replay
from memory_core.summarizing import HEADINGS
from memory_core.summarizing.request import SummaryRequest
from tests.checks import broken_pairs
from tests.histories import configs, histories

SESSIONS = histories()
CONFIGS = configs()


@given(SESSIONS, CONFIGS)
def test_a_message_leaves_only_with_a_summary_of_it_or_is_reported_as_dropped(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    asked: list[SummaryRequest] = []

    def summarise(request: SummaryRequest) -> str:
        asked.append(request)
        return "" if len(asked) % 3 == 0 else "short"

    result = replay(history, config, summarizer=summarise)
    questioned = [plan for plan in result.plans if plan.failure or _is_summarised(plan)]
    requests = dict(zip([plan.ordinal for plan in questioned], asked, strict=True))
    for plan in result.plans:
        window = set(plan.positions())
        for fate in result.fates(plan):
            if fate.state is State.SUMMARISED:
                assert fate.receipt is not None
                assert fate.index in [one.index for one in requests[fate.receipt.ordinal].new]
            elif fate.state is State.DROPPED:
                assert fate.position not in window
            elif fate.position >= 0:
                assert fate.position in window


def _is_summarised(plan: Plan) -> bool:
    return plan.receipt is not None and plan.receipt.version > 0


@given(SESSIONS, CONFIGS)
def test_a_folding_model_is_sent_each_message_once(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    asked: list[SummaryRequest] = []

    def fold(request: SummaryRequest) -> str:
        asked.append(request)
        return "s"

    result = replay(history, config, summarizer=fold)
    questioned = [plan for plan in result.plans if plan.failure or _is_summarised(plan)]
    accepted = [
        request for plan, request in zip(questioned, asked, strict=True) if _is_summarised(plan)
    ]
    sent = [one.index for request in accepted for one in request.new]
    assert len(sent) == len(set(sent))
    for before, after in pairwise(accepted):
        assert {one.index for one in before.behind} < {one.index for one in after.behind}
        assert after.previous == "s"


@given(SESSIONS, CONFIGS, st.sampled_from(["raise", "empty", "longer"]))
def test_a_useless_summariser_loses_nothing_and_is_not_asked_for_ever(
    history: list[ChatMessage], config: MemoryConfig, how: str
) -> None:
    calls = 0

    def summarise(request: SummaryRequest) -> str:
        nonlocal calls
        calls += 1
        if how == "raise":
            raise RuntimeError("upstream 429")
        text = "\n".join(one.message.text for one in request.behind) or "x"
        return "" if how == "empty" else text * 50 + "x" * 400_000

    result = replay(history, config, summarizer=summarise)
    if how == "empty":
        assert calls <= 2
    assert calls <= len(result.plans)
    for plan in result.plans:
        assert "upstream 429" not in "".join(one.text for one in result.window(plan))
        if how != "longer":
            assert plan.summary is None
        states = {fate.state for fate in result.fates(plan)}
        if config.summarizer != "none" and how != "longer":
            assert State.SUMMARISED not in states


@given(SESSIONS, CONFIGS)
def test_a_compaction_at_once_keeps_the_promises_too(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    report = compress(history, config)
    assert broken_pairs(report.messages) == []
    assert report.over_budget == (report.total_tokens > config.max_token_budget)
    assert len(report.message_tokens) == len(history)


@given(SESSIONS, CONFIGS)
def test_a_strict_provider_gets_one_system_message_and_hears_the_user_first(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    strict = config.model_copy(update={"provider_profile": "strict"})
    result = replay(history, strict)
    for plan in result.plans:
        window = list(result.window(plan))
        systems = [message for message in window if message.is_system]
        assert len(systems) <= 1
        spoken = window[len(systems) :]
        assert not spoken or spoken[0].role == "user"
        for message in spoken:
            has_image = any(part.is_image for part in message.parts)
            assert message.text.strip() or message.tool_calls or has_image


def test_the_summary_message_starts_with_the_articles_heading() -> None:
    history = [ChatMessage(role="user", content=f"note {n}: " + "words " * 60) for n in range(40)]
    config = MemoryConfig.model_validate({"max_token_budget": 800})
    window = compress(history, config).messages
    assert window[0].text.startswith(HEADINGS["korean"])


@pytest.mark.parametrize("profile", ["openai", "strict"])
def test_a_pending_call_at_the_end_stays_without_a_placeholder(profile: str) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    history = [
        ChatMessage(role="user", content="go"),
        ChatMessage.model_validate({"role": "assistant", "content": None, "tool_calls": [call]}),
    ]
    config = MemoryConfig.model_validate({"max_token_budget": 50, "provider_profile": profile})
    report = compress(history, config)
    assert report.messages[-1] == history[-1]
    assert all(repair_.fault is not Fault.MISSING_RESULT for repair_ in report.repairs)
