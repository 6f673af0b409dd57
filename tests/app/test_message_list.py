"""The message list shows session text as it is, a page at a time."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from memory_core.messages import ChatMessage
from pages.ui.excerpts import LONGEST, LONGEST_FOCUSED, ROOM
from pages.ui.listing import PER_PAGE
from pages.ui.plain import literal, name_of
from pages.ui.speakers import spoken, who
from tests.app.opening import (
    at_call,
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


ROOMY = '{"max_token_budget": 100000}'


def focused(app: AppTest, index: int | None) -> AppTest:
    """The app after a click that leads to a message."""
    app.session_state["current"] = replace(app.session_state["current"], focus=index)
    return app.run()


def ids(app: AppTest) -> list[str]:
    return [card["id"] for card in cards(app)]


def card_of(app: AppTest, index: int) -> dict[str, Any]:
    return next(card for card in cards(app) if card["id"] == str(index))


def labels(card: dict[str, Any]) -> list[str]:
    return [block["label"] for block in card["blocks"]]


def pieces(card: dict[str, Any], *kinds: str) -> list[str]:
    return [span[1] for block in card["blocks"] for span in block["spans"] if span[0] in kinds]


def exchange(name: str = "read", result: str = "ok") -> list[dict[str, object]]:
    call = {"id": "c", "type": "function", "function": {"name": name, "arguments": '{"a": 1}'}}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": result},
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


def test_a_long_session_is_paged() -> None:
    data = chat(*({"role": "user", "content": f"message {n}"} for n in range(500)))
    app = upload(opened(config=ROOMY), "many.json", data)
    assert len([one for one in verbatim(app) if one.startswith("message")]) == PER_PAGE
    assert "message 499" in verbatim(app)
    app.pagination(key="page").set_value(1).run()
    assert "message 0" in verbatim(app)
    assert "message 499" not in verbatim(app)
    assert sum(1 for _ in protos(app)) < 300
    assert payload(app) < 200_000


def test_the_newest_messages_are_shown_at_every_call_until_another_page_is_chosen() -> None:
    app = opened()
    for call in (51, 50, 30):
        at_call(app, call)
        assert app.pagination(key="page").value == app.pagination(key="page").num_pages
    app.pagination(key="page").set_value(1).run()
    at_call(app, 31)
    assert app.pagination(key="page").value == 1
    app.pagination(key="page").set_value(app.pagination(key="page").num_pages).run()
    at_call(app, 51)
    assert app.pagination(key="page").value == app.pagination(key="page").num_pages


def test_a_state_that_no_message_is_in_is_dimmed() -> None:
    options: list[str] = opened().pills(key="states").options
    assert [one for one in options if ("gray" in one) is not one.rstrip("]").endswith(" 0")] == []
    assert any("gray" in one for one in options)


def test_filters_narrow_the_list_and_say_when_nothing_fits() -> None:
    app = opened()
    app.pills(key="roles").set_value(["user"]).run()
    assert {card["title"].split()[1] for card in cards(app)} == {"user"}
    app.pills(key="states").set_value(["pinned"]).run()
    assert any("No message" in caption.value for caption in app.caption)
    assert cards(app) == []
    app.selectbox(key="sample").set_value("broken").run()
    assert len(app.exception) == 0


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("GRÜSSE", "grüsse"),
        ("부산", "부산"),
        ("a.c", "a.c"),
        ("</script>", "</script>"),
        ("needle", "Needle"),
        ("\\", "\\"),
    ],
)
def test_a_search_lists_what_holds_the_words_and_marks_them(wanted: str, found: str) -> None:
    data = chat(
        {"role": "user", "content": "grüsse aus 부산, a.c"},
        {"role": "user", "content": "abc and an end</script> with \\"},
        {"role": "user", "content": "nothing of it"},
        {"role": "user", "content": "y" * 50_000 + "Needle" + "z" * 10_000},
    )
    app = upload(opened(config=ROOMY), "search.json", data)
    app.text_input(key="search").set_value(wanted).run()
    (card,) = cards(app)
    assert pieces(card, "found") == [found]
    assert found in texts(card)[0]


def test_a_search_shows_the_text_around_the_first_place() -> None:
    data = chat({"role": "user", "content": "y" * 50_000 + "Needle" + "z" * 10_000})
    app = upload(opened(), "deep.json", data)
    app.text_input(key="search").set_value("needle").run()
    assert labels(cards(app)[0]) == ["characters 49,001 to 53,000 of 60,006"]


@pytest.mark.parametrize("wanted", ["fetch_page", "with-this-argument"])
def test_a_search_finds_tools_by_name_and_calls_by_argument(wanted: str) -> None:
    call = {"name": "fetch_page", "arguments": '{"q": "with-this-argument"}'}
    data = chat(
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "function": call}]},
        {"role": "tool", "tool_call_id": "c", "content": "done"},
        {"role": "user", "content": "end"},
    )
    app = upload(opened(), "tools.json", data)
    app.text_input(key="search").set_value(wanted).run()
    assert ids(app) == (["1", "2"] if wanted == "fetch_page" else ["1"])


def test_the_list_opens_at_the_message_that_is_looked_at_and_marks_it() -> None:
    app = focused(opened(), 24)
    assert [card["id"] for card in cards(app) if card.get("marked")] == ["24"]
    assert app.pagination(key="page").value == 2
    app.pagination(key="page").set_value(3).run()
    assert "24" not in ids(app)
    assert app.session_state["current"].focus is None


def test_filters_rest_for_the_message_that_is_looked_at_and_come_back() -> None:
    app = opened()
    app.pills(key="roles").set_value(["user"]).run()
    few = ids(app)
    app = focused(app, 24)
    assert "24" in ids(app)
    assert any(
        "filters rest" in caption.value and "#24" in caption.value for caption in app.caption
    )
    app = focused(app, int(few[0]))
    assert ids(app) == few
    focused(app, 24).pills(key="roles").set_value(["user", "system"]).run()
    assert {card["title"].split()[1] for card in cards(app)} == {"user", "system"}


def test_a_message_after_the_call_is_said_to_come_later() -> None:
    app = opened()
    at_call(app, 5)
    app = focused(app, 150)
    assert any("#150 comes after" in caption.value for caption in app.caption)
    assert len(app.exception) == 0


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
    assert does[1] == [("to its result #2", "message", 2, None), ("pin", "pin", 1, False)]
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
