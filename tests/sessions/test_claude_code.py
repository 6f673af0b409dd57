"""Claude Code: split replies, parallel results, usage and the context after a compaction."""

from __future__ import annotations

import json
from pathlib import Path

from memory_core.sessions import load_bytes, load_file
from memory_core.sessions.session import Session, Usage

SAMPLE = Path(__file__).parent / "data" / "claude-code.jsonl"


def roles(session: Session) -> str:
    return "".join(message.role[0] for message in session.messages)


def test_parts_of_one_reply_become_one_message_with_its_results_behind_it() -> None:
    whole = load_file(SAMPLE).sessions[0]
    reply, first, second = whole.messages[1:4]
    assert [call.id for call in reply.tool_calls] == ["toolu_1", "toolu_2"]
    assert [part.type for part in reply.parts] == ["thinking"]
    assert [first.tool_call_id, second.tool_call_id] == ["toolu_1", "toolu_2"]
    assert json.loads(reply.tool_calls[0].arguments) == {"command": "make test"}


def test_usage_of_a_reply_is_the_maximum_over_its_parts() -> None:
    whole = load_file(SAMPLE).sessions[0]
    assert whole.origins[1].usage == Usage(3, 441, 900, 40)
    assert [origin.usage for origin in whole.origins].count(None) == len(whole.origins) - 1


def test_a_message_knows_its_line_record_and_time() -> None:
    origin = load_file(SAMPLE).sessions[0].origins[1]
    assert (origin.line, origin.record) == (4, "a1")
    assert origin.timestamp == "2026-03-02T09:00:01Z"


def test_an_error_result_keeps_its_mark() -> None:
    results = [m for m in load_file(SAMPLE).sessions[0].messages if m.role == "tool"]
    assert [(message.model_extra or {}).get("is_error") for message in results] == [
        True,
        None,
        None,
        None,
    ]


def test_the_active_context_follows_the_tree_and_keeps_parallel_results() -> None:
    whole, active = load_file(SAMPLE).sessions
    assert roles(whole) == "uattuuuatta"
    assert roles(active) == "uuatta"
    assert active.messages[0].metadata == {"compact_summary": True}
    assert "a question taken back" not in [message.text for message in active.messages]
    assert active.id == f"{whole.id}:active"


def test_what_is_no_message_is_counted_by_type() -> None:
    loaded = load_file(SAMPLE)
    assert loaded.report.ignored == {
        "summary": 1,
        "progress": 1,
        "system/compact_boundary": 1,
        "sidechain": 1,
    }
    assert loaded.sessions[0].title == "Red build"
    assert loaded.sessions[0].model == "claude-sample"


def test_the_file_of_a_sub_agent_is_its_session() -> None:
    lines = SAMPLE.read_text(encoding="utf-8").splitlines()
    aside = "\n".join(["", *(line for line in lines if '"isSidechain"' in line)])
    assert roles(load_bytes(aside.encode(), name="agent.jsonl").sessions[0]) == "a"


def test_a_record_copied_into_a_resumed_file_counts_once() -> None:
    text = SAMPLE.read_text(encoding="utf-8")
    loaded = load_bytes((text + text).encode(), name="resumed.jsonl")
    assert roles(loaded.sessions[0]) == "uattuuuatta"
    assert loaded.report.ignored["duplicate"] == 17


def test_a_line_without_tree_leaves_everything_behind_the_compaction_active() -> None:
    lines = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    flat = [{k: v for k, v in line.items() if k != "parentUuid"} for line in lines]
    loaded = load_bytes("\n".join(map(json.dumps, flat)).encode(), name="s")
    assert roles(loaded.sessions[1]) == "uuuatta"


def test_a_bad_message_is_skipped_with_its_line() -> None:
    bad = '\n{"type":"user","uuid":"z","sessionId":"s","message":{"role":"user","content":[5]}}'
    loaded = load_bytes(SAMPLE.read_bytes() + bad.encode(), name="s")
    assert [(skipped.line, "content" in skipped.reason) for skipped in loaded.report.skipped] == [
        (20, True)
    ]


def test_a_real_transcript_holds_each_reply_and_each_usage_once(shared: Path) -> None:
    whole, active = load_file(shared / "sessions" / "claude_code_spotter_258c7280.jsonl").sessions
    counts = [roles(whole).count(role) for role in "atu"]
    assert counts == [152, 186, 6]
    assert [roles(active).count(role) for role in "atu"] == [50, 62, 3]
    usages = [origin.usage for origin in whole.origins if origin.usage]
    assert sum(usage.cache_read_tokens for usage in usages) == 14_771_617
    assert sum(usage.cache_write_tokens for usage in usages) == 349_474


def test_every_real_result_stands_behind_its_reply(shared: Path) -> None:
    for session in load_file(shared / "sessions" / "claude_code_spotter_258c7280.jsonl").sessions:
        waiting: set[str] = set()
        for message in session.messages:
            if message.role == "tool":
                assert message.tool_call_id in waiting
                waiting.discard(message.tool_call_id)
            else:
                assert not waiting
                waiting = {call.id for call in message.tool_calls}
