"""Facts are found where people put them: in prose, JSON, logs and Korean."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.facts import extract, message_facts
from memory_core.messages import ChatMessage

FOUND = [
    ("Hangul particle after an id", "user_123를 지워 주세요", [("id", "user_123")]),
    ("order number without its mark", "Order #W1234567 is late", [("id", "W1234567")]),
    (
        "issue number and tag keep theirs",
        "fix #42, see #urgent",
        [("id", "#42"), ("id", "#urgent")],
    ),
    (
        "uuid",
        "id 550e8400-e29b-41d4-a716-446655440000.",
        [("id", "550e8400-e29b-41d4-a716-446655440000")],
    ),
    ("hash", "at 41616f6a", [("id", "41616f6a")]),
    ("flight", "take HAT001 home", [("id", "HAT001")]),
    ("ticket with dot", "start spotter-gqc.1 now", [("id", "spotter-gqc.1")]),
    ("phone", "010-1234-5678로 전화", [("id", "010-1234-5678")]),
    ("version", "needs v1.2.3 or 2.0.1", [("id", "v1.2.3"), ("id", "2.0.1")]),
    ("path before a particle", "/usr/lib/os.py를 열어", [("path", "/usr/lib/os.py")]),
    ("relative path with line", "src/app/main.py:12 fails", [("path", "src/app/main.py")]),
    ("file name", "see notes.md.", [("path", "notes.md")]),
    ("Korean path", "/문서/보고서.pdf를", [("path", "/문서/보고서.pdf")]),
    ("drive", r"in C:\Users\new\t.txt now", [("path", r"C:\Users\new\t.txt")]),
    ("url in brackets", "(https://a.com/x?y=1).", [("url", "https://a.com/x?y=1")]),
    ("mail before a particle", "sara.doe@example.com에게", [("email", "sara.doe@example.com")]),
    ("ISO date", "on 2024-05-15T10:30:00Z", [("date", "2024-05-15T10:30:00Z")]),
    ("English date", "due May 15th, 2024", [("date", "May 15th, 2024")]),
    (
        "Korean date and time",
        "2024년 5월 15일 오후 3시 30분까지",
        [("date", "2024년 5월 15일"), ("date", "오후 3시 30분")],
    ),
    (
        "money",
        "$1,234.50 or 3만 원 or 50 dollars",
        [("money", "$1,234.50"), ("money", "3만 원"), ("money", "50 dollars")],
    ),
    (
        "Korean units",
        "12개를 3명이 2시간",
        [("quantity", "12개"), ("quantity", "3명"), ("quantity", "2시간")],
    ),
    (
        "units",
        "30% of 512MB in 1.5 seconds",
        [("quantity", "30%"), ("quantity", "512MB"), ("quantity", "1.5 seconds")],
    ),
    (
        "errors",
        "ValueError, ENOENT, exit code 1",
        [("error", "ValueError"), ("error", "ENOENT"), ("error", "exit code 1")],
    ),
    (
        "names inside a sentence",
        "fly from New York to SFO",
        [("name", "New York"), ("name", "SFO")],
    ),
    (
        "values of JSON, not keys",
        '{"order_1": "Z7GOZK", "first_name": "Sara"}',
        [("id", "Z7GOZK"), ("name", "Sara")],
    ),
    ("keys of escaped JSON", r'{"a": "{\"user_1\": \"HAT002\"}"}', [("id", "HAT002")]),
    ("escaped line end", r'{"a": "one\nuser_12"}', [("id", "user_12")]),
]

EMPTY = [
    ("no number before a unit", "and/or 2/3 and 입/출력"),
    ("sentence start", "Please call. The end."),
    ("small numbers and ordinals", "the 2nd of 10 in 3-5"),
    ("line numbers", "   123→def run():\n456:    pass"),
    ("closing tag", "</div>"),
]


@pytest.mark.parametrize(
    ("text", "facts"), [row[1:] for row in FOUND], ids=[row[0] for row in FOUND]
)
def test_a_fact_is_found_with_its_kind(text: str, facts: list[tuple[str, str]]) -> None:
    assert [(fact.kind, fact.text) for fact in extract(text)] == facts


@pytest.mark.parametrize("text", [row[1] for row in EMPTY], ids=[row[0] for row in EMPTY])
def test_what_only_looks_like_a_fact_is_none(text: str) -> None:
    assert extract(text) == ()


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from('aZ0 1-_./@:#$%,\\"{}\n년월원개가é😀א\x00'), max_size=120))
def test_facts_are_slices_in_order_that_never_overlap(text: str) -> None:
    reached = 0
    for fact in extract(text):
        assert fact.text == text[fact.start : fact.end] != ""
        assert fact.start >= reached
        reached = fact.end


@pytest.mark.parametrize(
    "piece",
    [
        " ",
        "a",
        "1",
        "/",
        "@",
        "-",
        "a-",
        "a/",
        "a@",
        "a.",
        "Aa ",
        '"',
        "\\",
        "1,",
        "1.",
        "1:",
        "가",
        "http://",
    ],
)
@pytest.mark.timeout(30)
def test_half_a_megabyte_of_hostile_text_ends_within_the_timeout(piece: str) -> None:
    text = piece * (500_000 // len(piece))
    assert all(text[fact.start : fact.end] for fact in extract(text))


def test_message_facts_name_the_message_the_call_and_the_span() -> None:
    message = ChatMessage.model_validate(
        {
            "role": "assistant",
            "content": "Booking HAT001.",
            "tool_calls": [
                {"id": "1", "function": {"name": "book", "arguments": '{"to": "AB12CD"}'}}
            ],
        }
    )
    content, argument = message_facts(message, 7)
    assert (content.text, content.message, content.call) == ("HAT001", 7, None)
    assert (argument.text, argument.message, argument.call) == ("AB12CD", 7, 0)
    assert message.tool_calls[0].arguments[argument.start : argument.end] == "AB12CD"
