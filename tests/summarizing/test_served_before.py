"""A summariser that has served other requests answers as a fresh one does, byte for byte."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.sessions import session
from memory_core.messages import ChatMessage
from memory_core.summarizing import (
    ExtractiveSummarizer,
    Numbered,
    SummaryRequest,
    extractive,
    lines,
)
from memory_core.tokens.counting import TokenCounter


def thirds(text: str) -> int:
    return len(text) // 3


class Words:
    """A counter whose bound method is a new object each time it is asked for."""

    def count(self, text: str) -> int:
        return len(text.split())


WORDS = Words()
COUNTERS: dict[str, TokenCounter] = {"thirds": thirds, "characters": len}
SAID = [
    "Book flight HAT001 for user_12 on 2024-05-15, please.",
    "예산은 3만 원이고 주문 번호는 ORD-7781입니다.",
    "The tests in src/app.py fail with ValueError after 12 minutes. Retry the cache index.",
    '{"rows": [{"id": "ORD-1", "note": "price total error"}, {"id": "ORD-2", "n": 0.25}]}',
    "😀",
    "",
    "Thanks, that is fine. Check the order status and the price of ORD-7781 again.",
]
MESSAGES = st.lists(
    st.builds(
        ChatMessage,
        role=st.sampled_from(["user", "assistant", "tool"]),
        content=st.sampled_from(SAID) | st.none(),
    ),
    min_size=1,
    max_size=10,
)


def numbered(messages: Sequence[ChatMessage], start: int = 0) -> list[Numbered]:
    return [Numbered(at, message) for at, message in enumerate(messages, start)]


def copied(behind: Sequence[Numbered]) -> list[Numbered]:
    return [Numbered(item.index, item.message.model_copy()) for item in behind]


def renumbered(behind: Sequence[Numbered]) -> list[Numbered]:
    return [Numbered(item.index, item.message) for item in behind]


@st.composite
def histories(draw: st.DrawFn) -> list[list[Numbered]]:
    """One, two branches of it, one with a message left out, and one with other numbers."""
    trunk = numbered(draw(MESSAGES))
    moved = [Numbered(item.index + 1, item.message) for item in trunk]
    branches: list[list[Numbered]] = []
    for _ in range(2):
        at = draw(st.integers(0, len(trunk)))
        branches.append([*trunk[:at], *numbered(draw(MESSAGES), start=at)])
    left_out = draw(st.integers(0, len(trunk) - 1))
    return [trunk, *branches, [*trunk[:left_out], *trunk[left_out + 1 :]], moved]


@dataclass(frozen=True)
class Asked:
    """One request: the first `length` messages of a history, in one of three forms."""

    history: int
    length: int
    form: Callable[[Sequence[Numbered]], Sequence[Numbered]]
    cap: int
    counter: str

    def of(self, known: Sequence[Sequence[Numbered]]) -> SummaryRequest:
        behind = self.form(known[self.history][: self.length])
        count = WORDS.count if self.counter == "words" else COUNTERS[self.counter]
        return SummaryRequest(behind=behind, new=behind, previous="", cap=self.cap, count=count)


REQUESTS = st.lists(
    st.builds(
        Asked,
        history=st.integers(0, 4),
        length=st.integers(0, 20),
        form=st.sampled_from([tuple, renumbered, copied]),
        cap=st.integers(0, 120) | st.just(10**12),
        counter=st.sampled_from(["thirds", "characters", "words"]),
    ),
    min_size=2,
    max_size=14,
)


@settings(max_examples=150, deadline=None)
@given(histories(), REQUESTS)
def test_what_was_asked_before_changes_no_byte(
    known: list[list[Numbered]], requests: list[Asked]
) -> None:
    served = ExtractiveSummarizer()
    for asked in requests:
        request = asked.of(known)
        assert served(request) == ExtractiveSummarizer()(request)


def test_two_long_sessions_served_in_turns_and_in_both_directions_change_no_byte() -> None:
    known = [numbered(session(260, seed=seed, characters=310)) for seed in (1, 2)]
    served = ExtractiveSummarizer()
    for length in (40, 90, 91, 260, 120, 10, 260):
        for history in (0, 1):
            for cap in (900, 150):
                request = Asked(history, length, tuple, cap, "thirds").of(known)
                assert served(request) == ExtractiveSummarizer()(request)


def test_more_histories_than_are_kept_change_no_byte() -> None:
    trunk = numbered(session(60, characters=310))
    known = [trunk[:at] + trunk[at + 1 :] for at in range(30)]
    served = ExtractiveSummarizer()
    for history in (*range(30), *range(30)):
        request = Asked(history, 60, tuple, 300, "thirds").of(known)
        assert served(request) == ExtractiveSummarizer()(request)


@pytest.mark.parametrize(
    ("module", "limit"),
    [(lines, "MOST_LINES"), (lines, "MOST_FEATURES"), (extractive, "MOST_LINES")],
)
def test_what_is_forgotten_for_want_of_room_changes_no_byte(
    module: ModuleType, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, limit, 60)
    known = [numbered(session(90, seed=seed, characters=310)) for seed in (1, 2, 3)]
    served = ExtractiveSummarizer()
    for history in (0, 1, 2, 1, 0):
        for length in (30, 50, 90, 20):
            request = Asked(history, length, renumbered, 300, "thirds").of(known)
            assert served(request) == ExtractiveSummarizer()(request)
