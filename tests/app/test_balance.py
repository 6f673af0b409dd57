"""The balance of techniques is drawn from the planner's sums, and only where it is opened."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from memory_core.config import MemoryConfig
from memory_core.sessions import load_file
from memory_core.techniques import Balance, balance
from pages.ui.balance import balance_chart, balance_columns, explained
from pages.ui.samples import FOLDER
from tests.app.opening import opened
from tests.setup.folders import ROOT

CODING = load_file(FOLDER / "coding_agent.json").sessions[0].messages


@pytest.fixture(scope="module")
def found() -> Balance:
    return balance(CODING, MemoryConfig())


def drawn(app: AppTest) -> list[str]:
    return [one.value for one in app.markdown if "tokens sent in all instead of" in one.value]


def test_the_bars_are_the_tokens_saved_and_say_their_share(found: Balance) -> None:
    figure: Any = balance_chart(found)
    alone, added = figure.data
    assert list(alone.y) == [one.alone for one in found.savings]
    assert list(added.y) == [one.added for one in found.savings]
    assert alone.text[0] == f"{100 * found.savings[0].alone / found.whole.tokens:+.1f} %"
    assert alone.text[2].startswith("\N{MINUS SIGN}")


def test_the_table_has_every_figure_of_every_technique(found: Balance) -> None:
    names, alone, _share, only, added, _added, others = balance_columns(found).values()
    assert names == ["pruning", "window", "summary"]
    for row, one in enumerate(found.savings):
        assert (alone[row], added[row]) == (one.alone, one.added)
        assert (only[row], others[row]) == (one.only.over_budget, one.others.over_budget)


def test_summaries_that_failed_are_told_beside_the_figures(found: Balance) -> None:
    assert "no summary was taken" not in explained(found)
    failing = replace(found, failures=2, reason="down", unsummarised=1)
    assert "At 2 calls of the replays compared here no summary was taken" in explained(failing)


def test_nothing_is_worked_out_before_it_is_opened() -> None:
    app = opened()
    assert not drawn(app)
    assert not app.exception


OPENED = """
import streamlit as st
from pages.ui import cached, current
from pages.ui.balance import BALANCE, technique_balance

now = current.get()
st.session_state.setdefault(BALANCE, True)
technique_balance(now, cached.replayed(now.opened.digest, now.session, now.config))
"""


def test_opened_it_shows_the_figures_of_the_open_session(
    found: Balance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    app = AppTest.from_string(OPENED, default_timeout=60)
    app.query_params["sample"] = "coding_agent"
    app.run()
    assert not app.exception
    (shown,) = drawn(app)
    assert f"{found.sent.tokens:,}" in shown
    assert f"{found.whole.tokens:,}" in shown
    assert f"{found.represented:,} messages" in shown
    assert app.dataframe[0].value.shape == (3, 7)
