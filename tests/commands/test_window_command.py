"""`window`: the very messages of one call point, with report and summary."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from memory_core.commands import main
from memory_core.manager import compress
from memory_core.replay import call_points, replay
from memory_core.report import Report
from memory_core.sessions import load_file
from memory_core.stages import StageName
from memory_core.summarizing import HEADINGS
from tests.saying import settings
from tests.setup.folders import ROOT

SAMPLES = ROOT / "sample_sessions"
KOREAN = SAMPLES / "customer_service_ko.json"
CONFIG: dict[str, Any] = {"max_token_budget": 1_500, "sliding_window_size": 4}


def window(*arguments: str | Path | int) -> Result:
    return CliRunner().invoke(main, ["window", *(str(one) for one in arguments)])


def shown(*arguments: str | Path | int) -> dict[str, Any]:
    done = window(*arguments, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def config_file(tmp_path: Path) -> Path:
    file = tmp_path / "config.json"
    file.write_text(json.dumps(CONFIG))
    return file


@pytest.mark.parametrize("name", ["broken", "customer_service_ko", "coding_agent"])
def test_it_prints_what_the_replay_would_have_sent(name: str, config_file: Path) -> None:
    file = SAMPLES / f"{name}.json"
    messages = load_file(file).sessions[0].messages
    result = replay(messages, settings(**CONFIG))
    for plan in (result.plans[0], result.plans[len(result.plans) // 2], result.plans[-1]):
        data = shown(file, "--config", config_file, "--at", plan.at)
        assert list(data) == ["messages", "report", "summary"]
        assert data["messages"] == [one.to_openai() for one in result.window(plan)]
        assert data["report"] == json.loads(json.dumps(Report(result.planner, plan).to_dict()))
        assert data["summary"] == (plan.summary.text if plan.summary else "")


def test_by_default_it_is_the_last_call_point() -> None:
    last = call_points(load_file(KOREAN).sessions[0].messages)[-1]
    assert shown(KOREAN) == shown(KOREAN, "--at", last)
    assert shown(KOREAN)["report"]["at"] == last


def test_fresh_it_is_one_compaction_of_everything_before(config_file: Path) -> None:
    messages = load_file(KOREAN).sessions[0].messages
    plans = replay(messages, settings(**CONFIG)).plans
    point = next(plan.at for plan in plans if plan.mark and not plan.receipt)
    report = compress(messages[:point], settings(**CONFIG))
    fresh = shown(KOREAN, "--config", config_file, "--at", point, "--fresh")
    assert fresh["messages"] == [message.to_openai() for message in report.messages]
    assert fresh["report"]["receipt"]["start"] == 0
    grown = shown(KOREAN, "--config", config_file, "--at", point)
    assert fresh["messages"] != grown["messages"]


@pytest.mark.parametrize("at", [-7, 0, 3, 12, 10**30])
def test_an_index_that_is_no_call_point_is_answered_with_the_nearest(at: int) -> None:
    points = call_points(load_file(KOREAN).sessions[0].messages)
    nearest = min(points, key=lambda point: abs(point - at))
    assert at not in points
    done = window(KOREAN, "--at", at)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"Error: {at} is not a call point; the nearest one is {nearest}\n"


def test_a_config_of_a_strict_provider_gives_one_system_message(tmp_path: Path) -> None:
    config = tmp_path / "strict.json"
    config.write_text(json.dumps({**CONFIG, "provider_profile": "strict"}))
    roles = [one["role"] for one in shown(KOREAN, "--config", config)["messages"]]
    assert roles[:2] == ["system", "user"]
    assert roles.count("system") == 1


def test_as_text_it_shows_every_message_with_role_text_and_calls(config_file: Path) -> None:
    done = window(KOREAN, "--config", config_file)
    data = shown(KOREAN, "--config", config_file)
    assert done.exit_code == 0
    heads = [line for line in done.stdout.splitlines() if line.startswith("── ")]
    assert [head.split()[1] for head in heads] == [one["role"] for one in data["messages"]]
    assert HEADINGS["korean"] in done.stdout
    calls = [call for one in data["messages"] for call in one.get("tool_calls", [])]
    assert calls
    for call in calls:
        assert f"{call['function']['name']}({call['function']['arguments']})" in done.stdout
    assert f"{data['report']['total_tokens']:,} tokens of" in done.stderr


def test_json_holds_korean_text_as_it_is_and_is_valid_whatever_the_session_holds() -> None:
    assert "주문" in window(KOREAN, "--json").stdout
    done = window(SAMPLES / "broken.json", "--json")
    done.stdout.encode()
    assert json.loads(done.stdout)["messages"]


def test_recorded_thinking_is_shown_only_where_the_config_sends_it(tmp_path: Path) -> None:
    session, config = tmp_path / "session.json", tmp_path / "config.json"
    parts = [{"type": "thinking", "thinking": "let me see"}, {"type": "text", "text": "done"}]
    said = [{"role": "user", "content": "go"}, {"role": "assistant", "content": parts}]
    session.write_text(json.dumps([*said, {"role": "user", "content": "and?"}]))
    config.write_text('{"keep_thinking": true}')
    assert "let me see" not in window(session, "--json").stdout
    assert "let me see" in window(session, "--json", "--config", config).stdout


def test_the_stages_lead_from_the_recorded_history_to_the_window(config_file: Path) -> None:
    arguments = (KOREAN, "--config", config_file)
    data = shown(*arguments, "--stages")
    assert [one["name"] for one in data["stages"]] == list(StageName)
    assert set(data["stages"][0]) == {"name", "tokens", "messages", "milliseconds", "note"}
    assert data["stages"][0]["messages"] == data["report"]["at"]
    assert data["stages"][-1]["messages"] == len(data["messages"])
    sent = data["report"]["total_tokens"] - data["report"]["parts"]["reserve"]
    assert data["stages"][-1]["tokens"] == sent
    assert all(one["milliseconds"] >= 0 for one in data["stages"][1:])
    lines = window(*arguments, "--stages").stdout.splitlines()
    told = [line.split()[:3] for line in lines[1:]]
    assert told == [
        [one["name"], f"{one['tokens']:,}", f"{one['messages']:,}"] for one in data["stages"]
    ]


def test_the_stages_of_a_fresh_window_are_refused_with_a_reason() -> None:
    done = window(KOREAN, "--stages", "--fresh")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--fresh" in done.stderr


def test_a_session_of_a_single_call_has_a_window(tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    file.write_text('[{"role": "user", "content": "안녕"}]', encoding="utf-8")
    assert shown(file)["messages"] == [{"role": "user", "content": "안녕"}]
    assert shown(file)["report"]["total_tokens"] > 0
