"""The article's summariser writes what the article prints, and holds the cap the article lacks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory_core.messages import ChatMessage
from memory_core.summarizing import SUMMARIZERS, Numbered, SummaryRequest

MESSAGES = [
    ChatMessage(role="user", content="예약을 바꿔 주세요. " + "아주 긴 설명 " * 20),
    ChatMessage(role="tool", content="tool output"),
    ChatMessage(role="assistant", content="Sure."),
]


def summary(messages: list[ChatMessage], cap: int) -> str:
    behind = [Numbered(index, message) for index, message in enumerate(messages)]
    request = SummaryRequest(behind=behind, new=(), previous="", cap=cap, count=len)
    return SUMMARIZERS["article"]()(request)


def test_it_quotes_fifty_characters_of_users_and_assistants() -> None:
    first = MESSAGES[0].text[:50]
    assert (
        summary(MESSAGES, 1_000)
        == f"이전 대화 핵심 요약:\n- user: {first}...\n- assistant: Sure...."
    )


def test_the_oldest_lines_leave_when_the_cap_is_short() -> None:
    assert summary(MESSAGES, 40) == "이전 대화 핵심 요약:\n- assistant: Sure...."


@given(st.lists(st.text(max_size=80), max_size=8), st.integers(-1, 400))
def test_the_cap_always_holds(contents: list[str], cap: int) -> None:
    text = summary([ChatMessage(role="user", content=content) for content in contents], cap)
    assert text == "" or len(text) <= cap


def test_nothing_said_gives_no_summary() -> None:
    assert summary([MESSAGES[1]], 1_000) == ""
