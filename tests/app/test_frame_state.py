"""Config and session stay what the visitor made them, whatever else happens."""

from __future__ import annotations

import json

import pytest

from memory_core.config import MemoryConfig
from memory_core.replay import replay
from memory_core.sessions import load_file
from pages.ui.samples import FOLDER, samples
from tests.app.opening import HOME, OTHERS, TWO, chat, figures, opened, unfolded, upload, verbatim

ONE = chat({"role": "user", "content": "only here"}, {"role": "assistant", "content": "yes"})


def test_every_sample_is_told_in_words() -> None:
    assert set(samples()) == {path.stem for path in FOLDER.glob("*.json")}


def test_a_file_that_was_refused_may_be_opened_again_once_it_is_mended() -> None:
    app = upload(opened(), "mine.json", b"{")
    upload(app, "mine.json", b"[")
    upload(app, "mine.json", ONE)
    assert any("only here" in text for text in verbatim(app))
    assert len(app.error) == 0


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_token_budget", 2000),
        ("sliding_window_size", 4),
        ("tool_pruning_threshold", 4000),
        ("summary_trigger_ratio", 0.5),
        ("max_summary_tokens", 300),
        ("reply_reserve", 500),
        ("fixed_overhead_tokens", 10**12),
    ],
)
def test_a_changed_number_changes_the_figures_and_survives_a_visit_elsewhere(
    name: str, value: float
) -> None:
    app = unfolded()
    before = figures(app)
    app.number_input(key=name).set_value(value).run()
    changed = figures(app)
    assert changed != before
    for page in (*OTHERS, HOME):
        app.switch_page(page).run()
    assert figures(app) == changed
    assert app.number_input(key=name).value == value
    assert app.query_params["config"] == json.dumps({name: value})


def test_an_upload_opens_and_the_sample_can_be_taken_again() -> None:
    app = opened()
    before = figures(app)
    upload(app, "mine.json", ONE)
    assert any("only here" in text for text in verbatim(app))
    mine = app.selectbox(key="sample").value
    app.selectbox(key="sample").set_value("coding_agent").run()
    assert figures(app) == before
    app.selectbox(key="sample").set_value(mine).run()
    assert any("only here" in text for text in verbatim(app))


def test_each_session_of_a_file_can_be_chosen() -> None:
    app = upload(opened(), "two.jsonl", TWO)
    assert any("hello 0" in text for text in verbatim(app))
    app.selectbox(key="session").set_value(1).run()
    assert any("hello 1" in text for text in verbatim(app))
    app.switch_page(OTHERS[0]).run()
    app.switch_page(HOME).run()
    assert any("hello 1" in text for text in verbatim(app))


def test_an_unreadable_upload_leaves_config_and_session_alone() -> None:
    app = opened()
    app.number_input(key="sliding_window_size").set_value(7).run()
    before = figures(app)
    upload(app, "bad `name` :smile:.json", b"{")
    assert "bad 'name' :smile:.json" in app.error[0].value
    assert "`. Your session and config are safe." in app.error[0].value
    assert [file.value for file in app.file_uploader] == [None]
    assert figures(app) == before
    assert app.number_input(key="sliding_window_size").value == 7


def test_the_repairs_on_the_session_page_are_those_of_the_last_call() -> None:
    session = load_file(FOLDER / "broken.json").sessions[0]
    replayed = replay(session.messages, MemoryConfig())
    app = opened(sample="broken").switch_page(OTHERS[0]).run()
    columns: list[dict[str, object]] = [one.value.to_dict("list") for one in app.dataframe]
    assert [table["at message"] for table in columns if "id of the call" in table] == [
        [f"#{repair.index}" for repair in replayed.report(replayed.plans[-1]).repairs]
    ]


def test_the_card_names_the_recorded_model_and_the_tools_that_are_not_counted() -> None:
    tool = {"type": "function", "function": {"name": "read", "description": "d " * 50}}
    messages = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]
    data = json.dumps({"model": "claude-x", "messages": messages, "tools": [tool]}).encode()
    app = upload(opened(), "tools.json", data)
    card = next(one.value for one in app.sidebar.caption if "OpenAI" in one.value)
    assert "Recorded with `claude-x`, counted as `gpt-5`" in card
    assert "1 call of the model" in card
    assert "tool schemas" in card


def test_a_recording_without_an_answer_says_that_its_call_is_the_next_one() -> None:
    app = upload(opened(), "open.json", chat({"role": "user", "content": "q"}))
    assert any("is the next one" in one.value for one in app.markdown)


def test_a_stuck_session_is_warned_of_and_no_other() -> None:
    assert len(opened().main.warning) == 0
    config = {
        "max_token_budget": 300,
        "sliding_window_size": 0,
        "window_when": "every_call",
        "summarizer": "none",
    }
    app = opened(sample="broken", config=json.dumps(config))
    warned = [one.value for one in app.main.warning]
    assert any("Same request as before: 2 calls" in one for one in warned)
