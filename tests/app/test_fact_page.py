"""The page of facts: what is followed, where it stands, and what would have kept it."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from memory_core.config import MemoryConfig
from memory_core.loss import Form, Index, item_of, lifeline, lost_items, measure, needs_of, remedies
from memory_core.replay import Replay, replay
from memory_core.sessions import load_file
from pages.ui.lifelines import lifeline_chart
from pages.ui.remedying import missed
from pages.ui.samples import FOLDER, samples
from pages.ui.seeking import Question, Seeking
from pages.ui.things import Things
from tests.app.opening import opened, protos

PAGE = "pages/tune/fact.py"
SAMPLE = "customer_service_ko"
PATIENCE = 60
"""Seconds."""


def replayed(sample: str = SAMPLE) -> tuple[Replay, Index]:
    messages = load_file(FOLDER / f"{sample}.json").sessions[0].messages
    return replay(messages, MemoryConfig()), Index(messages)


def fact_page(**parameters: str) -> AppTest:
    app = opened(**{"sample": SAMPLE, **parameters}).switch_page(PAGE).run()
    deadline = time.monotonic() + PATIENCE
    while not rows(app, "spans") and time.monotonic() < deadline:
        app.run()
    assert not app.exception
    return app


def followed(app: AppTest, fact: int | str) -> AppTest:
    app.session_state["current"] = replace(app.session_state["current"], fact=fact)
    return app.run()


def chosen(app: AppTest) -> int:
    value = app.selectbox(key="fact").value
    assert isinstance(value, int)
    return value


def lost_numbers(found: Replay, index: Index) -> list[int]:
    loss = measure(found, index, needs_of(index))
    return [one.first.need.item for one in lost_items(loss, index)]


def rows(app: AppTest, key: str) -> list[list[dict[str, Any]]]:
    return [
        row
        for kind, proto in protos(app)
        if kind == "bidi_component" and proto.id.endswith(f"-{key}")
        for row in json.loads(proto.json)["rows"]
    ]


@pytest.mark.parametrize("sample", samples())
def test_the_page_opens_on_every_sample_with_what_was_lost_most_often(sample: str) -> None:
    app = fact_page(sample=sample)
    found, index = replayed(sample)
    loss = measure(found, index, needs_of(index))
    first = chosen(app)
    assert not app.error
    assert first == Things(index, loss).ordered([])[0]
    line = lifeline(found, index, item_of(index, first))
    assert [row[3]["text"] for row in rows(app, "spans")] == [one.reason for one in line.spans]


def test_an_item_is_named_by_its_number_in_the_link_and_words_are_not_named() -> None:
    app = followed(fact_page(), 3)
    assert app.query_params["fact"] == "3"
    again = fact_page(fact="3")
    assert chosen(again) == 3
    assert rows(again, "spans") == rows(app, "spans")
    worded = followed(app, "배송")
    assert not worded.error
    assert rows(worded, "spans")
    assert "fact" not in worded.query_params


def test_a_link_to_an_item_that_is_not_there_says_so() -> None:
    app = fact_page(fact="99999")
    assert "99,999" in app.info[0].value
    assert chosen(app) < 99999


def test_another_session_is_not_followed_by_the_number_of_this_one() -> None:
    app = followed(fact_page(), 3)
    app.selectbox(key="sample").set_value("coding_agent").run()
    assert app.session_state["current"].fact is None


@pytest.mark.parametrize("sample", ["coding_agent", SAMPLE])
def test_what_was_lost_comes_first_whatever_kinds_are_listed(sample: str) -> None:
    found, index = replayed(sample)
    loss = measure(found, index, needs_of(index))
    lost = {need.need.item for need in loss.lost} | {
        rule.text for rule in loss.rules if not rule.stands
    }
    things = Things(index, loss)
    texts = {one.text for one in index.spoken.statements}
    assert set(things.kinds) > {"id", "constraint"}
    for kinds in ([], *([kind] for kind in things.kinds), things.kinds[1:3]):
        listed = things.ordered(kinds)
        assert len(set(listed)) == len(listed)
        assert all(not kinds or things.kind(one) in kinds for one in listed)
        assert kinds or len(listed) == len(index.items) + len(texts)
        flags = [one in lost for one in listed]
        assert flags == sorted(flags, reverse=True)
        assert [("✖" in things.label(one)) for one in listed] == flags


def test_a_rule_is_followed_by_its_words() -> None:
    app = fact_page(sample="coding_agent")
    _found, index = replayed("coding_agent")
    rule = next(one for one in index.spoken.statements if one.kind == "constraint")
    app = followed(app, rule.text)
    assert not app.error
    assert app.selectbox(key="fact").value == rule.text
    assert rows(app, "spans")
    assert "fact" not in app.query_params


def test_the_chart_has_a_bar_for_every_span_and_a_mark_for_every_use() -> None:
    found, index = replayed("coding_agent")
    lost = [
        one.first.need.item for one in lost_items(measure(found, index, needs_of(index)), index)
    ]
    lines = (lifeline(found, index, item_of(index, number)) for number in lost)
    line = next(one for one in lines if len({use.is_met for use in one.uses}) == 2)
    figure: Any = lifeline_chart(line, calls=len(found.plans), shown=0)
    bars = [trace for trace in figure.data if trace.line.width == 16]
    drawn = {
        (int(start - 0.5), int(end - 1.5))
        for bar in bars
        for start, end in zip(bar.x[::3], bar.x[1::3], strict=True)
    }
    assert drawn == {(span.first, span.last) for span in line.spans}
    marks = {trace.name: set(trace.x) for trace in figure.data if trace.mode == "markers"}
    assert marks == {
        "used again: it stood": {use.call + 1 for use in line.uses if use.is_met},
        "used again: it was lost": {use.call + 1 for use in line.uses if not use.is_met},
    }


def test_the_calls_to_mend_are_the_one_looked_at_and_those_that_missed_it() -> None:
    found, index = replayed("coding_agent")
    lost = [
        one.first.need.item for one in lost_items(measure(found, index, needs_of(index)), index)
    ]
    for number in lost:
        line = lifeline(found, index, item_of(index, number))
        uses = [use.call for use in line.uses if not use.is_met]
        assert missed(line, found, None) == uses
        gone = next(span for span in line.spans if span.form is Form.GONE)
        at = found.plans[gone.first].at
        assert missed(line, found, at)[0] == gone.first
    lines = (lifeline(found, index, item_of(index, one)) for one in range(len(index.items)))
    kept = next(one for one in lines if all(span.form is not Form.GONE for span in one.spans))
    assert missed(kept, found, None) == []


def test_the_search_lists_what_the_library_finds() -> None:
    app = fact_page()
    found, index = replayed()
    number = chosen(app)
    use = next(one for one in lifeline(found, index, item_of(index, number)).uses if not one.is_met)
    app.button(key="find_remedies").click().run()
    deadline = time.monotonic() + PATIENCE
    while not rows(app, "remedies") and time.monotonic() < deadline:
        time.sleep(0.2)
        app.run()
    wanted = remedies(found, index, item_of(index, number), found.plans[use.call].at)
    assert wanted
    listed = [row[2]["text"].replace("\N{MINUS SIGN}", "-") for row in rows(app, "remedies")]
    assert listed == [f"{one.extra_tokens:+,}" for one in wanted]
    assert not app.error


def test_a_search_that_nobody_waits_for_ends_and_finds_nothing() -> None:
    found, index = replayed()
    need = measure(found, index, needs_of(index)).lost[0].need
    subject = item_of(index, need.item)
    question = Question(("", ""), found.config, need.item, need.at)
    search = Seeking(
        question, found, index, subject, summarizer=lambda: None, is_wanted=lambda: False
    )
    search.stop()
    assert not search.is_running
    assert search.remedies == ()
    assert search.failure
