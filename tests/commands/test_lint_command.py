"""`lint`: faults by message and line, exit codes, and repaired files that are clean."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from memory_core.commands import main
from memory_core.exchanges import Fault, repair
from memory_core.messages import ChatMessage
from memory_core.sessions import load_file
from memory_core.sessions.write import to_openai_json
from tests.checks import broken_pairs
from tests.saying import assistant, calling, result, system, user
from tests.setup.folders import ROOT

SAMPLES = ROOT / "sample_sessions"
CLEAN = [system("Be kind"), user("go"), calling("a"), result("a"), assistant("done")]
FAULTY = [user("go"), result("z"), calling("a", "b"), result("a"), user("와"), assistant("done")]


def lint(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["lint", *(str(one) for one in arguments)])


def written(file: Path, messages: list[ChatMessage]) -> Path:
    file.write_text(to_openai_json(messages), encoding="utf-8")
    return file


def lines_of(file: Path, messages: list[ChatMessage]) -> Path:
    lines = [json.dumps(message.to_openai(), ensure_ascii=False) for message in messages]
    file.write_text("\n".join(["", *lines]), encoding="utf-8")
    return file


def test_a_clean_session_gives_no_line_and_exit_code_zero(tmp_path: Path) -> None:
    done = lint(written(tmp_path / "clean.json", CLEAN))
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == "0 faults in 1 session\n"


def test_faults_give_a_line_each_with_message_kind_and_id_and_exit_code_one(
    tmp_path: Path,
) -> None:
    file = written(tmp_path / "faulty.json", FAULTY)
    done = lint(file)
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [
        f"{file}: [session-0] #1 orphan_result z",
        f"{file}: [session-0] #2 missing_result b",
    ]
    assert done.stderr == "2 faults in 1 session\n"


def test_in_a_file_of_lines_a_fault_names_its_line(tmp_path: Path) -> None:
    file = lines_of(tmp_path / "faulty.jsonl", FAULTY)
    assert [line.split(" ")[0] for line in lint(file).stdout.splitlines()] == [
        f"{file}:3:",
        f"{file}:4:",
    ]
    assert [fault["line"] for fault in json.loads(lint(file, "--json").stdout)] == [3, 4]


def test_as_json_a_fault_has_these_fields(tmp_path: Path) -> None:
    file = written(tmp_path / "faulty.json", FAULTY)
    done = lint(file, "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)[0] == {
        "file": str(file),
        "session": "session-0",
        "message": 1,
        "line": None,
        "fault": "orphan_result",
        "call_id": "z",
        "role": "",
    }
    assert json.loads(lint(written(file, CLEAN), "--json").stdout) == []


def test_several_files_and_sessions_are_checked_at_once(tmp_path: Path) -> None:
    clean = written(tmp_path / "clean.json", CLEAN)
    runs = [{"id": "ünö", "messages": [message.to_openai() for message in FAULTY]}] * 2
    several = tmp_path / "several.json"
    several.write_text(json.dumps(runs), encoding="utf-8")
    done = lint(clean, several)
    assert done.exit_code == 1
    assert "4 faults in 3 sessions" in done.stderr
    assert [line.split("[")[1].split("]")[0] for line in done.stdout.splitlines()] == [
        "ünö",
        "ünö",
        "ünö#2",
        "ünö#2",
    ]


def test_a_file_that_cannot_be_read_gives_two_and_the_others_are_checked(tmp_path: Path) -> None:
    faulty = written(tmp_path / "faulty.json", FAULTY)
    done = lint(tmp_path / "nowhere.json", faulty)
    assert done.exit_code == 2
    assert "nowhere.json: no such file" in done.stderr
    assert len(done.stdout.splitlines()) == 2


def test_a_role_that_is_not_known_is_a_fault_by_name_and_the_repaired_file_has_none(
    tmp_path: Path,
) -> None:
    file, fixed = tmp_path / "s.jsonl", tmp_path / "fixed.json"
    said = [{"role": "user", "content": "a"}, {"role": "마법사\n", "content": "b"}]
    file.write_text("\n".join(map(json.dumps, said)), encoding="utf-8")
    done = lint(file, "--fix", fixed)
    assert done.exit_code == 1
    assert done.stdout == f"{file}:2: [session-0] #1 unknown_role 마법사\\n\n"
    assert "#1: Read as a user message" in done.stderr
    assert json.loads(lint(file, "--json").stdout)[0]["role"] == "마법사\n"
    assert lint(fixed).exit_code == 0
    assert load_file(fixed).sessions[0].messages[1].original_role == "마법사\n"


def test_every_code_is_explained_and_no_file_is_needed_for_that() -> None:
    done = lint("--codes")
    assert (done.exit_code, done.stderr) == (0, "")
    told = [line.split(maxsplit=1) for line in done.stdout.splitlines()]
    assert [code for code, _text in told] == [*Fault, "unknown_role"]
    assert all(text.endswith(".") for _code, text in told)
    assert "--codes" in lint("--help").stdout


def test_all_sessions_are_checked_unless_one_is_named(tmp_path: Path) -> None:
    file = tmp_path / "two.json"
    runs = [{"id": name, "messages": [one.to_openai() for one in FAULTY]} for name in "ab"]
    file.write_text(json.dumps(runs), encoding="utf-8")
    assert "Default: all" in " ".join(lint("--help").stdout.split())
    assert "4 faults in 2 sessions" in lint(file).stderr
    assert "2 faults in 1 session" in lint(file, "--session", "b").stderr


def test_a_record_that_was_skipped_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "live.jsonl"
    text = (ROOT / "tests/sessions/data/claude-code.jsonl").read_text(encoding="utf-8")
    lines = text.splitlines()
    file.write_text("\n".join([*lines, '{"type": "assista']), encoding="utf-8")
    done = lint(file)
    assert f"{file}:{len(lines) + 1}: skipped: not JSON" in done.stderr
    assert "skipped" not in done.stdout


@pytest.mark.parametrize("name", ["broken", "coding_agent", "customer_service_ko"])
def test_a_repaired_sample_is_clean(name: str, tmp_path: Path) -> None:
    fixed = tmp_path / "fixed.json"
    first = lint(SAMPLES / f"{name}.json", "--fix", fixed)
    assert first.exit_code == (1 if name == "broken" else 0)
    assert f"wrote {fixed}" in first.stderr
    again = lint(fixed)
    assert (again.exit_code, again.stdout) == (0, "")
    before = load_file(SAMPLES / f"{name}.json").sessions[0].messages
    after = load_file(fixed).sessions[0].messages
    assert after == repair(before)
    assert broken_pairs(after) == []


def test_a_repair_is_told_in_words(tmp_path: Path) -> None:
    done = lint(written(tmp_path / "f.json", FAULTY), "--fix", tmp_path / "fixed.json")
    assert "#1: Repaired: a tool result without its call" in done.stderr
    assert "#2: Repaired: a call never got its result" in done.stderr
    assert len(done.stdout.splitlines()) == 2


def test_the_file_that_is_checked_stays_as_it_was(tmp_path: Path) -> None:
    file = written(tmp_path / "faulty.json", FAULTY)
    before = file.read_bytes()
    lint(file, "--fix", tmp_path / "fixed.json")
    assert file.read_bytes() == before


def test_several_sessions_cannot_be_written_as_one(tmp_path: Path) -> None:
    file, fixed = written(tmp_path / "clean.json", CLEAN), tmp_path / "fixed.json"
    done = lint(file, file, "--fix", fixed)
    assert done.exit_code == 2
    assert "2 were read" in done.stderr
    assert not fixed.exists()


@pytest.mark.parametrize("place", ["missing/fixed.json", ""])
def test_a_place_that_cannot_be_written_to_is_refused_with_two(place: str, tmp_path: Path) -> None:
    done = lint(written(tmp_path / "faulty.json", FAULTY), "--fix", tmp_path / place)
    assert done.exit_code == 2
    assert str(tmp_path / place) in done.stderr


def test_ids_with_line_ends_and_control_characters_stay_on_one_line(tmp_path: Path) -> None:
    call_id = "a\nb\x1b[31mred\x07"
    file = written(tmp_path / "hostile.json", [calling(call_id), user("hm"), assistant("x")])
    done = lint(file)
    assert len(done.stdout.splitlines()) == 1
    assert "\x1b" not in done.stdout
    assert json.loads(lint(file, "--json").stdout)[0]["call_id"] == call_id


def test_text_of_any_kind_survives_a_repair(tmp_path: Path) -> None:
    texts = [
        "한국어 👩‍👩‍👧 각",
        "مرحبا",
        "\x00\x1b[31m",
        "$x$ :red[y] <script>",
        "<|endoftext|>",
        " ",
    ]
    said: list[Any] = [user(text) for text in texts]
    fixed = tmp_path / "fixed.json"
    lint(written(tmp_path / "hostile.json", [*said, result("z", "끝")]), "--fix", fixed)
    messages = load_file(fixed).sessions[0].messages
    assert [message.text for message in messages[:-1]] == texts
    assert messages[-1].text.endswith("끝")
