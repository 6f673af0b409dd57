"""The extractive summary is verbatim, capped, in order, and the same for the same question."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.facts import units
from memory_core.messages import ChatMessage
from memory_core.summarizing import SUMMARIZERS, ExtractiveSummarizer, Numbered, SummaryRequest
from memory_core.tokens.counting import TokenCounter, text_counter

MARK = re.compile(r"\[#(\d+)\] (?:user: )?")


def thirds(text: str) -> int:
    return len(text) // 3


def nothing(_: str) -> int:
    return 0


def asked(behind: Sequence[Numbered], cap: int, count: TokenCounter = thirds) -> SummaryRequest:
    return SummaryRequest(behind=behind, new=behind, previous="", cap=cap, count=count)


def numbered(messages: Sequence[ChatMessage]) -> list[Numbered]:
    return [Numbered(index, message) for index, message in enumerate(messages)]


def said(*lines: str) -> list[Numbered]:
    return numbered([ChatMessage(role="user", content=line) for line in lines])


WORDS = (
    "user_12",
    "예산은 3만 원.",
    "도착",
    "HAT001",
    "hello",
    "😀",
    "שלום",
    "2024-05-15",
    "\n",
    '{"a": "b1c2"}',
    "",
)
CONTENTS = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join) | st.text(max_size=60)
MESSAGES = st.lists(
    st.builds(
        ChatMessage,
        role=st.sampled_from(["user", "assistant", "tool"]),
        content=CONTENTS | st.none(),
    ),
    max_size=12,
).map(numbered)


@settings(max_examples=150, deadline=None)
@given(MESSAGES, st.integers(-1, 200) | st.just(10**9), st.sampled_from([thirds, len, nothing]))
def test_the_cap_holds_and_lines_are_units_of_the_messages_they_name(
    behind: list[Numbered], cap: int, count: TokenCounter
) -> None:
    summary = ExtractiveSummarizer()(asked(behind, cap, count))
    assert summary == "" or count(summary) <= cap
    named: list[int] = []
    for line in summary.splitlines():
        mark = MARK.match(line)
        assert mark is not None
        named.append(int(mark[1]))
        texts = [unit.text for unit in units(behind[named[-1]].message, named[-1])]
        assert line[mark.end() :] in texts
    assert named == sorted(named)


@settings(max_examples=60, deadline=None)
@given(
    MESSAGES, st.lists(st.tuples(st.integers(0, 12), st.integers(0, 150)), min_size=1, max_size=6)
)
def test_the_same_question_gives_the_same_bytes_whatever_was_asked_before(
    behind: list[Numbered], questions: list[tuple[int, int]]
) -> None:
    shared = ExtractiveSummarizer()
    for cut, cap in questions:
        request = asked(behind[:cut], cap)
        assert shared(request) == ExtractiveSummarizer()(request)


def test_a_whole_that_counts_more_than_its_lines_is_still_within_the_cap() -> None:
    def fiftieths(text: str) -> int:
        return len(text) // 50

    behind = said(
        *(
            f"Order ID{n}A goes to depot D{n}B by way of port P{n}C on day {n}, early."
            for n in range(40)
        )
    )
    assert fiftieths(ExtractiveSummarizer()(asked(behind, 30, fiftieths))) <= 30


def test_features_numbered_in_another_order_change_nothing() -> None:
    behind = long_session(60)
    warmed = ExtractiveSummarizer()
    warmed(asked([Numbered(item.index + 7, item.message) for item in reversed(behind)], 500))
    for cap in (40, 200, 900):
        assert warmed(asked(behind, cap)) == ExtractiveSummarizer()(asked(behind, cap))


def test_prose_is_verbatim_after_folding_white_space() -> None:
    behind = said("The  budget is\t300 dollars.  Fly   from SFO.")
    assert ExtractiveSummarizer()(asked(behind, 100)) == (
        "[#0] user: The budget is 300 dollars.\n[#0] user: Fly from SFO."
    )


def test_facts_win_over_small_talk_when_room_is_short() -> None:
    behind = said(
        "Well hello there and good morning to you", "My code is Z7GOZK1", "Thanks a lot for that"
    )
    assert ExtractiveSummarizer()(asked(behind, 12)) == "[#1] user: My code is Z7GOZK1"


def test_what_was_said_is_not_said_twice() -> None:
    line = "The reservation Z7GOZK leaves on 2024-05-15 from Seattle"
    summary = ExtractiveSummarizer()(asked(said(line, line, line + " again"), 10_000))
    assert len(summary.splitlines()) == 1


def test_other_messages_and_counters_do_not_share_lines() -> None:
    summarizer = ExtractiveSummarizer()
    first = summarizer(asked(said("order AB12CD"), 100))
    tool = [Numbered(0, ChatMessage(role="tool", content="order AB12CD"))]
    assert first == "[#0] user: order AB12CD"
    assert summarizer(asked(tool, 100)) == "[#0] order AB12CD"
    assert summarizer(asked(said("order AB12CD"), 3, len)) == ""


@pytest.mark.parametrize("piece", ["a", " ", "[", "1 ", "한글 ", "line user_1\n", "\x00"])
@pytest.mark.timeout(60)
def test_a_message_of_five_megabytes_is_summarised_within_the_timeout(piece: str) -> None:
    summary = ExtractiveSummarizer()(asked(said(piece * (5_000_000 // len(piece.encode()))), 500))
    assert thirds(summary) <= 500


def long_session(length: int) -> list[Numbered]:
    return numbered(
        [
            ChatMessage(
                role=("user", "assistant", "tool")[n % 3],
                content=f"Step {n} reads src/mod_{n % 97}.py for {n * 7} dollars. "
                f"결과 {n}개를 확인했습니다.",
            )
            for n in range(length)
        ]
    )


def test_two_more_messages_are_all_that_is_counted_anew() -> None:
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return thirds(text)

    behind = long_session(1_500)
    summarizer = ExtractiveSummarizer()
    summarizer(asked(behind[:-2], 1_000, count))
    counted.clear()
    summarizer(asked(behind, 1_000, count))
    assert len(counted) < 20


def test_threads_sharing_one_get_what_one_alone_gives() -> None:
    behind = long_session(200)
    requests = [asked(behind[: 50 + 10 * n], 300) for n in range(12)]
    expected = [ExtractiveSummarizer()(request) for request in requests]
    shared = ExtractiveSummarizer()
    barrier = threading.Barrier(4, timeout=30)
    answers: list[list[str]] = []

    def work() -> None:
        barrier.wait()
        answers.append([shared(request) for request in requests])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [expected] * 4


def test_it_holds_the_cap_in_real_tokens() -> None:
    count = text_counter("gpt-5")
    for cap in (0, 20, 300, 2_000):
        summary = SUMMARIZERS["extractive"]()(asked(long_session(120), cap, count))
        assert count(summary) <= cap
    assert count(summary) > 1_000
