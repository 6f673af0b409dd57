"""What holds for every session format, on a sample of our own and on real files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memory_core.errors import SessionError
from memory_core.messages import ROLE_NAMES
from memory_core.sessions import FORMATS, load_bytes, load_file
from memory_core.sessions.session import Loaded

DATA = Path(__file__).parent / "data"

ONE_OBJECT = {"anthropic", "openai-responses"}

REAL_FILES = {
    "claude_code_spotter_258c7280.jsonl": ("claude-code", [344, 115]),
    "claude_code_spotter_tool_heavy.jsonl": ("claude-code", [17]),
    "codex_exec_minimal_real.jsonl": ("codex", [4]),
    "codex_rollout_all_record_types.jsonl": ("codex", [17, 15]),
    "mini_swe_agent_github_issue.traj.json": ("openai-chat", [22]),
    "swe_agent_marshmallow_function_calling.traj": ("openai-chat", [28]),
    "who_and_when_hand_crafted_44.json": ("openai-chat", [124]),
}

UNKNOWN_FILES = {
    "functionchat_dialog_ko.jsonl": "'turns'",
    "inspect_ai_browser_log.json": "'samples'",
    "langfuse_google_adk_gemini_trace.json": "'observations'",
    "langfuse_langgraph_trace.json": "'observations'",
    "langfuse_microsoft_agent_otel_genai_trace.json": "'observations'",
    "langfuse_openai_agents_responses_trace.json": "'observations'",
    "langsmith_run_post_patch.json": "'patch'",
    "letta_memgpt_agent_with_convo.af": "'agents'",
    "openhands_events_gui_mode.json": "'observation'",
    "openhands_multi_swe_output.jsonl": "'history'",
    "sharegpt_glaive_toolcall_en.json": "'conversations'",
}


def sample(name: str) -> Path:
    return next(DATA.glob(f"{name}.json*"))


def sizes(loaded: Loaded) -> list[int]:
    return [len(session.messages) for session in loaded.sessions]


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_recognises_its_sample_and_no_other_does(name: str) -> None:
    loaded = load_file(sample(name))
    assert loaded.report.format == name
    assert {session.format for session in loaded.sessions} == {name}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_says_what_it_is(name: str) -> None:
    assert FORMATS[name].label
    assert "\n" not in FORMATS[name].description


@pytest.mark.parametrize("name", FORMATS)
def test_the_suffix_of_a_file_says_nothing(name: str, tmp_path: Path) -> None:
    renamed = tmp_path / "session.txt"
    renamed.write_bytes(sample(name).read_bytes())
    assert load_file(renamed).sessions == load_file(sample(name)).sessions


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("name", FORMATS)
def test_byte_order_marks_change_nothing(name: str, encoding: str) -> None:
    text = sample(name).read_text(encoding="utf-8")
    plain = load_bytes(text.encode(), name="s")
    assert load_bytes(text.encode(encoding), name="s").sessions == plain.sessions


@pytest.mark.parametrize("name", FORMATS)
def test_a_json_text_in_a_json_string_loads_the_same(name: str) -> None:
    text = sample(name).read_text(encoding="utf-8")
    if FORMATS[name].live:
        text = f"[{','.join(text.splitlines())}]"
    plain = load_bytes(text.encode(), name="s")
    assert load_bytes(json.dumps(text).encode(), name="s").sessions == plain.sessions


@pytest.mark.parametrize("name", FORMATS)
def test_blank_lines_and_values_that_are_no_objects_change_no_message(name: str) -> None:
    values = json.loads(f"[{','.join(_lines(name))}]")
    lines = [json.dumps(value) for value in values]
    noisy = "\n".join(["", *lines[:1], "  ", '"text"', "17", "[]", *lines[1:], "null", ""])
    loaded = load_bytes(noisy.encode(), name="s")
    plain = load_bytes("\n".join(["", *lines]).encode(), name="s")
    assert [s.messages for s in loaded.sessions] == [s.messages for s in plain.sessions]
    numbers = [skipped.line for skipped in loaded.report.skipped if "where" in skipped.reason]
    assert numbers == [4, 5, 6, len(lines) + 6]


def _lines(name: str) -> list[str]:
    text = sample(name).read_text(encoding="utf-8")
    if FORMATS[name].live:
        return text.splitlines()

    document: Any = json.loads(text)
    values: list[Any] = [document] if name in ONE_OBJECT else document
    return [json.dumps(value) for value in values]


@pytest.mark.parametrize("name", FORMATS)
def test_every_message_has_an_origin_and_every_session_its_own_id(name: str) -> None:
    loaded = load_file(sample(name))
    for session in loaded.sessions:
        assert session.messages
        assert len(session.origins) == len(session.messages)
    ids = [session.id for session in loaded.sessions]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("name", FORMATS)
def test_the_report_accounts_for_every_record(name: str) -> None:
    report = load_file(sample(name)).report
    left_out = len(report.skipped) + sum(report.ignored.values())
    assert report.records_used + left_out == report.records_read
    assert report.bytes == sample(name).stat().st_size
    assert report.file == str(sample(name))


@pytest.mark.parametrize("name", FORMATS)
def test_a_half_written_last_line_is_no_loss_of_the_rest_where_files_are_written_live(
    name: str,
) -> None:
    lines = _lines(name)
    broken = "\n".join([*lines, '{"type": "assista', ""])
    if not FORMATS[name].live:
        with pytest.raises(SessionError) as caught:
            load_bytes(broken.encode(), name="s.jsonl")
        assert caught.value.line == len(lines) + 1
        return
    loaded = load_bytes(broken.encode(), name="s.jsonl")
    assert loaded.sessions == load_bytes("\n".join(lines).encode(), name="s.jsonl").sessions
    assert [skipped.line for skipped in loaded.report.skipped] == [len(lines) + 1]


@pytest.mark.parametrize("name", FORMATS)
def test_a_last_line_that_ends_with_the_file_is_skipped_in_every_format(name: str) -> None:
    lines = _lines(name)
    whole = load_bytes("\n".join(["", *lines, ""]).encode(), name="s.jsonl")
    cut = load_bytes("\n".join(["", *lines, '{"type": "assista']).encode(), name="s.jsonl")
    assert [one.messages for one in cut.sessions] == [one.messages for one in whole.sessions]
    assert cut.report.skipped[-1].line == len(lines) + 2
    assert len(cut.report.skipped) == len(whole.report.skipped) + 1


@pytest.mark.parametrize("name", REAL_FILES)
def test_a_real_file_loads(name: str, shared: Path) -> None:
    loaded = load_file(shared / "sessions" / name)
    assert (loaded.report.format, sizes(loaded)) == REAL_FILES[name]


def test_every_real_run_of_tau_bench_loads(shared: Path) -> None:
    loaded = load_file(shared / "sessions" / "tau_bench_airline_gpt4o_first40.json")
    assert loaded.report.format == "tau-bench"
    assert (len(sizes(loaded)), sum(sizes(loaded))) == (40, 1222)


@pytest.mark.parametrize("name", UNKNOWN_FILES)
def test_a_real_file_of_another_format_is_named_with_what_it_holds(name: str, shared: Path) -> None:
    with pytest.raises(SessionError) as caught:
        load_file(shared / "sessions" / name)
    assert name in str(caught.value)
    assert UNKNOWN_FILES[name] in caught.value.reason
    assert all(known.label in caught.value.reason for known in FORMATS.values())


def test_every_real_file_is_accounted_for(shared: Path) -> None:
    files = {path.name for path in (shared / "sessions").iterdir()} - {"INDEX.md"}
    known = {*REAL_FILES, *UNKNOWN_FILES, "tau_bench_airline_gpt4o_first40.json"}
    assert files == known


def test_agent_names_of_a_real_multi_agent_run_are_kept(shared: Path) -> None:
    session = load_file(shared / "sessions" / "who_and_when_hand_crafted_44.json").sessions[0]
    named = [m.original_role for m in session.messages if m.original_role not in ROLE_NAMES]
    assert len(named) == 123
    assert "Orchestrator (-> WebSurfer)" in named
