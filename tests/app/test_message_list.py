"""The message list shows session text as it is, a page at a time."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from memory_core.messages import ChatMessage
from pages.ui.excerpts import LONGEST, LONGEST_FOCUSED, ROOM
from pages.ui.listing import PER_PAGE
from pages.ui.plain import literal, name_of
from pages.ui.speakers import spoken, who
from tests.app.listed import ROOMY, card_of, exchange, focused, labels, pieces
from tests.app.opening import (
    cards,
    chat,
    interpreted,
    opened,
    payload,
    protos,
    texts,
    upload,
    verbatim,
)

HOSTILE = [
    "<script>alert(1)</script><img src=x onerror=alert(2)>",
    "from $119.6 to $300 ~~gone~~ :red[hot] :smile: :material/home:",
    "![x](http://127.0.0.1:9/pixel.png) [link](javascript:alert(3)) <b>bold</b>",
    "\n\n    indented\n\ttab\n\n",
    "שלום עולם \u202ereversed\u202c 한국어 👩\u200d👧 𐍈",
    "``` \n# heading\n| a | b |",
    "nul \x00 and bell \x07",
]


@pytest.mark.parametrize("role", ["system", "user", "assistant", "tool"])
def test_every_text_is_shown_character_for_character_and_never_interpreted(role: str) -> None:
    said = [
        message
        for text in HOSTILE
        for message in (
            exchange(result=text) if role == "tool" else [{"role": role, "content": text}]
        )
    ]
    app = upload(opened(), "hostile.json", chat(*said, {"role": "user", "content": "end"}))
    assert len(app.exception) == 0
    assert set(HOSTILE) <= set(verbatim(app))
    marked = interpreted(app)
    assert [text for text in HOSTILE if any(text.strip() in one for one in marked)] == []


def test_hostile_names_reach_no_markup() -> None:
    name = '<img src=x onerror="alert(1)">`:smile:`'
    app = upload(opened(), "n.json", chat(*exchange(name), {"role": "user", "content": "end"}))
    assert any(name in shown for shown in verbatim(app))
    assert any(name in card["title"] for card in cards(app))
    assert [one for one in interpreted(app) if "<img" in one or ":smile:" in one] == []


def test_the_answer_to_the_last_call_is_shown_too() -> None:
    data = chat({"role": "user", "content": "q"}, {"role": "assistant", "content": "the last word"})
    assert "the last word" in verbatim(upload(opened(), "a.json", data))


def test_a_long_text_is_cut_and_its_full_length_stated() -> None:
    output = "x" * 5_000_000
    data = chat(*exchange(result=output), {"role": "user", "content": "end"})
    app = upload(opened(config='{"tool_pruning_threshold": 8000000}'), "long.json", data)
    assert texts(card_of(app, 1)) == ["x" * LONGEST]
    assert labels(card_of(app, 1)) == ["the first 4,000 of 5,000,000 characters"]
    assert payload(app) < 150_000
    app = focused(app, 1)
    assert [len(text) for text in texts(card_of(app, 1))] == [min(LONGEST_FOCUSED, ROOM * 6 // 10)]
    assert payload(app) < 150_000


@pytest.mark.parametrize("letter", ["x", "가", "\x00", "👩"])
def test_a_page_of_long_texts_stays_small_and_shows_some_of_each(letter: str) -> None:
    data = chat(*({"role": "user", "content": letter * 20_000} for _ in range(PER_PAGE)))
    app = upload(opened(config=ROOMY), "heavy.json", data)
    assert min(len(text) for card in cards(app) for text in texts(card)) > 200
    assert (
        sum(proto.ByteSize() for kind, proto in protos(app) if kind == "bidi_component") < 120_000
    )


def test_a_short_text_stays_whole_beside_long_ones() -> None:
    said = ["가" * 20_000 for _ in range(PER_PAGE - 1)]
    data = chat(*({"role": "user", "content": text} for text in ["short", *said]))
    app = upload(opened(config=ROOMY), "mixed.json", data)
    assert "short" in verbatim(app)


def long_output() -> bytes:
    output = "head " + "middle " * 2000 + "tail"
    quiet = [{"role": "user", "content": f"go on {n}"} for n in range(4)]
    return chat({"role": "user", "content": "q"}, *exchange(result=output), *quiet)


def test_a_pruned_output_stands_beside_what_is_sent_of_it() -> None:
    card = card_of(upload(opened(config=ROOMY), "pruned.json", long_output()), 2)
    recorded, sent = texts(card)
    assert labels(card) == ["as recorded: the first 4,000 of 14,009 characters", "as sent"]
    assert sent.startswith("head middle")
    assert (
        pieces(card, "added")[-1] == "\n... [Tool Output Truncated: Total Length 14009 chars] [#2]"
    )
    kept = next(span[1] for span in card["blocks"][0]["spans"] if span[0] == "plain")
    assert sent.startswith(kept)
    assert recorded == kept + "".join(pieces(card, "cut"))


def test_buttons_lead_from_a_call_to_its_results_and_back() -> None:
    data = chat({"role": "user", "content": "q"}, *exchange(), {"role": "user", "content": "end"})
    app = upload(opened(config='{"pins": [2]}'), "jump.json", data)
    does = {
        index: [(word, name, value, pressed) for word, _t, name, value, pressed in card["buttons"]]
        for index in (0, 1, 2)
        for card in [card_of(app, index)]
    }
    assert does[0] == [("pin", "pin", 0, False)]
    assert does[1] == [("to its result #2", "message", 2, None), ("unpin #2", "pin", 2, True)]
    assert does[2] == [("to its call", "message", 1, None), ("unpin", "pin", 2, True)]


def script() -> None:
    from pages.ui.marked import Block, Card, Span, cards

    text = "\ud800 lone, nul \x00, \u202eturned"
    cards([Card("0", text, blocks=[Block([Span("plain", text)], text)])], key="messages")


def test_lone_surrogates_and_nul_reach_the_browser() -> None:
    app = AppTest.from_function(script).run()
    assert len(app.exception) == 0
    (card,) = cards(app)
    assert texts(card) == ["\ud800 lone, nul \x00, \u202eturned"]
    assert json.dumps(card).isascii()


def test_what_is_spoken_holds_text_images_and_calls() -> None:
    call = {"id": "c", "function": {"name": "look", "arguments": '{"at": 1}'}}
    parts = [{"type": "text", "text": "see"}, {"type": "image_url", "image_url": {"url": "data:x"}}]
    message = ChatMessage.model_validate(
        {"role": "assistant", "content": parts, "tool_calls": [call]}
    )
    assert spoken(message) == 'see\n[image]\nlook({"at": 1})'
    assert who(message) == "assistant look"


@given(st.text())
def test_a_literal_is_one_line_of_code_whatever_it_holds(text: str) -> None:
    shown = literal(text)
    assert shown == "" or (shown[0], shown[-1]) == ("`", "`")
    assert "`" not in shown[1:-1]
    assert len(shown.splitlines()) <= 1


@given(st.text())
def test_a_name_holds_no_character_with_a_meaning(text: str) -> None:
    assert not set(name_of(text)) & set("<>&\"'`$:~*[](){}|\\#!\n")
