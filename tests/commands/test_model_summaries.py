"""`replay` and `window` with a model that writes the summaries, on a server of this machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from memory_core.commands import main
from memory_core.replay import call_points
from memory_core.sessions import load_file
from memory_core.summarizing.prompting import SYSTEM
from tests.endpoint.model_server import Refused, Streamed, in_turn, running
from tests.setup.folders import ROOT

FILE = ROOT / "sample_sessions" / "coding_agent.json"
CONFIG: dict[str, Any] = {
    "max_token_budget": 3_000,
    "sliding_window_size": 4,
    "summarizer": "model",
    "summary_heading": "english",
}
KEY = "not-a-real-key-4711"
NOTES = Streamed(["* [#1] never touch ", "the migrations"])


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


@pytest.fixture
def config_file(tmp_path: Path) -> Path:
    file = tmp_path / "config.json"
    file.write_text(json.dumps(CONFIG))
    return file


def run(command: str, *arguments: str | Path) -> Result:
    result = CliRunner().invoke(main, [command, str(FILE), *(str(one) for one in arguments)])
    assert KEY not in result.output
    return result


def test_the_window_holds_what_the_model_wrote(config_file: Path) -> None:
    with running(in_turn(NOTES)) as server:
        done = run("window", "--config", config_file, "--endpoint", server.base_url, "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["summary"] == "- [#1] never touch the migrations"
    assert f"gpt-4o-mini at {server.base_url}" in done.stderr
    assert len(server.asked) > 2
    for asked in server.asked:
        assert asked.headers["Authorization"] == f"Bearer {KEY}"
        assert asked.body["model"] == "gpt-4o-mini"
        assert asked.body["messages"][0]["content"] == SYSTEM["english"]


def test_fresh_the_model_is_asked_for_one_summary(config_file: Path) -> None:
    at = next(one for one in call_points(load_file(FILE).sessions[0].messages) if one == 33)
    with running(in_turn(NOTES)) as server:
        options = ["--endpoint", server.base_url, "--at", str(at), "--fresh", "--json"]
        done = run("window", "--config", config_file, *options)
    assert json.loads(done.stdout)["summary"] == "- [#1] never touch the migrations"
    assert len(server.asked) == 1


def test_model_and_key_can_be_named(config_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "another-key")
    with running(in_turn(NOTES)) as server:
        options = ["--endpoint-model", "qwen3:8b", "--key-variable", "MY_KEY"]
        run("replay", "--config", config_file, "--endpoint", server.base_url, *options)
    assert server.asked[0].body["model"] == "qwen3:8b"
    assert server.asked[0].headers["Authorization"] == "Bearer another-key"


def test_an_endpoint_that_refuses_is_asked_once_and_its_reason_is_told(config_file: Path) -> None:
    with running(in_turn(Refused(401, f"Incorrect API key provided: {KEY}"))) as server:
        done = run("replay", "--config", config_file, "--endpoint", server.base_url, "--json")
        assert run("window", "--config", config_file, "--endpoint", server.base_url).exit_code == 1
    assert done.exit_code == 1
    assert len(server.asked) == 2
    points = json.loads(done.stdout)["call_points"]
    failures = [point["failure"] for point in points if point["failure"]]
    assert len(failures) > 1
    assert all("refused the key (401)" in failure for failure in failures)
    assert all(point["receipt"] is None for point in points)
    assert f"no summary at {len(failures)} calls" in done.stderr
    assert "refused the key (401)" in done.stderr


def test_where_some_summaries_came_the_command_succeeds(config_file: Path) -> None:
    with running(in_turn(NOTES, Refused(401))) as server:
        done = run("replay", "--config", config_file, "--endpoint", server.base_url)
    assert done.exit_code == 0
    assert "no summary at" in done.stderr


def test_a_balance_tells_the_failures_of_every_replay_that_it_compares(config_file: Path) -> None:
    with running(in_turn(Refused(401))) as server:
        done = run("replay", "--config", config_file, "--endpoint", server.base_url, "--balance")
    assert done.exit_code == 1
    assert len(server.asked) > 1
    assert "calls of the replays that were compared, at last: " in done.stderr
    assert "refused the key (401)" in done.stderr


@pytest.mark.parametrize("command", ["replay", "window"])
def test_without_an_endpoint_it_says_which_option_to_add(command: str, config_file: Path) -> None:
    done = run(command, "--config", config_file)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--endpoint URL" in done.stderr


def test_an_endpoint_that_the_config_does_not_use_is_not_asked() -> None:
    with running(in_turn(NOTES)) as server:
        done = run("replay", "--endpoint", server.base_url)
    assert done.exit_code == 0
    assert "the config's summarizer is extractive" in done.stderr
    assert server.asked == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--endpoint", "localhost"], "base_url: give an address"),
        (["--endpoint", "http://localhost:1/v1", "--key-variable", "NO_KEY"], "NO_KEY is not set"),
    ],
)
def test_a_bad_option_is_refused_in_one_line(
    options: list[str], said: str, config_file: Path
) -> None:
    done = run("replay", "--config", config_file, *options)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
