"""The sample sessions keep what their README promises."""

import json
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from memory_core.config import MemoryConfig
from memory_core.messages import ChatMessage
from memory_core.pruning.failures import is_error_output
from memory_core.replay import replay
from memory_core.sessions import load_file
from memory_core.tokens.counting import text_counter
from memory_core.tokens.framing import message_tokens

FOLDER = Path(__file__).parents[2] / "sample_sessions"
README = (FOLDER / "README.md").read_text(encoding="utf-8")
TOLD = ("coding_agent.json", "customer_service_ko.json", "long_chat_ko.json")
WITH_FACTS = (*TOLD, "data_analysis.json")
SOUND = (*WITH_FACTS, "stuck_agent.json")
FILES = (*SOUND, "broken.json")


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
    large = [size for size in outputs if size > 1000]
    share = f"{sum(large) / sum(outputs):.0%}".replace("%", " %")
    assert f"{len(large)} of {len(outputs)} outputs hold {share} of that" in README


@pytest.mark.parametrize("file", FILES)
def test_every_record_loads_as_openai_chat(file: str) -> None:
    report = load_file(FOLDER / file).report
    assert (report.format, report.skipped) == ("openai-chat", ())
    assert report.records_used == report.records_read


@pytest.mark.parametrize("file", SOUND)
def test_every_call_is_answered_before_anyone_else_speaks(file: str) -> None:
    open_calls: list[str] = []
    for message in messages(file):
        if message.role == "tool":
            assert message.tool_call_id in open_calls
            open_calls.remove(message.tool_call_id)
        else:
            assert not open_calls
            open_calls = [call.id for call in message.tool_calls]
    assert not open_calls


@pytest.mark.parametrize("file", SOUND)
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


LOST_WITHOUT_SUMMARY = (
    *("5544", "2026-04-01", "FIN-0311", "SHOP-1190", "1302호"),
    *(
        "daon.yoon@example.com",
        "010-0000-3827",
        "مطعم السلام",
        "5월 16일까지",
        "310만원",
        "연필나라",
    ),
)


@pytest.mark.parametrize("text", LOST_WITHOUT_SUMMARY)
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


@pytest.mark.parametrize("file", SOUND)
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


@pytest.mark.parametrize("file", ["coding_agent.json", "data_analysis.json"])
def test_the_largest_outputs_are_the_ones_the_readme_names(file: str) -> None:
    (line,) = [line for line in section(file).splitlines() if "are the largest outputs" in line]
    named = re.findall(r"(\d+) \([^()]*?([\d,]+)(?: tokens)?\)", line)
    count = text_counter("gpt-5")
    found = messages(file)
    sizes = {i: message_tokens(one, count) for i, one in enumerate(found) if one.role == "tool"}
    largest = sorted(sizes, key=lambda index: -sizes[index])[:3]
    assert named == [(str(index), f"{sizes[index]:,}") for index in largest]


def test_the_coding_session_has_the_errors_and_the_size_that_the_readme_says() -> None:
    found = messages("coding_agent.json")
    errors = [index for index in (7, 13, 40, 45, 56, 95) if is_error_output(found[index])]
    assert errors == [13, 40, 56]
    assert f"a traceback of {len(found[56].text)} characters" in README
    frozen = [i for i, one in enumerate(found) if one.role == "tool" and "2026-04-01" in one.text]
    assert [index for index in frozen if 36 <= index <= 145] == [36]
    last = replay(found, MemoryConfig(max_token_budget=1_000_000, prune_when="never")).plans[-1]
    assert 69_000 < last.total < 70_000


def test_the_coding_session_is_compacted_as_often_as_the_readme_says() -> None:
    found = messages("coding_agent.json")
    first, second, third = (
        len(replay(found, MemoryConfig(max_token_budget=budget)).planner.receipts)
        for budget in (4_000, 8_000, 32_000)
    )
    assert f"{first} compactions at 4,000, {second} at 8,000, none from 32,000 on" in README
    assert third == 0


def test_every_old_output_over_150_characters_is_cut_but_the_errors() -> None:
    found = messages("coding_agent.json")
    played = replay(found, MemoryConfig(max_token_budget=128_000))
    window = played.window(played.plans[-1])
    old = [one for one in found[:-3] if one.role == "tool" and len(one.text) > 150]
    assert [one for one in old if one in window and not is_error_output(one)] == []


SAID = {
    "customer_service_ko.json": {18: "1302호", 35: "18일", 56: "그냥 환불이 낫겠어요"},
    "data_analysis.json": {18: "MWh", 44: "November to March", 81: "R-SCHOOL is not ours"},
    "long_chat_ko.json": {
        1: "그 이상은 절대",
        5: "배 타는 일정은 넣지",
        25: "5월 23일부터",
        29: "일곱 명",
        39: "사진사는 부르지",
        43: "'외상'이라는 말은 빼",
        49: "숙소로 보내는 건 하지",
        53: "금액은 쓰지",
        69: "배 타고",
        79: "토요일 저녁은 여섯 명",
        89: "8172#",
        93: "6시",
    },
}


@pytest.mark.parametrize(
    ("file", "at", "text"), [(file, *said) for file in SAID for said in SAID[file].items()]
)
def test_a_rule_or_correction_is_said_by_the_user_where_the_readme_says(
    file: str, at: int, text: str
) -> None:
    assert re.search(rf"(?:\(|In ){at}\b", section(file))
    message = messages(file)[at]
    assert message.role == "user"
    assert text in message.text
