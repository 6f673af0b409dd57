"""The life of a fact is what a reader of all windows would write down, and a remedy keeps it."""

from __future__ import annotations

import json
import unicodedata

import pytest

from memory_core.errors import NotSaid
from memory_core.facts import fold
from memory_core.loss import (
    Form,
    Index,
    Span,
    follow,
    item_of,
    lifeline,
    measure,
    needs_of,
    remedies,
)
from memory_core.replay import Replay, replay
from tests.loss.brute import said_in, standing_in
from tests.loss.test_standing import TIGHT, sample
from tests.saying import assistant, settings, system, talk, user


@pytest.fixture(scope="module")
def coding() -> tuple[Replay, Index]:
    messages = sample("coding_agent")
    return replay(messages, TIGHT), Index(messages)


def test_a_lifeline_names_the_calls_at_which_a_fact_is_gone(coding: tuple[Replay, Index]) -> None:
    result, index = coding
    lost = measure(result, index, needs_of(index)).lost
    items = list(dict.fromkeys(one.need.item for one in lost))[::9]
    assert len(items) > 3
    said = said_in(index.messages)
    for item in items:
        life = lifeline(result, index, item_of(index, item))
        gone = {call for span in life.spans if span.form is Form.GONE for call in _calls(span)}
        (name,) = [name for name, number in index.said.numbers.items() if number == item]
        for plan in result.plans[life.spans[0].first :]:
            stands = name in standing_in(result.report(plan), {name: said[name]})
            assert stands == (plan.ordinal not in gone), (name, plan.at)


def _calls(span: Span) -> range:
    return range(span.first, span.last + 1)


def test_spans_follow_each_other_without_a_gap_and_every_one_says_why(
    coding: tuple[Replay, Index],
) -> None:
    result, index = coding
    for item in range(0, len(index.items), 40):
        life = lifeline(result, index, item_of(index, item))
        calls = [call for span in life.spans for call in _calls(span)]
        assert calls == list(range(calls[0], len(result.plans)))
        assert all(span.reason.endswith(".") for span in life.spans)
        for before, after in zip(life.spans, life.spans[1:], strict=False):
            assert before.form is not after.form


def test_uses_are_the_needs_of_the_item(coding: tuple[Replay, Index]) -> None:
    result, index = coding
    needs = needs_of(index).items
    lost = {(one.need.item, one.need.at) for one in measure(result, index, needs_of(index)).lost}
    for item in {need.item for need in needs}:
        life = lifeline(result, index, item_of(index, item))
        assert [use.at for use in life.uses] == [need.at for need in needs if need.item == item]
        for use in life.uses:
            assert use.is_met == ((item, use.at) not in lost)


@pytest.mark.parametrize("text", ["오늘 저녁", "never DEPLOY  on fridays", "🔬"])
def test_any_words_can_be_followed(text: str) -> None:
    messages = [system("Be kind."), user(f"Mind: {text}."), *talk(30), assistant(f"So: {text}")]
    index = Index(messages)
    result = replay(messages, settings(max_token_budget=300, sliding_window_size=4))
    life = lifeline(result, index, follow(index, text.lower()))
    assert life.said == (1, len(messages) - 1)
    assert [use.at for use in life.uses] == [len(messages) - 1]
    stands = [
        fold(text).casefold() in fold("\n".join(one.text for one in result.window(plan))).casefold()
        for plan in result.plans
    ]
    found = [span.form is not Form.GONE for span in life.spans for _call in _calls(span)]
    assert found == stands


def test_what_nobody_said_is_refused_by_name(coding: tuple[Replay, Index]) -> None:
    for text in ("no such words at all", "", " \n"):
        with pytest.raises(NotSaid):
            follow(coding[1], text)


def test_an_item_is_found_however_its_amount_is_written() -> None:
    index = Index([user("it costs 1,250 EUR"), user("yes")])
    assert follow(index, "1250 EUR").text == follow(index, "1,250 EUR").text == "1,250 EUR"


def test_every_remedy_keeps_the_fact_and_costs_what_it_says(coding: tuple[Replay, Index]) -> None:
    result, index = coding
    lost = measure(result, index, needs_of(index)).lost
    fields: set[str] = set()
    for one in lost[::25]:
        subject, call = item_of(index, one.need.item), one.need.call
        found = remedies(result, index, subject, one.need.at)
        assert [remedy.extra_tokens for remedy in found] == sorted(
            remedy.extra_tokens for remedy in found
        )
        for remedy in found:
            again = replay(index.messages, remedy.config)
            use = next(use for use in lifeline(again, index, subject).uses if use.call == call)
            assert use.is_met, remedy
            sent = [
                sum(plan.parts.sent for plan in one.plans[: call + 1]) for one in (again, result)
            ]
            assert remedy.extra_tokens == sent[0] - sent[1]
            assert again.config == result.config.model_copy(
                update={remedy.field: getattr(again.config, remedy.field)}
            )
            fields.add(remedy.field)
    assert {"pins", "max_token_budget"} <= fields


def test_a_smaller_window_than_the_remedy_names_loses_the_fact() -> None:
    messages = [user("The key is ORD-2024-117."), *talk(20), assistant("ORD-2024-117 it is")]
    config = settings(
        max_token_budget=10_000, sliding_window_size=4, window_when="every_call", summarizer="none"
    )
    index = Index(messages)
    found = remedies(replay(messages, config), index, follow(index, "ORD-2024-117"), 41)
    (window,) = (one for one in found if one.field == "sliding_window_size")
    assert isinstance(window.value, int)
    for size, stands in ((window.value, True), (window.value - 1, False)):
        changed = config.model_copy(update={"sliding_window_size": size})
        shown = replay(messages, changed).window(replay(messages, changed).plans[-1])
        assert any("ORD-2024-117" in one.text for one in shown) == stands


def test_nothing_is_sought_where_it_stands_or_nobody_said_it_yet() -> None:
    messages = [user("it is ORD-2024-117"), *talk(8), assistant("ORD-2024-117")]
    index = Index(messages)
    result = replay(messages, settings())
    subject = follow(index, "ORD-2024-117")
    assert remedies(result, index, subject, result.plans[-1].at) == ()
    first = Index([assistant("ORD-2024-117"), user("yes")])
    result = replay(first.messages, settings())
    assert remedies(result, first, follow(first, "ORD-2024-117"), 0) == ()


def test_words_are_found_in_arguments_however_they_are_written() -> None:
    arguments = json.dumps({"query": "서울 날씨", "note": "first\nsecond"})
    call = {"id": "c", "type": "function", "function": {"name": "look", "arguments": arguments}}
    index = Index([user("hi"), assistant(None, tool_calls=[call])])
    for text in ("서울 날씨", unicodedata.normalize("NFD", "서울 날씨"), "second"):
        assert follow(index, text).said == (1,)
