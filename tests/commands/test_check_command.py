"""`check`: sessions beside limits, for builds; nothing is passed over in silence."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from memory_core.commands import main
from tests.commands.telling import written
from tests.setup.folders import ROOT

SAMPLES = ROOT / "sample_sessions"
CODING, CHAT = SAMPLES / "coding_agent.json", SAMPLES / "long_chat_ko.json"
TALK = [{"role": "user", "content": "안녕하세요"}, {"role": "assistant", "content": "네"}]


def check(*arguments: str | Path | float) -> Result:
    return CliRunner().invoke(main, ["check", *(str(one) for one in arguments)])


def shown(*arguments: str | Path | float) -> dict[str, Any]:
    return json.loads(check(*arguments, "--json").stdout)


@pytest.mark.parametrize(
    ("file", "figure"), [(CODING, ("needs", "ratio")), (CHAT, ("word_recall", None))]
)
def test_retention_is_the_headline_share_and_the_limit_itself_is_held(
    file: Path, figure: tuple[str, str | None]
) -> None:
    loss = json.loads(CliRunner().invoke(main, ["loss", str(file), "--json"]).stdout)
    expected = loss[figure[0]] if figure[1] is None else loss[figure[0]][figure[1]]
    (row,) = shown(file)["sessions"]
    assert row["retention"] == expected
    assert 0 < expected < 1
    assert check(file, "--min-retention", repr(expected)).exit_code == 0
    below = check(file, "--min-retention", expected + 1e-6)
    assert below.exit_code == 1
    assert below.stdout.startswith("failed ")
    assert f"below {expected + 1e-6} kept" in below.stdout


def test_tokens_are_those_of_the_largest_window() -> None:
    replayed = json.loads(CliRunner().invoke(main, ["replay", str(CODING), "--json"]).stdout)
    largest = max(point["total_tokens"] for point in replayed["call_points"])
    assert shown(CODING)["sessions"][0]["largest_window"] == largest
    assert check(CODING, "--max-tokens", largest).exit_code == 0
    above = check(CODING, "--max-tokens", largest - 1)
    assert above.exit_code == 1
    assert f"above {largest - 1} tokens" in above.stdout


def test_a_line_never_holds_one_figure_alone() -> None:
    assert check(CODING).stdout.count(" %") == 2
    assert check(CHAT).stdout.count(" %") == 2


def test_every_session_of_a_folder_has_a_line_and_one_that_fails_fails_the_check() -> None:
    done = check(SAMPLES, "--min-retention", 0.6)
    verdicts = {Path(line.split()[1]).stem: line.split()[0] for line in done.stdout.splitlines()}
    assert verdicts == {
        "broken": "ok",
        "coding_agent": "ok",
        "customer_service_ko": "ok",
        "data_analysis": "failed",
        "long_chat_ko": "ok",
        "stuck_agent": "ok",
    }
    assert done.exit_code == 1
    assert "6 sessions: 1 failed" in done.stderr
    assert check(SAMPLES, "--min-retention", 0.1).exit_code == 0


def test_what_cannot_be_read_is_named_and_fails_and_the_others_are_checked(tmp_path: Path) -> None:
    written(tmp_path / "b-talk.json", TALK)
    (tmp_path / "a-half.jsonl").write_text('[{"role": "user"')
    written(tmp_path / "c-other.json", {"name": "no session"})
    done = check(tmp_path, "--min-retention", 0.5)
    assert done.exit_code == 2
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["failed", "ok", "failed"]
    assert "a-half.jsonl" in lines[0]
    assert "no known session format" in lines[2]
    data = shown(tmp_path)
    assert [Path(row["file"]).name for row in data["sessions"]] == ["b-talk.json"]
    assert [Path(row["file"]).name for row in data["unread"]] == ["a-half.jsonl", "c-other.json"]
    assert all(row["reason"] for row in data["unread"])


def test_what_is_no_session_of_a_folder_is_named_and_does_not_fail(tmp_path: Path) -> None:
    written(tmp_path / "session.log", TALK)
    written(tmp_path / ".hidden.json", TALK)
    (tmp_path / "notes.md").write_text("# 메모")
    (tmp_path / "inner").mkdir()
    done = check(tmp_path)
    assert done.exit_code == 0
    assert done.stdout.count("\n") == 1
    for name in (".hidden.json: hidden", "inner: a folder", "notes.md"):
        assert f"skipped: {tmp_path}/{name}" in done.stderr


@pytest.mark.parametrize("names", [(), (".hidden.json",), ("notes.md",)])
def test_a_folder_without_a_session_is_an_error(names: tuple[str, ...], tmp_path: Path) -> None:
    for name in names:
        (tmp_path / name).write_text("nothing")
    done = check(tmp_path)
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"Error: {tmp_path}: there is no session in this folder" in done.stderr


def test_one_file_that_cannot_be_read_fails_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# notes")
    for file in (tmp_path / "notes.md", tmp_path / "nowhere.json"):
        done = check(file)
        assert done.exit_code == 2
        assert done.stdout.startswith(f"failed  {file}")


def test_a_session_in_which_nothing_was_needed_is_ok(tmp_path: Path) -> None:
    call = {"id": "a", "type": "function", "function": {"name": "run", "arguments": "{}"}}
    file = written(
        tmp_path / "short.json",
        [
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "a", "content": "done"},
        ],
    )
    assert shown(file)["sessions"][0]["retention"] is None
    assert check(file, "--min-retention", 1).exit_code == 0


@pytest.mark.parametrize("value", ["1.01", "-0.1", "nan", "inf", "60", "much"])
def test_a_share_that_is_none_is_refused(value: str) -> None:
    done = check(CODING, f"--min-retention={value}")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--min-retention" in done.stderr


def test_without_a_limit_it_says_that_any_session_is_ok() -> None:
    assert "no limit was given" in check(CHAT).stderr
    assert "no limit was given" not in check(CHAT, "--max-tokens", 10**6).stderr


def test_hostile_names_of_files_and_sessions_stay_on_one_line(tmp_path: Path) -> None:
    said = {"id": "세션\x1b[31m\n", "messages": TALK}
    written(tmp_path / "가\u202e\x1b]0;\x07\nok.json", said)
    (tmp_path / "나\u202e\x1b]0;\x07\n.json").write_text("[")
    (tmp_path / "다\u202e\x1b]0;\x07\n.md").write_text("[")
    done = check(tmp_path)
    assert done.exit_code == 2
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["ok", "failed"]
    assert not {"\x1b", "\x07", "\u202e"} & set(done.output)
    assert all(letter in done.output for letter in "가나다")


def test_a_model_is_not_asked(tmp_path: Path) -> None:
    config = written(tmp_path / "config.json", {"summarizer": "model"})
    done = check(CODING, "--config", config)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "check asks no model" in done.stderr


def test_the_json_names_config_limits_and_all_figures(tmp_path: Path) -> None:
    shutil.copy(CHAT, tmp_path / "chat.json")
    data = shown(tmp_path, "--min-retention", 0.9, "--max-tokens", 9_000)
    assert data["limits"] == {"min_retention": 0.9, "max_tokens": 9_000}
    (row,) = data["sessions"]
    assert (row["ok"], row["breaches"]) == (False, ["retention"])
    assert row["loss"]["kind"] == "chat"
