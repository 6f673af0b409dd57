"""`replay`: the numbers of the library, a line or an object per call point."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from memory_core.commands import main
from memory_core.replay import call_points
from memory_core.replay import replay as replay_session
from memory_core.sessions import load_file
from memory_core.techniques import balance
from tests.saying import settings
from tests.setup.folders import ROOT

SAMPLES = ROOT / "sample_sessions"
CONFIG: dict[str, Any] = {"max_token_budget": 1_500, "sliding_window_size": 4, "pins": [3]}
SEVERAL = ROOT / "tests/sessions/data/claude-code.jsonl"


def replay(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["replay", *(str(one) for one in arguments)])


@pytest.fixture
def config_file(tmp_path: Path) -> Path:
    file = tmp_path / "config.json"
    file.write_text(json.dumps(CONFIG))
    return file


@pytest.mark.parametrize("name", ["broken", "coding_agent", "customer_service_ko"])
def test_as_json_it_gives_the_librarys_numbers_at_the_librarys_call_points(
    name: str, config_file: Path
) -> None:
    file = SAMPLES / f"{name}.json"
    done = replay(file, "--config", config_file, "--json")
    assert done.exit_code == 0
    messages = load_file(file).sessions[0].messages
    result = replay_session(messages, settings(**CONFIG))
    points = json.loads(done.stdout)["call_points"]
    assert [point["at"] for point in points] == call_points(messages)
    for point, plan in zip(points, result.plans, strict=True):
        assert point["total_tokens"] == sum(point["parts"].values()) == plan.total
        assert point["parts"] == asdict(plan.parts)
        assert point["raw_tokens"] == plan.raw_tokens
        assert point["over_budget"] == plan.over_budget
        assert point["cached_prefix_tokens"] == plan.cached_prefix_tokens
        assert (point["receipt"] is None) == (plan.receipt is None)
        assert sum(point["states"].values()) == plan.at


def test_as_json_it_names_session_and_config(config_file: Path) -> None:
    data = json.loads(replay(SAMPLES / "broken.json", "--config", config_file, "--json").stdout)
    assert list(data) == ["session", "config", "call_points"]
    assert data["session"] == "session-0"
    assert data["config"] == CONFIG
    assert set(data["call_points"][0]) == {
        "at",
        "raw_tokens",
        "total_tokens",
        "parts",
        "over_budget",
        "states",
        "cached_prefix_tokens",
        "repairs",
        "receipt",
        "failure",
    }


def test_every_repair_is_told_at_the_call_point_that_made_it() -> None:
    data = json.loads(replay(SAMPLES / "broken.json", "--json").stdout)
    repairs = [one for point in data["call_points"] for one in point["repairs"]]
    messages = load_file(SAMPLES / "broken.json").sessions[0].messages
    expected = replay_session(messages, settings()).planner.ledger.pairing.repairs
    assert repairs == [asdict(one) for one in expected]
    assert len(repairs) > 5


def test_as_a_table_it_has_a_heading_and_a_line_per_call_point(config_file: Path) -> None:
    file = SAMPLES / "customer_service_ko.json"
    done = replay(file, "--config", config_file)
    lines = done.stdout.splitlines()
    messages = load_file(file).sessions[0].messages
    assert lines[0].split()[:5] == ["call", "message", "raw", "window", "cached"]
    assert [int(line.split()[1].removeprefix("#")) for line in lines[1:]] == call_points(messages)
    compactions = replay_session(messages, settings(**CONFIG)).planner.receipts
    assert sum("▼" in line for line in lines) == len(compactions) > 0


def test_a_call_over_budget_is_marked(tmp_path: Path) -> None:
    config = tmp_path / "tiny.json"
    config.write_text('{"max_token_budget": 5}')
    done = replay(SAMPLES / "broken.json", "--config", config)
    assert all("✖" in line for line in done.stdout.splitlines()[1:])


def test_the_balance_is_the_librarys(config_file: Path) -> None:
    file = SAMPLES / "coding_agent.json"
    arguments = (file, "--config", config_file, "--balance")
    found = balance(load_file(file).sessions[0].messages, settings(**CONFIG))
    data = json.loads(replay(*arguments, "--json").stdout)
    assert list(data) == ["session", "config", "balance"]
    assert data["balance"]["whole"] == asdict(found.whole)
    assert data["balance"]["represented"] == found.represented
    assert [(one["alone"], one["added"]) for one in data["balance"]["savings"]] == [
        (one.alone, one.added) for one in found.savings
    ]
    done = replay(*arguments)
    rows = [line.split() for line in done.stdout.splitlines()[1:]]
    assert [(row[0], row[1], row[5]) for row in rows] == [
        (one.technique, f"{one.alone:,}", f"{one.added:,}") for one in found.savings
    ]
    told = f"sent {found.sent.tokens:,} tokens in {found.calls} calls instead of"
    assert f"{told} {found.whole.tokens:,}, the whole history at every call" in done.stderr


@pytest.mark.parametrize("name", ["broken", "coding_agent"])
def test_the_states_of_a_line_add_up_to_the_messages_before_the_call(
    name: str, config_file: Path
) -> None:
    heads, *lines = replay(SAMPLES / f"{name}.json", "--config", config_file).stdout.splitlines()
    columns = heads.split()[5:]
    assert {"repaired", "pinned"} < set(columns)
    seen: Counter[str] = Counter()
    for line in lines:
        cells = line.split()
        states = [int(cell) for cell in cells[5 : 5 + len(columns)]]
        assert sum(states) == int(cells[1].removeprefix("#"))
        seen.update(dict(zip(columns, states, strict=True)))
    assert seen["pinned"]
    assert bool(seen["repaired"]) == (name == "broken")


def test_it_ends_with_what_was_sent_instead_of_the_whole_history_at_every_call() -> None:
    done = replay(SAMPLES / "coding_agent.json")
    found = balance(load_file(SAMPLES / "coding_agent.json").sessions[0].messages, settings())
    saved = 100 * (1 - found.sent.tokens / found.whole.tokens)
    assert done.stderr.splitlines()[-1] == (
        f"sent {found.sent.tokens:,} tokens in {found.calls} calls instead of "
        f"{found.whole.tokens:,}, the whole history at every call ({saved:.1f} % saved)"
    )


def test_one_call_is_told_as_one(tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    file.write_text('[{"role": "user", "content": "hi"}, {"role": "assistant", "content": "x"}]')
    told = replay(file).stderr
    assert "compactions (▼): 0; calls over budget (✖): 0; repairs (⚠): 0" in told
    assert "in 1 call instead of" in told
    assert "(0.0 % saved)" in told


def test_notes_go_to_standard_error_and_progress_only_to_a_terminal() -> None:
    done = replay(SEVERAL, "--json")
    json.loads(done.stdout)
    sessions = load_file(SEVERAL).sessions
    assert "replaying" not in done.stderr
    assert "comparing" not in replay(SEVERAL, "--balance").stderr
    assert f"{len(sessions)} sessions; showing 0 ({sessions[0].id})" in done.stderr


def test_messages_of_an_unknown_role_are_told_with_their_roles(tmp_path: Path) -> None:
    file = tmp_path / "s.json"
    roles = ["user", "wizard", "elf", "wizard"]
    file.write_text(json.dumps([{"role": role, "content": "x"} for role in roles]))
    assert "3 messages have roles that are not known" in replay(file).stderr
    assert "'wizard', 'elf'\n" in replay(file).stderr
    assert "not known" not in replay(SAMPLES / "coding_agent.json").stderr


@pytest.mark.parametrize("number", [0, 1])
def test_a_session_is_chosen_by_index_or_id(number: int) -> None:
    id_ = load_file(SEVERAL).sessions[number].id
    by_index, by_id = (replay(SEVERAL, "--session", one, "--json") for one in (str(number), id_))
    assert json.loads(by_index.stdout) == json.loads(by_id.stdout)
    assert json.loads(by_id.stdout)["session"] == id_
    assert "Choose with" not in by_id.stderr


@pytest.mark.parametrize("wanted", ["2", "-1", "nobody", ""])
def test_a_session_that_is_not_there_is_answered_with_those_that_are(wanted: str) -> None:
    done = replay(SEVERAL, f"--session={wanted}")
    assert (done.exit_code, done.stdout) == (2, "")
    assert all(session.id in done.stderr for session in load_file(SEVERAL).sessions)
