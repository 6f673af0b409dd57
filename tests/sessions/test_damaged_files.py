"""Damaged, foreign and oversized files: one clear error that names file and line, or a load."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.errors import SessionError
from memory_core.sessions import load_bytes, load_file
from memory_core.sessions.session import Loaded

DATA = Path(__file__).parent / "data"
SAMPLES = {path.name: path.read_bytes() for path in sorted(DATA.iterdir())}
USER = '{"role":"user","content":"a"}'

REFUSED: dict[str, tuple[bytes, int | None, str]] = {
    "nothing": (b"", None, "empty"),
    "blank lines": (b"\n \r\n\n", None, "empty"),
    "prose": (b"hello", 1, "not JSON"),
    "null": (b"null", None, "null"),
    "a number": (b"17", None, "number"),
    "a string": (b'"hello"', None, "inside it: not JSON"),
    "an empty list": (b"[]", None, "empty list"),
    "an empty object": (b"{}", None, "no known session format"),
    "a list of numbers": (b"[1, 2]", None, "no JSON object"),
    "lists of lists": (b"[[1], [2]]", None, "no JSON object"),
    "a broken third line": (f'{USER}\n{USER}\n{{"role":\n'.encode(), 3, "not JSON"),
    "a broken second line": (f"{USER}\n{{oops\n{USER}".encode(), 2, "not JSON"),
    "a broken first line": (f"{{oops\n{USER}\n{USER}".encode(), 1, "not JSON"),
    "a document cut short": (f"[\n {USER},\n {USER}".encode(), 3, "not JSON"),
    "a zip": (bytes.fromhex("504b030414000000"), None, "zip"),
    "gzip": (gzip.compress(USER.encode()), None, "gzip"),
    "SQLite": (b"SQLite format 3\x00" + bytes(90), None, "SQLite"),
    "binary": (b"\x7fELF\x00\x01", None, "binary"),
    "UTF-16 without mark": (USER.encode("utf-16-le"), None, "UTF-16"),
    "half a UTF-16 letter": (f"[{USER}]".encode("utf-16") + b"\x00", None, "utf-16"),
    "no UTF-8": (f"{USER}\n".encode() + b'{"role":"user","content":"\xff"}\n', 2, "UTF-8"),
    "only half a line": (b'{"role":"user","cont', 1, "not JSON"),
    "half a line after a number": (b'17\n{"role":"user","cont', None, "no JSON object"),
    "half a line after broken ones": (b'{oops\n{"role":"user","cont', 1, "not JSON"),
    "deep lists": (b"[" * 100_000 + b"]" * 100_000, 1, "deep"),
    "deep enough to parse": (b'{"a":' * 300 + b"1" + b"}" * 300, 1, "deep"),
    "a number too long": (b'[{"role":"user","content":"a","n":' + b"9" * 5000 + b"}]", 1, "digits"),
    "raw NUL in a text": (b'[{"role":"user","content":"' + b" " * 5000 + b'\x00"}]', 1, "not JSON"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_one_clear_error_for(name: str, tmp_path: Path) -> None:
    data, line, named = REFUSED[name]
    path = tmp_path / "upload.json"
    path.write_bytes(data)
    for load in (lambda: load_file(path), lambda: load_bytes(data, name=str(path))):
        with pytest.raises(SessionError, match=named) as caught:
            load()
        assert (caught.value.file, caught.value.line) == (str(path), line)
        assert str(path) in str(caught.value)


ODD: dict[str, tuple[bytes, str]] = {
    "a NUL escape": (b'[{"role":"user","content":"a\\u0000b"}]', "a\x00b"),
    "an escaped lone surrogate": (b'[{"role":"user","content":"a\\ud800"}]', "a\ufffd"),
    "a lone surrogate in an unknown field": (
        b'[{"role":"user","content":"a","n\\udc00te":["\\ud800"]}]',
        "a",
    ),
    "an encoded lone surrogate": (b'[{"role":"user","content":"a\xed\xa0\x80"}]', "a\ufffd"),
    "an escaped pair": (b'[{"role":"user","content":"\\ud83d\\ude42"}]', "🙂"),
    "equal keys": (b'[{"role":"user","content":"a","content":"b"}]', "b"),
    "NaN": (b'[{"role":"user","content":"a","score":NaN,"max":Infinity}]', "a"),
    "a float without end": (b'[{"role":"user","content":"a","score":1e999}]', "a"),
    "a great integer": (b'[{"role":"user","content":"a","n":' + b"9" * 4000 + b"}]", "a"),
    "text from right to left": ('[{"role":"user","content":"שלום"}]'.encode(), "שלום"),
    "a line of 5 MB": (
        json.dumps([{"role": "user", "content": "ㅋ" * 2_000_000}]).encode(),
        "ㅋ" * 2_000_000,
    ),
    "carriage returns": (b'\r\n[\r\n{"role":"user","content":"a\\r\\n"}\r\n]\r\n', "a\r\n"),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_but_readable(name: str) -> None:
    data, text = ODD[name]
    message = load_bytes(data, name="s").sessions[0].messages[0]
    assert message.text == text
    json.dumps(message.model_dump(), allow_nan=False, ensure_ascii=False).encode()


def test_uploads_of_the_shared_case_give_an_error_each_or_a_session(shared: Path) -> None:
    case = json.loads((shared / "cases" / "ui-s-04.json").read_text(encoding="utf-8"))
    found: dict[str, Loaded | SessionError] = {}
    for upload in case["input"]["uploads"]:
        text = upload.get("text", "").encode(upload.get("encoding", "utf-8"))
        data = bytes.fromhex(upload["hex"]) if "hex" in upload else text
        found[upload["name"]] = outcome(data, name=upload["name"])
    utf16 = found.pop("utf16.json")
    assert isinstance(utf16, Loaded)
    assert utf16.sessions[0].messages[0].text == "가"
    assert all(name in str(error) for name, error in found.items())
    assert {
        name: error.line for name, error in found.items() if isinstance(error, SessionError)
    } == {
        "empty.json": None,
        "x.json": 1,
        "null.json": None,
        "b.jsonl": 3,
        "norole.json": None,
        "z.json": None,
    }


def test_a_file_over_the_limit_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    path.write_bytes(SAMPLES["openai-chat.json"])
    size = path.stat().st_size
    assert load_file(path, limit=size)
    with pytest.raises(SessionError, match=str(size)):
        load_file(path, limit=size - 1)
    with pytest.raises(SessionError, match="limit of 3"):
        load_bytes(b"[{}]", name="s", limit=3)


def test_what_is_no_file_is_named(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.json", tmp_path / "nul\x00.json"):
        with pytest.raises(SessionError) as caught:
            load_file(path)
        assert caught.value.file == str(path)


def outcome(data: bytes, name: str = "s") -> Loaded | SessionError:
    try:
        return load_bytes(data, name=name)
    except SessionError as error:
        return error


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
field_names = st.sampled_from(
    [
        *["role", "content", "messages", "tool_calls", "function_call", "tool_call_ids", "system"],
        *["type", "message", "payload", "uuid", "parentUuid", "sessionId", "id", "usage", "name"],
        *["call_id", "output", "input", "summary", "subtype", "request", "response", "choices"],
        *["traj", "task_id", "metadata", "text", "timestamp", "replacement_history", "tool_use_id"],
    ]
)
words = st.sampled_from(
    [
        *["user", "assistant", "system", "tool", "text", "tool_use", "tool_result", "thinking"],
        *["response_item", "compacted", "event_msg", "function_call", "function_call_output"],
        *["message", "reasoning", "token_count", "compact_boundary", "x", "web_search_call"],
    ]
)
session_like = st.recursive(
    words | json_values,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(field_names, inner, max_size=6),
    max_leaves=30,
)


@given(st.binary(max_size=200))
def test_any_bytes_load_or_give_a_session_error(data: bytes) -> None:
    outcome(data)


@given(st.lists(session_like, min_size=1, max_size=4))
def test_any_json_loads_or_gives_a_session_error(values: list[Any]) -> None:
    outcome(json.dumps(values).encode())
    outcome("\n".join(map(json.dumps, values)).encode())


@given(st.sampled_from(sorted(SAMPLES)), st.data())
def test_any_value_of_a_valid_file_may_be_another(name: str, data: st.DataObject) -> None:
    values = [json.loads(line) for line in _lines(SAMPLES[name])]
    outcome("\n".join(json.dumps(_mutated(value, data)) for value in values).encode())


def _lines(raw: bytes) -> list[str]:
    text = raw.decode()
    try:
        return [json.dumps(json.loads(text))]
    except json.JSONDecodeError:
        return text.splitlines()


def _mutated(value: Any, data: st.DataObject) -> Any:
    if data.draw(st.integers(0, 40)) == 0:
        return data.draw(json_values | words)
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        return {key: _mutated(item, data) for key, item in fields.items()}
    if isinstance(value, list):
        return [_mutated(item, data) for item in cast("list[Any]", value)]
    return value


@pytest.mark.parametrize("name", SAMPLES)
def test_any_beginning_of_a_valid_file_loads_or_gives_a_session_error(name: str) -> None:
    raw = SAMPLES[name]
    results = [outcome(raw[:end]) for end in range(0, len(raw), 7)]
    assert any(isinstance(result, SessionError) for result in results)


@pytest.mark.parametrize("name", ["claude-code.jsonl", "codex.jsonl"])
def test_a_live_file_cut_anywhere_keeps_the_messages_before_the_cut(name: str) -> None:
    raw = SAMPLES[name]
    loaded = outcome(raw[: int(len(raw) * 0.6)])
    assert isinstance(loaded, Loaded)
    assert [skipped.line for skipped in loaded.report.skipped] == [loaded.report.records_read]
    assert loaded.sessions[0].messages


@pytest.mark.parametrize("lines", [2, 1])
def test_lines_cut_anywhere_keep_the_messages_before_the_cut(lines: int) -> None:
    whole = [f'{{"role":"user","content":"{text} 각 👩‍👩‍👧 \\u0041"}}\n' for text in "abc"]
    kept, last = "".join(whole[:lines]).encode(), whole[lines].encode()
    for end in range(1, len(last) - 2):
        loaded = load_bytes(kept + last[:end], name="s")
        assert len(loaded.sessions[0].messages) == lines
        (skipped,) = loaded.report.skipped
        assert (skipped.line, skipped.record) == (lines + 1, lines)
        assert skipped.reason.endswith("the file ends within this line")
        assert loaded.report.records_read == lines + 1
    assert load_bytes(kept + last[:-1], name="s").report.skipped == ()


def test_ten_thousand_messages_load() -> None:
    chat = [
        {"role": "user" if i % 2 else "assistant", "content": f"{i} " * 9} for i in range(10_000)
    ]
    for data in (json.dumps(chat), "\n".join(map(json.dumps, chat))):
        assert len(load_bytes(data.encode(), name="s").sessions[0].messages) == 10_000


def test_a_large_transcript_is_not_held_in_memory_while_it_is_read(tmp_path: Path) -> None:
    noise = json.dumps({"type": "progress", "uuid": "p", "sessionId": "s", "data": "x" * 20_000})
    path = tmp_path / "long.jsonl"
    with path.open("w") as file:
        file.write(SAMPLES["claude-code.jsonl"].decode())
        file.writelines(f"{noise}\n" for _ in range(1_000))
    tracemalloc.start()
    load_file(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert path.stat().st_size > 20_000_000
    assert peak < 8_000_000
