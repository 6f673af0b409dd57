"""The summary panel: what is sent in place of what left, what changed, and at which price."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from pages.ui.marked import Span
from pages.ui.summaries import linked, ranges
from tests.app.opening import at_call, cards, chat, interpreted, opened, texts, upload


def panel(app: AppTest) -> dict[str, dict[str, Any]]:
    return {card["id"]: card for card in cards(app, "summary")}


def links(card: dict[str, Any]) -> list[tuple[str, int]]:
    return [
        (span[1], span[2]) for block in card["blocks"] for span in block["spans"] if len(span) == 3
    ]


def kinds(card: dict[str, Any]) -> set[str]:
    return {span[0] for block in card["blocks"] for span in block["spans"]}


@given(st.sets(st.integers(0, 60)))
def test_ranges_hold_the_indices_and_no_two_touch(indices: set[int]) -> None:
    runs = ranges(indices)
    assert [index for run in runs for index in run] == sorted(indices)
    assert all(one.stop < other.start for one, other in pairwise(runs))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[#0] a [#12] b", [("[#0]", 0), ("[#12]", 12)]),
        ("[#20] is none of 20", []),
        ("#3 [3] [#x] [#-1] [# 1]", []),
        ("[#99999999999999999999]", []),
    ],
)
def test_only_messages_that_exist_are_linked(text: str, expected: list[tuple[str, int]]) -> None:
    spans = list(linked([Span("plain", text)], 20))
    assert "".join(span.text for span in spans) == text
    assert [(span.text, span.target) for span in spans if span.target is not None] == expected


def test_a_number_in_what_is_gone_leads_nowhere() -> None:
    spans = list(linked([Span("removed", "[#1]"), Span("added", "[#2]")], 20))
    assert [(span.kind, span.target) for span in spans if span.text] == [
        ("removed", None),
        ("added", 2),
    ]


def test_the_panel_shows_the_summary_of_the_call_with_links_to_its_sources() -> None:
    card = panel(opened())["text"]
    assert texts(card)[0].startswith("[#1] user:")
    assert all(word == f"[#{target}]" for word, target in links(card))
    assert len(links(card)) > 5
    assert kinds(card) == {"plain", "link"}


def test_a_receipt_names_what_left_why_and_at_which_price() -> None:
    card = panel(opened())["receipt"]
    assert card["title"] == "Compaction at call 51"
    assert texts(card) == ["#139-#144"]
    assert links(card) == [("#139", 139), ("#144", 144)]
    assert "6 messages left, because the window had passed the trigger" in card["why"]
    assert card["aside"].endswith("tokens")
    assert card["buttons"][0][2:4] == ["call", 51]


def test_a_receipt_counts_and_lists_no_message_that_was_held() -> None:
    steps = [{"role": "assistant", "content": "step " * 60} for _ in range(5)]
    said = [{"role": "system", "content": "s"}, {"role": "user", "content": "goal"}, *steps]
    config = '{"max_token_budget": 390, "sliding_window_size": 1}'
    answer = {"role": "assistant", "content": "done"}
    app = upload(opened(config=config), "held.json", chat(*said, answer))
    card = panel(app)["receipt"]
    (named,) = texts(card)
    assert "4 messages left" in card["why"]
    assert named == "#2-#5"
    held = next(one for one in cards(app) if one["id"] == "1")
    assert held["chip"][1] == "kept"


def test_what_changed_since_the_version_before_is_marked_when_asked_for() -> None:
    app = opened()
    before = texts(panel(app)["text"])[0]
    app.toggle(key="summary_diff").set_value(True).run()
    card = panel(app)["text"]
    spans = card["blocks"][0]["spans"]
    assert "removed" in kinds(card)
    assert "".join(span[1] for span in spans if span[0] != "removed") == before
    at_call(app, 50)
    assert app.toggle(key="summary_diff").value
    assert "Against version 20" in panel(app)["text"]["why"]
    app.toggle(key="summary_diff").set_value(False).run()
    assert kinds(panel(app)["text"]) == {"plain", "link"}


def test_a_first_version_says_that_there_is_none_before_it() -> None:
    app = opened()
    at_call(app, 9)
    text = panel(app)["text"]
    assert text["title"].startswith("Version 1: ")
    assert "no earlier version" in text["why"]
    assert [toggle for toggle in app.toggle if toggle.key == "summary_diff"] == []


def test_without_a_compaction_the_panel_is_one_sentence() -> None:
    app = opened()
    at_call(app, 1)
    (only,) = panel(app).values()
    assert only["title"].startswith("No summary is sent")
    assert "blocks" not in only


def test_without_a_summariser_the_receipt_says_what_is_gone() -> None:
    app = opened(config='{"summarizer": "none"}')
    assert "blocks" not in panel(app)["text"]
    assert "no summariser is switched on" in panel(app)["receipt"]["why"]


def test_hostile_text_in_a_summary_stays_data() -> None:
    hostile = "<img src=x onerror=alert(1)> **must** never [x](javascript:alert(1)) $1 $2"
    said = [{"role": "user", "content": f"{hostile} {n} " + "word " * 60} for n in range(40)]
    app = upload(opened(config='{"max_token_budget": 1000}'), "h.json", chat(*said))
    assert any("onerror" in text for text in texts(panel(app)["text"]))
    assert [one for one in interpreted(app) if "onerror" in one or "javascript:" in one] == []


def prompted() -> None:
    from memory_core.config import MemoryConfig
    from memory_core.messages import ChatMessage
    from memory_core.replay import replay
    from pages.ui.summaries import summary_panel

    said = [ChatMessage(role="user", content=f"say {n} " + "word " * 80) for n in range(20)]
    found = replay(
        [*said, ChatMessage(role="assistant", content="a")], MemoryConfig(max_token_budget=1000)
    )
    summary_panel(found, found.plans[-1], prompts=["<b>the prompt</b>", "x" * 30_000])


def test_the_exact_prompts_are_shown_and_long_ones_cut() -> None:
    app = AppTest.from_function(prompted).run()
    assert len(app.exception) == 0
    assert [element.value[:17] for element in app.code] == ["<b>the prompt</b>", "x" * 17]
    assert any("20,000 of 30,000" in caption.value for caption in app.caption)


def told(config: str, call: int, messages: bytes | None = None) -> dict[str, str]:
    """What the cards of the panel say at a call, with their titles."""
    app = opened(config=config)
    if messages is not None:
        app = upload(app, "told.json", messages)
    at_call(app, call)
    return {name: f"{card['title']}. {card['why']}" for name, card in panel(app).items()}


@pytest.mark.parametrize(
    ("config", "call", "said"),
    [
        ('{"max_token_budget": 300}', 3, "leaves no room for one in the budget of 300 tokens"),
        ('{"max_summary_tokens": 1}', 19, "may take 1 token, and its heading alone takes 14"),
        ('{"max_token_budget": 300, "max_summary_tokens": 15}', 27, "none is asked for any more"),
        ('{"max_token_budget": 1000, "max_summary_tokens": 20}', 6, "than what it replaces."),
    ],
)
def test_what_is_left_out_is_told_with_the_reason_why_no_summary_took_it(
    config: str, call: int, said: str
) -> None:
    cards = told(config, call)
    assert cards["text"] == (
        "No summary is sent at this call. No message has been summarised so far."
    )
    assert cards["problem"].startswith("Left out without a summary. ")
    assert said in cards["problem"]
    assert ".." not in cards["problem"]
    assert "the budget needed the room" not in cards["problem"]


def test_what_is_too_short_for_a_summary_is_told_so() -> None:
    def say(role: str, words: int) -> dict[str, str]:
        return {"role": role, "content": "a " * words}

    talk = chat(
        say("user", 1), say("assistant", 1), say("user", 1), say("user", 20), say("assistant", 1)
    )
    cards = told('{"max_token_budget": 32, "max_summary_tokens": 16}', 2, talk)
    assert "too few for a new one, whose heading alone takes 14" in cards["problem"]


def test_a_summary_that_was_not_taken_leaves_none_where_there_was_none() -> None:
    app = opened(
        sample="customer_service_ko",
        config='{"max_token_budget": 1000, "max_summary_tokens": 20}',
    )
    at_call(app, 6)
    card = panel(app)["problem"]
    assert card["title"] == "There is still no summary"


def test_one_message_that_left_is_told_as_one_and_the_list_names_only_what_left() -> None:
    receipt = told('{"summarizer": "none", "max_token_budget": 500}', 20)
    assert "1 message left, because the budget could not hold it (" in receipt["receipt"]
    assert "Its 125 tokens are gone" in receipt["receipt"]
    assert receipt["text"].endswith("nothing stands for what leaves the window.")


def test_the_list_of_what_left_holds_as_many_as_are_counted() -> None:
    app = opened()
    for call in (9, 10, 12, 16):
        at_call(app, call)
        card = panel(app)["receipt"]
        named = [part.strip().lstrip("#").split("-#") for part in texts(card)[0].split(",")]
        count = sum(int(run[-1]) - int(run[0]) + 1 for run in named)
        assert card["why"].startswith(f"{count} message")
