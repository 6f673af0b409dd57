"""The message list is paged, filtered, searched, and opens at the message one looks at."""

from __future__ import annotations

import pytest

from pages.ui.listing import PER_PAGE
from tests.app.listed import ROOMY, exchange, focused, ids, labels, pieces
from tests.app.opening import (
    at_call,
    cards,
    chat,
    opened,
    payload,
    protos,
    texts,
    upload,
    verbatim,
)


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


@pytest.mark.parametrize(("wanted", "found"), [("read", ["1", "2"]), ("write", ["3", "4"])])
def test_a_search_for_a_tool_finds_only_its_results_where_an_id_is_used_twice(
    wanted: str, found: list[str]
) -> None:
    user = {"role": "user", "content": "end"}
    data = chat(user, *exchange("read"), *exchange("write"), user)
    app = upload(opened(config=ROOMY), "twice.json", data)
    app.text_input(key="search").set_value(wanted).run()
    assert ids(app) == found


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
