"""A visitor's answers are found again, and asked for only where everything typed could be read."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from memory_core.config import MemoryConfig
from memory_core.endpoint import Endpoint
from memory_core.replay import replay
from memory_core.sessions import load_file
from memory_core.summarizing.folding import FoldingSummarizer
from pages.ui.notes import Notes
from tests.setup.folders import ROOT

CODING = load_file(ROOT / "sample_sessions" / "coding_agent.json").sessions[0].messages
CONFIG = MemoryConfig(max_token_budget=3_000, sliding_window_size=4, summarizer="model")
ASKED = """
import streamlit as st
from pages.ui import cached, current, model

cached.notes().base_url = "http://localhost:1/v1"
model.ask(current.get(), 1)
st.text(f"asking: {cached.notes().asking}; {current.get().problem}")
"""


@pytest.mark.parametrize("typed", ["http://localhost/v1", " http://localhost/v1// "])
def test_whoever_answers_has_one_name_however_the_address_is_typed(typed: str) -> None:
    notes = Notes(base_url=typed, model=" small ")
    endpoint = Endpoint(base_url=typed, model=" small ")
    assert notes.source == f"{endpoint.base_url} {endpoint.model}"


def test_the_prompts_of_a_summary_are_those_whose_answers_are_known_and_the_next() -> None:
    notes = Notes(base_url="http://localhost/v1")
    summarize: FoldingSummarizer = notes.summarizer(CONFIG, lambda _prompt: "- [#1] the rules")
    found = replay(CODING, CONFIG, summarizer=summarize)
    first, *others = (found.request(one) for one in found.planner.receipts if one.version)
    (shown,) = notes.prompts(first, CONFIG)
    assert "[system]" in shown
    assert "[user]" in shown
    assert all(notes.prompts(one, CONFIG) for one in others)
    notes.answers.clear()
    assert notes.prompts(first, CONFIG) == [shown]


def test_a_model_is_not_asked_where_what_was_typed_cannot_be_read() -> None:
    app = AppTest.from_string(ASKED, default_timeout=60).run()
    (shown,) = app.text
    assert shown.value.startswith("asking: None; Something went wrong (KeyError")
