"""The balance of techniques is drawn from the replays, and only where it is opened."""

from __future__ import annotations

from typing import Any

from memory_core.config import MemoryConfig
from memory_core.replay import Replay, replay
from memory_core.sessions import load_file
from memory_core.techniques import balance
from pages.ui.balance import balance_chart
from pages.ui.samples import FOLDER
from tests.app.opening import opened

CODING = load_file(FOLDER / "coding_agent.json").sessions[0].messages


def replaying(config: MemoryConfig) -> Replay:
    return replay(CODING, config)


def test_the_bars_are_shares_of_the_whole_history() -> None:
    found = balance(MemoryConfig(), replaying)
    figure: Any = balance_chart(found)
    alone, added = figure.data
    assert list(alone.customdata) == [one.alone for one in found.savings]
    assert list(added.y) == [100 * one.added / found.whole for one in found.savings]
    assert all(label[0] in "+-" for label in (*alone.text, *added.text))


def test_nothing_is_worked_out_before_it_is_opened() -> None:
    app = opened()
    assert not any("instead of" in one.value for one in app.markdown)
    assert not app.exception
