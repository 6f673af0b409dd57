"""Messages fall into units a person would keep or drop as a whole."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.facts import content_words, extract, units
from memory_core.messages import ChatMessage


def texts(content: str) -> list[str]:
    return [unit.text for unit in units(ChatMessage(role="user", content=content), 0)]


CUTS: list[tuple[str, list[str]]] = [
    ("One. Two! Three?", ["One.", "Two!", "Three?"]),
    (
        "Pi is 3.14 here. See https://a.com/b.c?d=e. Go",
        ["Pi is 3.14 here.", "See https://a.com/b.c?d=e.", "Go"],
    ),
    ("Use a tool, e.g. grep. Ask Dr. Kim.", ["Use a tool, e.g. grep.", "Ask Dr. Kim."]),
    (
        "예산은 3만 원입니다.그리고 창가가 좋아요. 될까요?",
        ["예산은 3만 원입니다.", "그리고 창가가 좋아요.", "될까요?"],
    ),
    ("12:01 start\n\n12:02   stop", ["12:01 start", "12:02 stop"]),
    ("", []),
    (" \n ", []),
]


@pytest.mark.parametrize(("content", "expected"), CUTS)
def test_a_text_is_cut_into_sentences_and_lines(content: str, expected: list[str]) -> None:
    assert texts(content) == expected


def test_json_becomes_one_record_per_object_with_its_path() -> None:
    content = json.dumps(
        {"id": "Z7", "legs": [{"from": "SFO", "price": 152.50, "ok": True}], "tags": ["a", "b"]}
    )
    assert texts(content) == ["id=Z7", "legs[0].from=SFO, price=152.5, ok=true", "tags=a, b"]


def test_json_inside_lines_and_long_strings_is_cut_too() -> None:
    assert texts('{"a": 1}\nplain. Text\n{"b": 2}') == ["a=1", "plain.", "Text", "b=2"]
    story = " ".join(f"Sentence number {n}." for n in range(40))
    assert texts(json.dumps({"body": story, "id": 5})) == ["id=5", *texts(story)]


def test_arguments_of_calls_carry_the_name_of_the_tool() -> None:
    call = {"id": "1", "function": {"name": "book", "arguments": '{"to": "AB12CD"}'}}
    message = ChatMessage.model_validate(
        {"role": "assistant", "content": None, "tool_calls": [call]}
    )
    (unit,) = units(message, 3)
    assert (unit.message, unit.text) == (3, "book.to=AB12CD")
    assert [fact.text for fact in unit.facts] == ["AB12CD"]


def test_a_long_line_is_cut_at_spaces() -> None:
    pieces = texts("word " * 200)
    assert len(pieces) > 3
    assert all(len(piece) <= 240 and piece.endswith("word") for piece in pieces)


@pytest.mark.parametrize("piece", ["a", "[", '{"a":', "a. ", "{}\n", "다.가", " ", "x\n"])
def test_five_megabytes_give_a_bounded_number_of_units(piece: str) -> None:
    found = texts(piece * (5_000_000 // len(piece)))
    assert len(found) <= 400
    assert all(len(text) <= 240 for text in found)


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from('ab 1.,{}[]":\n다요A#user_1é😀א\x00'), max_size=200))
def test_the_facts_of_a_unit_lie_in_its_text(content: str) -> None:
    for unit in units(ChatMessage(role="user", content=content), 0):
        assert "\n" not in unit.text
        assert all(unit.text[fact.start : fact.end] == fact.text for fact in unit.facts)
        assert unit.facts == extract(unit.text)
        assert unit.words == content_words(unit.text)


def test_hangul_words_lose_one_particle() -> None:
    assert content_words("예약을 예약은 예약 User_name the") == ("예약", "user_name", "the")


def test_lone_surrogates_in_json_escapes_do_not_survive() -> None:
    (text,) = texts('{"a": "\\ud800x"}')
    assert text.encode()
