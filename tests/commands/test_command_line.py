"""The command line as a whole: help, exit codes, clean output, and as a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner, Result

from memory_core.commands import main
from memory_core.sessions import FORMATS
from tests.setup.folders import ROOT

SAMPLE = ROOT / "sample_sessions" / "customer_service_ko.json"
COMMANDS = ["lint", "replay", "window", "loss", "fact", "check", "presets", "formats"]


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments])


def as_process(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "memory_core", *map(str, arguments)],
        capture_output=True,
        cwd=ROOT,
        env={"PATH": "", "PYTHONUTF8": "1", "LANGUAGE": "en", **environment},
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_the_help_names_every_command_and_says_where_results_go(option: str) -> None:
    result = run(option)
    assert result.exit_code == 0
    assert [name for name in COMMANDS if name not in result.stdout] == []
    assert "standard output" in " ".join(result.stdout.split())


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("lint", ["FILES", "--fix", "--json", "Exit code 0", "1 = faults", "2 = a file"]),
        ("replay", ["FILE", "--session", "--preset", "--config", "--json", "over_budget"]),
        ("window", ["FILE", "--session", "--preset", "--config", "--json", "--at", "--fresh"]),
        ("loss", ["FILE", "--session", "--preset", "--config", "--endpoint", "lower bound"]),
        ("fact", ["FILE TEXT", "--session", "--config", "--at CALL_INDEX", "--remedies"]),
        ("check", ["FILE|FOLDER", "--min-retention X", "from 0 to 1", "--max-tokens", "1 = one"]),
        ("formats", ["formats", "content"]),
    ],
)
def test_the_help_of_a_command_names_its_options(command: str, words: list[str]) -> None:
    result = run(command, "--help")
    text = " ".join(result.stdout.split())
    assert result.exit_code == 0
    assert [word for word in words if word not in text] == []


def test_every_format_that_can_be_read_is_listed_with_what_it_is() -> None:
    result = run("formats")
    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert [line.split()[0] for line in lines] == list(FORMATS)
    assert all(known.label in line for known, line in zip(FORMATS.values(), lines, strict=True))


WRONG = {
    "an unknown command": (["bogus"], "bogus"),
    "an unknown option": (["replay", str(SAMPLE), "--bogus"], "--bogus"),
    "no file": (["lint"], "FILES"),
    "a missing file": (["replay", "nowhere.json"], "nowhere.json: no such file"),
    "a folder": (["window", str(ROOT)], "not a regular file"),
    "a file of no known format": (["replay", str(ROOT / "pyproject.toml")], "pyproject.toml"),
    "a session that is not there": (["replay", str(SAMPLE), "--session", "7"], "session-0"),
    "a missing config": (["replay", str(SAMPLE), "--config", "no.json"], "no.json"),
    "a folder as config": (["window", str(SAMPLE), "--config", str(ROOT)], "neither a file nor"),
    "a device as config": (["window", str(SAMPLE), "--config", os.devnull], "neither a file nor"),
    "a session as config": (["window", str(SAMPLE), "--config", str(SAMPLE)], "dictionary"),
    "a fact without words": (["fact", str(SAMPLE)], "TEXT"),
    "no file of losses": (["loss", "nowhere.json"], "nowhere.json: no such file"),
    "a window of no size": (["check", str(SAMPLE), "--max-tokens", "-1"], "--max-tokens"),
    "a word for an index": (["window", str(SAMPLE), "--at", "last"], "--at"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_call_ends_with_two_a_reason_and_no_output(case: str) -> None:
    arguments, reason = WRONG[case]
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert reason in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("command", ["replay", "window"])
def test_a_config_with_bad_fields_is_refused_with_file_field_and_reason(
    command: str, tmp_path: Path
) -> None:
    config = tmp_path / "mine.json"
    config.write_text('{"max_token_budget": "4000", "sliding_windows": 3}')
    result = run(command, SAMPLE, "--config", config)
    assert (result.exit_code, result.stdout) == (2, "")
    for part in (str(config), "max_token_budget", "sliding_windows", "valid integer"):
        assert part in result.stderr


@pytest.mark.parametrize("command", ["lint", "replay", "window", "audit"])
def test_a_log_that_was_cut_off_is_used_and_its_last_line_named(
    command: str, tmp_path: Path
) -> None:
    file = tmp_path / "log.jsonl"
    file.write_text('{"role": "user", "content": "a"}\n{"role": "assistant", "cont')
    result = run(command, file)
    assert result.exit_code == 0
    assert f"{file}:2: skipped: not JSON" in result.stderr
    assert "the file ends within this line" in result.stderr


def test_the_version_is_that_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert run("--version").stdout == f"{project['name']} {project['version']}\n"


@pytest.mark.parametrize("columns", [80, 60])
def test_no_summary_of_a_command_is_cut(columns: int) -> None:
    shown = CliRunner().invoke(main, ["--help"], terminal_width=columns).stdout
    told = " ".join(shown.split("Commands:")[1].split())
    assert "..." not in told
    for name, command in main.commands.items():
        assert command.help
        start = f"{name} {' '.join(command.help.split())[:30]}"
        assert start in told


def test_a_config_can_come_through_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writing = Thread(target=pipe.write_text, args=['{"max_token_budget": 123}'], daemon=True)
    writing.start()
    done = run("replay", SAMPLE, "--config", pipe, "--json")
    writing.join(timeout=10)
    assert json.loads(done.stdout)["config"] == {"max_token_budget": 123}


def test_a_person_at_a_terminal_sees_how_far_a_replay_is() -> None:
    screen, terminal = os.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "memory_core", "replay", str(SAMPLE), "--json"],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=terminal,
        timeout=60,
        check=False,
    )
    os.close(terminal)
    shown = os.read(screen, 100_000)
    os.close(screen)
    assert done.returncode == 0
    assert b"replaying" in shown
    assert b"100%" in shown


@pytest.mark.parametrize("command", ["lint", "replay", "window", "loss", "check"])
def test_an_empty_or_broken_file_is_refused_by_name(command: str, tmp_path: Path) -> None:
    for number, data in enumerate([b"", b"\x00\xff\xfe", b"[", b"[]", b"{}", b'"text"', b"[1]"]):
        file = tmp_path / f"broken-{number}.json"
        file.write_bytes(data)
        result = run(command, file)
        assert result.exit_code == 2
        assert str(file) in result.output
        assert isinstance(result.exception, SystemExit)


def test_the_library_runs_as_a_process_with_clean_json_on_standard_output() -> None:
    done = as_process("window", SAMPLE, "--json")
    assert done.returncode == 0
    assert b"replaying" not in done.stdout
    window = json.loads(done.stdout.decode("utf-8"))
    assert window["messages"][0]["role"] == "system"
    assert any("주문" in (message["content"] or "") for message in window["messages"])


@pytest.mark.parametrize("encoding", ["cp949", "cp1252", "ascii"])
def test_text_of_any_language_can_be_written_whatever_the_terminal_speaks(encoding: str) -> None:
    done = as_process("window", SAMPLE, "--json", PYTHONUTF8="0", PYTHONIOENCODING=encoding)
    assert done.returncode == 0, done.stderr.decode(errors="replace")[-300:]


def test_a_check_that_fails_ends_the_process_with_one() -> None:
    done = as_process("check", SAMPLE, "--min-retention", "0.99")
    assert done.returncode == 1
    assert done.stdout.startswith(b"failed ")
    assert done.stdout.count(b"\n") == 1


def test_an_error_that_names_a_hostile_session_is_one_line_and_steers_no_terminal(
    tmp_path: Path,
) -> None:
    said = {"id": "\u202e\x1b]0;\x07\n세션", "messages": [{"role": "user", "content": "go"}]}
    file = tmp_path / "hostile.json"
    file.write_text(json.dumps(said))
    done = run("loss", file, "--session", "7")
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "세션" in done.stderr
    assert not {"\x1b", "\x07", "\u202e"} & set(done.stderr)


def test_an_error_of_the_process_is_one_line_and_exit_code_two() -> None:
    done = as_process("replay", "nowhere.json")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().splitlines() == ["Error: nowhere.json: no such file"]
