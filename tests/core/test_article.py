"""The first article's names, numbers and example, with our imports."""

from __future__ import annotations

from typing import get_type_hints

import pytest

from memory_core.config import MemoryConfig
from memory_core.manager import AgentMemoryManager
from memory_core.messages import ChatMessage
from memory_core.reducers import add_messages, merge
from memory_core.state import AgentStateModel, GraphAgentState
from memory_core.summarizing import HEADINGS

PROMPT = "당신은 서버 장애를 분석하는 도우미입니다."
LOG = "2026-03-02 09:00:01 web-1 GET /orders 200 12 ms\n" * 9
HISTORY = [
    ChatMessage(role="user", content="어젯밤 서버가 왜 느려졌는지 알려 주세요."),
    ChatMessage(role="assistant", content="먼저 로그를 조회하겠습니다."),
    ChatMessage(role="tool", content=LOG, name="read_log", tool_call_id="call_001"),
    ChatMessage(role="assistant", content="로그에는 오류가 없고 응답 시간만 늘었습니다."),
    ChatMessage(role="user", content="데이터베이스 연결 수도 확인해 주세요."),
    ChatMessage(role="assistant", content="연결 수가 상한인 100에 닿아 있었습니다."),
]


def example() -> AgentMemoryManager:
    config = MemoryConfig(max_token_budget=100, sliding_window_size=3, tool_pruning_threshold=150)
    return AgentMemoryManager(config)


def test_the_defaults_are_the_articles() -> None:
    config = MemoryConfig()
    assert config.max_token_budget == 4000
    assert config.sliding_window_size == 10
    assert config.tool_pruning_threshold == 150
    assert config.threshold_unit == "characters"
    assert config.summary_trigger_ratio == 0.8
    assert config.keep_recent_messages == 3
    assert config.trigger_tokens == 3200
    assert config.changed() == {}


async def test_the_example_holds_its_budget_or_says_so_on_four_calls_in_a_row() -> None:
    manager = example()
    windows: list[list[ChatMessage]] = []
    for _ in range(4):
        window = await manager.prepare_context_window(
            system_prompt=PROMPT, conversation_history=HISTORY
        )
        assert manager.report is not None
        assert manager.report.total_tokens <= 100 or manager.report.over_budget
        assert (window[0].role, window[0].content) == ("system", PROMPT)
        assert HISTORY[4] in window
        windows.append(window)
    assert windows[1:] == windows[:-1]


async def test_the_example_holds_its_budget_while_the_conversation_goes_on() -> None:
    manager = example()
    history = list(HISTORY)
    for number in range(12):
        await manager.prepare_context_window(PROMPT, history)
        assert manager.report is not None
        assert manager.report.total_tokens <= 100
        assert not manager.report.over_budget
        assert manager.estimate_tokens(manager.summary_buffer) <= 25
        history.append(ChatMessage(role="user", content=f"{number}번 서버도 확인해 주세요."))
        history.append(ChatMessage(role="assistant", content="정상입니다."))


async def test_old_messages_are_summarised_under_the_articles_heading() -> None:
    manager = AgentMemoryManager(MemoryConfig(max_token_budget=200, sliding_window_size=3))
    history = HISTORY * 4
    window = await manager.prepare_context_window(PROMPT, history)
    assert HEADINGS["korean"] == "[지속 메모리 요약 정보]\n"
    assert window[1].role == "system"
    assert window[1].text == HEADINGS["korean"] + manager.summary_buffer
    assert manager.summary_buffer
    assert window[2:] == history[-3:]


async def test_the_articles_summariser_writes_its_title_and_the_first_fifty_characters() -> None:
    manager = AgentMemoryManager(MemoryConfig(summarizer="article"))
    long = ChatMessage(role="user", content="가" * 80)
    assert await manager.summarize_old_messages([*HISTORY[1:4], long]) == (
        "이전 대화 핵심 요약:\n"
        "- assistant: 먼저 로그를 조회하겠습니다....\n"
        "- assistant: 로그에는 오류가 없고 응답 시간만 늘었습니다....\n"
        f"- user: {'가' * 50}..."
    )


def test_tool_outputs_over_the_threshold_end_in_the_articles_marker() -> None:
    pruned = example().prune_tool_outputs(HISTORY)
    assert [before == after for before, after in zip(HISTORY, pruned, strict=True)] == [
        True,
        True,
        False,
        True,
        True,
        True,
    ]
    text = pruned[2].text
    assert f"\n... [Tool Output Truncated: Total Length {len(LOG)} chars]" in text
    assert len(text) <= 150
    assert pruned[2].model_copy(update={"content": LOG}) == HISTORY[2]


def test_pruning_again_changes_nothing_and_leaves_its_input_as_it_was() -> None:
    manager = example()
    once = manager.prune_tool_outputs(HISTORY)
    assert manager.prune_tool_outputs(once) == once
    assert HISTORY[2].content == LOG


def test_the_newest_three_messages_are_exempt_from_pruning() -> None:
    manager = example()
    assert manager.prune_tool_outputs(HISTORY[:5]) == HISTORY[:5]
    assert manager.prune_tool_outputs(HISTORY) != HISTORY


@pytest.mark.parametrize("length", [150, 151, 160, 170, 200, 202])
def test_a_pruned_text_is_never_longer(length: int) -> None:
    output = ChatMessage(role="tool", content="x" * length, name="f", tool_call_id="c")
    pruned = example().prune_tool_outputs([output, *HISTORY[3:]])[0]
    assert len(pruned.text) <= length
    assert (pruned == output) == (length <= 150 or pruned.text == output.text)


def test_korean_counts_more_than_a_third_of_its_characters() -> None:
    text = "데이터베이스연결수가상한에닿아있었습니다" * 5
    assert example().estimate_tokens(text) > len(text) // 3


def test_a_message_has_the_articles_fields_and_defaults() -> None:
    message = ChatMessage(role="tool", content="결과", name="read_log", tool_call_id="call_001")
    assert ChatMessage(role="user", content="안녕").metadata == {}
    assert ChatMessage(role="user", content="안녕").name is None
    assert message.model_dump(include={"role", "content", "name", "tool_call_id", "metadata"}) == {
        "role": "tool",
        "content": "결과",
        "name": "read_log",
        "tool_call_id": "call_001",
        "metadata": {},
    }


def test_the_graph_state_names_the_reducers_of_its_fields() -> None:
    hints = get_type_hints(GraphAgentState, include_extras=True)
    assert list(hints) == [
        "session_id",
        "user_id",
        "messages",
        "current_step",
        "max_steps",
        "scratchpad",
        "is_completed",
    ]
    assert hints["messages"].__metadata__ == (add_messages,)
    assert hints["scratchpad"].__metadata__ == (merge,)


def test_messages_are_added_behind_those_that_are_there() -> None:
    assert add_messages(HISTORY[:2], HISTORY[2:]) == HISTORY
    assert add_messages([], {"role": "user", "content": "안녕"})[0].text == "안녕"


def test_the_agents_state_has_the_articles_defaults() -> None:
    state = AgentStateModel(session_id="s-1", user_id="u-1")
    assert state.model_dump() == {
        "session_id": "s-1",
        "user_id": "u-1",
        "messages": [],
        "current_step": 0,
        "max_steps": 15,
        "scratchpad": {},
        "is_completed": False,
    }
