"""The message list shows session text as it is, a page at a time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.messages import ChatMessage
from pages.ui.listing import LONGEST_TEXT, PER_PAGE, spoken, who
from pages.ui.plain import literal, name_of
from tests.app.opening import chat, interpreted, opened, payload, protos, upload, verbatim

HOSTILE = [
    "<script>alert(1)</script><img src=x onerror=alert(2)>",
    "from $119.6 to $300 ~~gone~~ :red[hot] :smile: :material/home:",
    "![x](http://127.0.0.1:9/pixel.png) [link](javascript:alert(3)) <b>bold</b>",
    "\n\n    indented\n\ttab\n\n",
    "שלום עולם \u202ereversed\u202c 한국어 👩\u200d👧 𐍈",
    "``` \n# heading\n| a | b |",
    "nul \x00 and bell \x07",
]


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
    assert [one for one in interpreted(app) if "<img" in one or ":smile:" in one] == []


def test_the_answer_to_the_last_call_is_shown_too() -> None:
    data = chat({"role": "user", "content": "q"}, {"role": "assistant", "content": "the last word"})
    assert "the last word" in verbatim(upload(opened(), "a.json", data))


def test_a_long_text_is_cut_and_its_full_length_stated() -> None:
    data = chat({"role": "user", "content": "x" * 100_000}, {"role": "user", "content": "end"})
    app = upload(opened(), "long.json", data)
    assert "x" * LONGEST_TEXT in verbatim(app)
    assert any("100,000 characters" in one for one in interpreted(app))


def test_a_long_session_is_paged() -> None:
    data = chat(*({"role": "user", "content": f"message {n}"} for n in range(500)))
    app = upload(opened(config='{"max_token_budget": 100000}'), "many.json", data)
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
        app.slider(key="call").set_value(call).run()
        assert app.pagination(key="page").value == app.pagination(key="page").num_pages
    app.pagination(key="page").set_value(1).run()
    app.button(key="forth").click().run()
    assert app.pagination(key="page").value == 1
    app.pagination(key="page").set_value(app.pagination(key="page").num_pages).run()
    app.slider(key="call").set_value(51).run()
    assert app.pagination(key="page").value == app.pagination(key="page").num_pages


def test_a_state_that_no_message_is_in_is_dimmed() -> None:
    options: list[str] = opened().pills(key="states").options
    assert [one for one in options if ("gray" in one) is not one.rstrip("]").endswith(" 0")] == []
    assert any("gray" in one for one in options)


def test_filters_narrow_the_list_and_say_when_nothing_fits() -> None:
    app = opened()
    texts = verbatim(app)
    app.pills(key="roles").set_value(["user"]).run()
    users = verbatim(app)
    assert users != texts
    app.pills(key="states").set_value(["pinned"]).run()
    assert any("No message" in caption.value for caption in app.caption)
    app.selectbox(key="sample").set_value("broken").run()
    assert len(app.exception) == 0


def test_a_pruned_output_can_be_seen_as_it_is_sent() -> None:
    output = "head " + "middle " * 2000 + "tail"
    quiet = [{"role": "user", "content": f"go on {n}"} for n in range(4)]
    data = chat({"role": "user", "content": "q"}, *exchange(result=output), *quiet)
    app = upload(opened(config='{"max_token_budget": 100000}'), "pruned.json", data)
    assert output[:LONGEST_TEXT] in verbatim(app)
    app.segmented_control(key="form").set_value("sent").run()
    assert output[:LONGEST_TEXT] not in verbatim(app)
    assert any(one.startswith("head") and len(one) < 1000 for one in verbatim(app))


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
