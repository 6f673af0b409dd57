"""`fact`: the library's lifeline of an item or any words, and what would have kept them."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from memory_core.commands import main
from memory_core.config import MemoryConfig
from memory_core.loss import Form, Index, follow, lifeline, remedies
from memory_core.replay import replay
from memory_core.sessions import load_file
from tests.commands.telling import written
from tests.endpoint.model_server import Streamed, in_turn, running
from tests.setup.folders import ROOT

CODING = ROOT / "sample_sessions" / "coding_agent.json"
CHAT = ROOT / "sample_sessions" / "long_chat_ko.json"
LOST = "3,000원"


def fact(*arguments: str | Path | int) -> Result:
    return CliRunner().invoke(main, ["fact", *(str(one) for one in arguments)])


def shown(*arguments: str | Path | int) -> dict[str, Any]:
    done = fact(*arguments, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("file", "text"), [(CODING, LOST), (CODING, "leave it alone"), (CHAT, "연필나라")]
)
def test_as_json_it_is_the_librarys_lifeline_with_calls_from_one(file: Path, text: str) -> None:
    messages = load_file(file).sessions[0].messages
    index = Index(messages)
    life = lifeline(replay(messages, MemoryConfig()), index, follow(index, text))
    data = shown(file, text)
    assert list(data) == ["session", "config", "text", "said", "spans", "uses"]
    assert (data["text"], data["said"]) == (life.text, list(life.said))
    for told, span in zip(data["spans"], life.spans, strict=True):
        assert told == {**asdict(span), "first": span.first + 1, "last": span.last + 1}
    for told, use in zip(data["uses"], life.uses, strict=True):
        assert (told["call"], told["message"]) == (use.call + 1, use.at)
        assert (told["form"], told["met"]) == (use.form, use.form is not Form.GONE)


def test_as_text_a_line_per_span_and_use_says_form_message_and_reason() -> None:
    data = shown(CODING, LOST)
    lines = fact(CODING, LOST).stdout.splitlines()
    assert lines[0] == f"{LOST}: said in " + " ".join(f"#{index}" for index in data["said"])
    spans = lines[1 : 1 + len(data["spans"])]
    for line, span in zip(spans, data["spans"], strict=True):
        calls = f"calls {span['first']}-{span['last']}"
        if span["first"] == span["last"]:
            calls = f"call {span['first']}"
        assert line.split()[:4] == [*calls.split(), span["form"], f"#{span['message']}"]
        assert line.endswith(span["reason"])
    assert [line for line in lines if line.startswith("needed at")] == [
        f"needed at call {use['call']} (#{use['message']}): "
        + (f"met, {use['form']}" if use["met"] else "lost")
        for use in data["uses"]
    ]
    assert {use["met"] for use in data["uses"]} == {True, False}


def test_the_remedies_are_for_the_first_use_that_failed() -> None:
    messages = load_file(CODING).sessions[0].messages
    index, result = Index(messages), replay(messages, MemoryConfig())
    first = next(use for use in shown(CODING, LOST)["uses"] if not use["met"])
    expected = remedies(result, index, follow(index, LOST), first["message"])
    data = shown(CODING, LOST, "--remedies")["remedies"]
    assert len(expected) > 2
    for told, remedy in zip(data, expected, strict=True):
        assert told["field"] == remedy.field
        assert told["extra_tokens"] == remedy.extra_tokens
        assert told["extra_share"] == remedy.extra_share
        changed = MemoryConfig.model_validate({told["field"]: told["value"]})
        assert changed == remedy.config
    done = fact(CODING, LOST, "--remedies")
    for remedy in expected:
        (line,) = [one for one in done.stdout.splitlines() if f"  {remedy.field} = " in one]
        assert f"{remedy.extra_tokens:+,} tokens ({100 * remedy.extra_share:+.1f} %)" in line
    assert "trying settings" not in done.stderr
    assert f"what keeps it at #{first['message']}, each alone" in done.stdout


def test_at_a_call_that_is_named_the_remedies_are_for_that_call() -> None:
    uses = [use["message"] for use in shown(CODING, LOST)["uses"] if not use["met"]]
    data = shown(CODING, LOST, "--at", uses[1], "--remedies")
    assert data["at"] == {"message": uses[1], "form": "gone"}
    assert data["remedies_at"] == uses[1]
    assert data["remedies"]
    assert f"at #{uses[1]}: gone" in fact(CODING, LOST, "--at", uses[1]).stdout


def test_where_it_stands_or_no_use_failed_there_is_nothing_to_change(tmp_path: Path) -> None:
    whole = next(span for span in shown(CODING, LOST)["spans"] if span["form"] == "whole")
    plans = replay(load_file(CODING).sessions[0].messages, MemoryConfig()).plans
    at: int = plans[int(whole["first"]) - 1].at
    said = [{"role": "user", "content": "주문 9911-A"}, {"role": "assistant", "content": "네"}]
    stands = fact(CODING, LOST, "--at", at, "--remedies", "--json")
    unused = fact(written(tmp_path / "short.json", said), "9911-A", "--remedies", "--json")
    for done in (stands, unused):
        assert json.loads(done.stdout)["remedies"] == []
    assert f"the window of the call at #{at}: nothing to change" in stands.stderr
    assert "no use failed: nothing to change" in unused.stderr


REFUSED = {
    "words nobody said": (["no such thing"], "no message of this session says 'no such thing'"),
    "no words": ([""], "says ''"),
    "steering words": (["\x1b[31m"], "says '\\x1b[31m'"),
    "no call point": ([LOST, "--at", "35"], "35 is not a call point; the nearest one is 33"),
    "a call before it": ([LOST, "--at", "2"], "first said in #22, after the call at #2"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_followed_is_one_error_and_exit_code_two(case: str) -> None:
    arguments, reason = REFUSED[case]
    done = fact(CODING, *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("Error: ")]
    assert reason in line
    assert "\x1b" not in done.stderr


def test_what_only_the_last_message_says_has_no_call_behind_it(tmp_path: Path) -> None:
    said = [{"role": "user", "content": "go"}, {"role": "assistant", "content": "주문 9911-A"}]
    file = written(tmp_path / "short.json", said)
    done = fact(file, "9911-A")
    assert done.exit_code == 0
    assert "no call comes after that" in done.stdout
    assert shown(file, "9911-A")["spans"] == []


def test_a_text_that_would_steer_a_terminal_is_escaped(tmp_path: Path) -> None:
    text = "red \x1b[31m \u202e가나다"
    said = [{"role": "user", "content": text}, {"role": "assistant", "content": "ok"}]
    done = fact(written(tmp_path / "hostile.json", said), text)
    assert done.exit_code == 0
    assert "가나다: said in #0" in done.stdout
    assert not {"\x1b", "\u202e"} & set(done.output)


def test_a_model_may_summarise_but_is_not_asked_for_remedies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    config = written(tmp_path / "config.json", {"summarizer": "model"})
    with running(in_turn(Streamed(["* [#38] leave it alone"]))) as server:
        options = (CODING, "leave it alone", "--config", config, "--endpoint", server.base_url)
        refused = fact(*options, "--remedies")
        assert server.asked == []
        forms = [span["form"] for span in shown(*options)["spans"]]
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "--remedies replays the session dozens of times" in refused.stderr
    assert "summary" in forms
