"""The sample sessions keep what their README promises."""

import json
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from memory_core.config import MemoryConfig
from memory_core.messages import ChatMessage
from memory_core.replay import replay
from memory_core.sessions import load_file
from memory_core.tokens.counting import text_counter
from memory_core.tokens.framing import message_tokens

FOLDER = Path(__file__).parents[2] / "sample_sessions"
README = (FOLDER / "README.md").read_text(encoding="utf-8")
TOLD = ("coding_agent.json", "customer_service_ko.json", "long_chat_ko.json")
WITH_FACTS = (*TOLD, "data_analysis.json")
FILES = (*TOLD, "data_analysis.json", "stuck_agent.json", "broken.json")


@dataclass(frozen=True)
class Fact:
    file: str
    text: str
    said: int
    needed: int


def rows(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def section(file: str) -> str:
    return README.split(f"\n## {file}\n")[1].split("\n## ")[0]


def facts() -> list[Fact]:
    return [
        Fact(file, row[0].removeprefix("port ").strip("`"), int(row[1]), int(row[2]))
        for file in WITH_FACTS
        for row in rows(section(file))
        if row[1].isdigit()
    ]


def messages(file: str) -> tuple[ChatMessage, ...]:
    return load_file(FOLDER / file).sessions[0].messages


def said(message: ChatMessage) -> str:
    return "\n".join([message.text, *(call.arguments for call in message.tool_calls)])


@pytest.mark.parametrize("file", FILES)
def test_the_readme_table_has_the_numbers_of_the_file(file: str) -> None:
    row = next(row for row in rows(README) if row[0] == f"`{file}`")
    found = messages(file)
    raw = json.loads((FOLDER / file).read_text(encoding="utf-8"))
    count = text_counter("gpt-5")
    turns = sum(message["role"] == "user" for message in raw)
    tokens = sum(message_tokens(message, count) for message in found)
    assert row[2:5] == [str(len(found)), str(turns), f"{tokens:,}"]


def test_the_coding_session_is_long_and_mostly_tool_output() -> None:
    found = messages("coding_agent.json")
    count = text_counter("gpt-5")
    outputs = [message_tokens(message, count) for message in found if message.role == "tool"]
    total = sum(message_tokens(message, count) for message in found)
    assert len(found) >= 150
    assert total >= 60_000
    assert f"{sum(outputs) / total:.0%}".replace("%", " %") in README
    assert f"{sum(size > 1000 for size in outputs)} of {len(outputs)} outputs" in README


@pytest.mark.parametrize("file", FILES)
def test_every_record_loads_as_openai_chat(file: str) -> None:
    report = load_file(FOLDER / file).report
    assert (report.format, report.skipped) == ("openai-chat", ())
    assert report.records_used == report.records_read


@pytest.mark.parametrize("file", TOLD)
def test_every_call_is_answered_before_anyone_else_speaks(file: str) -> None:
    open_calls: list[str] = []
    for message in messages(file):
        if message.role == "tool":
            assert message.tool_call_id == open_calls.pop(0)
        else:
            assert not open_calls
            open_calls = [call.id for call in message.tool_calls]
    assert not open_calls


@pytest.mark.parametrize("file", TOLD)
def test_call_ids_are_used_once(file: str) -> None:
    ids = Counter(call.id for message in messages(file) for call in message.tool_calls)
    assert set(ids.values()) <= {1}


@pytest.mark.parametrize("fact", facts(), ids=lambda fact: fact.text)
def test_a_fact_is_said_and_needed_where_the_readme_says(fact: Fact) -> None:
    found = messages(fact.file)
    holders = [index for index, message in enumerate(found) if fact.text in said(message)]
    assert holders[0] == fact.said
    assert fact.needed in holders
    assert found[fact.needed].role == "assistant"


def has(fact: Fact, config: MemoryConfig) -> bool:
    """Whether the window sent where the fact is needed still holds it."""
    played = replay(messages(fact.file), config)
    return any(fact.text in said(sent) for sent in played.window(played.plan_at(fact.needed)))


@pytest.mark.parametrize("text", ["5544", "2026-04-01", "FIN-0311", "SHOP-1190", "1302호"])
def test_a_small_window_without_summary_loses_the_fact_and_a_large_one_keeps_it(text: str) -> None:
    fact = next(fact for fact in facts() if fact.text == text)
    assert not has(fact, MemoryConfig(summarizer="none"))
    assert has(fact, MemoryConfig(max_token_budget=128_000, prune_when="never"))


def test_a_protected_traceback_stays_whole_and_a_test_report_does_not() -> None:
    found = messages("coding_agent.json")
    played = replay(found, MemoryConfig(max_token_budget=128_000))
    window = played.window(played.plans[-1])
    assert found[56] in window
    assert found[7] not in window


def test_the_readme_names_facts_of_every_story() -> None:
    assert {fact.file for fact in facts()} == set(WITH_FACTS)
    assert any(fact.needed - fact.said > 100 for fact in facts())


AMOUNT = re.compile(r"(?<![\d,])(?:\d{1,3}(?:,\d{3})+|\d{4,})(?=원)")
NAMED = re.compile(r"(?<![A-Za-z0-9])(?:[A-Z]{1,5}-\d[\d-]{2,}|20\d\d-\d\d-\d\d)(?!\d)")


def spoken(day: str) -> str:
    """A date as a person writes it in Korean: 2026-03-07 is 3월 7일."""
    _, month, number = day.split("-") if day.startswith("20") else ("", "0", "0")
    return f"{int(month)}월 {int(number)}일"


@pytest.mark.parametrize("file", TOLD)
def test_the_assistant_names_only_amounts_ids_and_dates_that_were_there(file: str) -> None:
    seen = ""
    asked_for_in_words = {"10000"}
    for index, message in enumerate(messages(file)):
        if message.role == "assistant":
            known = seen.replace(",", "").replace("_", "")
            amounts = {found.replace(",", "") for found in AMOUNT.findall(message.text)}
            assert {a for a in amounts - asked_for_in_words if a not in known} == set(), index
            named = {name for name in NAMED.findall(message.text) if name not in seen}
            assert {name for name in named if spoken(name) not in seen} == set(), index
        seen += said(message) + "\n"


@pytest.mark.parametrize("file", FILES)
def test_no_machine_path_and_no_real_address(file: str) -> None:
    text = (FOLDER / file).read_text(encoding="utf-8")
    assert not re.search(r"/(?:root|home|work|Users|var/folders)/", text)
    mails = re.findall(r"[A-Za-z0-9.]+@[A-Za-z0-9.-]+\.(?:com|kr|net|org)(?![a-z])", text)
    assert all(mail.endswith("@example.com") for mail in mails)
    hosts = re.findall(r"https?://([A-Za-z0-9.-]+)", text)
    assert all(host.endswith(".example.com") or host == "127.0.0.1" for host in hosts)


def test_the_stuck_agent_repeats_itself_as_the_readme_says() -> None:
    history = messages("stuck_agent.json")
    calls = Counter(call.arguments for message in history for call in message.tool_calls)
    reads = [
        at
        for at, message in enumerate(history)
        for call in message.tool_calls
        if call.name == "read_file" and call.arguments == '{"path": "config.yaml"}'
    ]
    assert len(reads) == 8
    assert reads[0] == 16
    assert calls['{"config": "config.yaml"}'] == 5 + 3
    assert "deploy/ledger-api/config.yaml" in history[1].text
    (only,) = replay(history, MemoryConfig()).planner.receipts
    assert only.ordinal + 1 == 17
    assert "deploy/ledger-api/config.yaml" in history[54].text


def test_the_analyst_calls_tools_in_parallel_and_answers_may_come_in_another_order() -> None:
    history = messages("data_analysis.json")
    assert sum(len(message.tool_calls) > 1 for message in history) == 14
    asked = [call.id for message in history for call in message.tool_calls]
    answered = [message.tool_call_id for message in history if message.role == "tool"]
    assert sorted(asked) == sorted(answer for answer in answered if answer)
    assert asked != answered
