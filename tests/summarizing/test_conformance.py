"""What holds for every built-in summariser."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.messages import ChatMessage
from memory_core.summarizing import SUMMARIZERS, Numbered, SummaryRequest
from memory_core.tokens.counting import text_counter
from tests.histories import histories

COUNT = text_counter("gpt-5")
every_summarizer = pytest.mark.parametrize("name", SUMMARIZERS)


def _request(history: list[ChatMessage], cap: int) -> SummaryRequest:
    behind = tuple(Numbered(index, message) for index, message in enumerate(history))
    return SummaryRequest(behind, behind[-3:], "", cap, COUNT)


@every_summarizer
@given(history=histories(), cap=st.one_of(st.integers(0, 60), st.integers(60, 5000)))
def test_the_cap_always_holds(name: str, history: list[ChatMessage], cap: int) -> None:
    text = SUMMARIZERS[name]()(_request(history, cap))
    assert not text or COUNT(text) <= cap


@every_summarizer
@given(history=histories(), cap=st.integers(0, 400))
def test_the_same_question_gets_the_same_answer(
    name: str, history: list[ChatMessage], cap: int
) -> None:
    shared = SUMMARIZERS[name]()
    first = shared(_request(history, cap))
    shared(_request(history[:2], 50))
    assert shared(_request(history, cap)) == first == SUMMARIZERS[name]()(_request(history, cap))


@every_summarizer
def test_nothing_behind_the_cut_gives_nothing(name: str) -> None:
    assert SUMMARIZERS[name]()(_request([], 100)) == ""
