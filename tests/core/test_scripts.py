"""Every character of a text counts for one script, and the letters say what kind it is."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.config import MemoryConfig
from memory_core.gauge import Gauge
from memory_core.languages import scripts_by_role
from memory_core.messages import ChatMessage
from memory_core.scripts import Kind, Scripts, scripts_of
from tests.histories import histories
from tests.saying import calling, user


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Scripts()),
        ("가나 ab\n", Scripts(spaces=2, hangul=2, latin=2)),
        ("ㄱㅎ\u1100\uffa1", Scripts(hangul=4)),
        ("éßĀﬁＡ", Scripts(latin=5)),
        ("e\u0301", Scripts(latin=2)),
        ("日本 かな жук مرحبا", Scripts(spaces=3, other=12)),
        ("{1: 2}", Scripts(spaces=1, marks=5)),
        ("🔬\u200d\u0000", Scripts(marks=3)),
        ("\U00020000𐍈", Scripts(other=2)),
        ("\ud800", Scripts(marks=1)),
    ],
)
def test_characters_count_for_their_script(text: str, expected: Scripts) -> None:
    assert scripts_of(text) == expected


@given(st.text())
def test_every_character_counts_once(text: str) -> None:
    found = scripts_of(text)
    assert found.characters == len(text)
    assert found.spaces == sum(character.isspace() for character in text)


@given(st.text(st.characters(max_codepoint=0xFFFF)))
def test_letters_are_what_unicode_calls_letters_and_their_marks(text: str) -> None:
    letters = [one for one in text if unicodedata.category(one)[0] in "LM"]
    assert scripts_of(text).letters == len(letters)
    hangul = [one for one in letters if "HANGUL" in unicodedata.name(one, "")]
    assert scripts_of(text).hangul == len(hangul)


@given(st.text(), st.text())
def test_the_scripts_of_two_texts_add_up(one: str, other: str) -> None:
    assert scripts_of(one) + scripts_of(other) == scripts_of(one + other)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("주문 번호는 ORD-117 입니다.", Kind.KOREAN),
        ('{"상태": "배송 준비", "수량": 2}', Kind.KOREAN),
        ("Please look at the failing test, then tell me why.", Kind.LATIN),
        ("def add(a, b):\n    return [a + b, (a, b)]", Kind.CODE),
        ('{"error": null, "items": [1, 2, 3]}', Kind.CODE),
        ("12:30 ...", Kind.CODE),
        ("Прошу посмотреть на тест", Kind.OTHER),
        ("", Kind.OTHER),
        (" \n", Kind.OTHER),
    ],
)
def test_the_kind_of_a_text_is_told_by_its_letters_and_marks(text: str, kind: Kind) -> None:
    assert scripts_of(text).kind is kind


def test_what_is_said_holds_text_and_calls_but_no_thinking() -> None:
    thinking = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "so"}]
    assert user("", content=thinking).said == "so"
    assert calling("a", text="look", names=["read"]).said == "look\nread\n{}"
    assert ChatMessage(role="assistant").said == ""


@given(histories())
def test_the_roles_together_hold_every_message_token_and_character(
    messages: list[ChatMessage],
) -> None:
    gauge = Gauge(MemoryConfig(model="chars / 4"))
    found = scripts_by_role(messages, gauge)
    assert sum(one.messages for one in found) == len(messages)
    assert sum(one.all_tokens for one in found) == sum(gauge.tokens(one) for one in messages)
    characters = sum(one.scripts.characters for one in found)
    assert characters == sum(len(one.said) for one in messages)
    assert {one.role for one in found} == {one.role for one in messages}
