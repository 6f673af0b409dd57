"""`audit`: estimators against the count, calls that came too late, calls made again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from memory_core.commands import main
from memory_core.models import ESTIMATORS
from memory_core.replay import call_points
from memory_core.sessions import load_file
from tests.setup.folders import ROOT

SAMPLES = ROOT / "sample_sessions"
KOREAN = SAMPLES / "customer_service_ko.json"


def audit(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["audit", *(str(one) for one in arguments)])


def shown(*arguments: str | Path) -> dict[str, Any]:
    return json.loads(audit(*arguments, "--json").stdout)


def test_a_line_per_group_and_a_sentence_per_estimator() -> None:
    done = audit(KOREAN)
    assert done.exit_code == 0
    for name in ("all messages", "user", "assistant", "tool", "korean", "code"):
        assert any(line.startswith(name) for line in done.stdout.splitlines())
    for rule in ESTIMATORS:
        assert f"calls {rule} would have compacted too late, first at call" in done.stdout
    assert "exact: o200k_base, texts without the frame of a message" in done.stderr


def test_json_names_calls_by_the_message_index_that_replay_prints() -> None:
    points = call_points(load_file(KOREAN).sessions[0].messages)
    data = shown(KOREAN)
    for trigger in data["triggers"]:
        assert trigger["calls"] == len(points)
        assert trigger["late_at"]
        assert set(trigger["late_at"]) <= set(points)
        assert trigger["first_at"] == points[points.index(trigger["late_at"][-1]) + 1]
    for group in data["groups"]:
        for estimate in group["estimates"].values():
            assert estimate["lowest"] <= estimate["median"] <= estimate["highest"]


def test_the_trigger_is_that_of_the_config(tmp_path: Path) -> None:
    config = tmp_path / "config.json"
    config.write_text('{"max_token_budget": 1000000}')
    assert [one["late_at"] for one in shown(KOREAN, "--config", config)["triggers"]] == [[], []]
    assert "same side of the trigger" in audit(KOREAN, "--config", config).stdout


def test_repeated_calls_are_listed_on_one_line_each(tmp_path: Path) -> None:
    function = {"name": "read\x1b[31m", "arguments": '{"path":"가\\n나"}'}
    call = {"id": "a", "type": "function", "function": function}
    said = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "a", "content": "whole"},
    ]
    file = tmp_path / "twice.json"
    file.write_text(json.dumps([{"role": "user", "content": "go"}, *said, *said]))
    (repeat,) = shown(file)["repeated_calls"]
    assert (repeat["calls"], repeat["results"], repeat["different"]) == ([1, 3], [2, 4], 1)
    (line,) = [line for line in audit(file).stdout.splitlines() if line.startswith("2 x ")]
    assert line.endswith("#1 #3")
    assert "\x1b" not in line


def test_a_missing_file_is_one_error() -> None:
    done = audit("nowhere.json")
    assert done.exit_code == 2
    assert "nowhere.json" in done.stderr
