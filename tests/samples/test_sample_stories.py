"""The stories of the analyst, the long chat and the stuck agent are as their README tells them."""

import re
from collections import Counter
from pathlib import Path

import pytest

from memory_core.config import MemoryConfig
from memory_core.messages import ChatMessage
from memory_core.replay import replay
from memory_core.sessions import load_file
from sample_sessions.making.coop_tools import Notebook

FOLDER = Path(__file__).parents[2] / "sample_sessions"
README = (FOLDER / "README.md").read_text(encoding="utf-8")
PLACE = "deploy/ledger-api/config.yaml"
MEMBERS = "Never write a member's name"


def messages(file: str) -> tuple[ChatMessage, ...]:
    return load_file(FOLDER / file).sessions[0].messages


def said(message: ChatMessage) -> str:
    return "\n".join([message.text, *(call.arguments for call in message.tool_calls)])


ANALYST = messages("data_analysis.json")
CHAT = messages("long_chat_ko.json")
STUCK = messages("stuck_agent.json")


def window(history: tuple[ChatMessage, ...], at: int, config: MemoryConfig) -> str:
    played = replay(history, config, until=at)
    return "\n".join(said(sent) for sent in played.window(played.plans[-1]))


def compactions(history: tuple[ChatMessage, ...]) -> list[int]:
    return [receipt.ordinal + 1 for receipt in replay(history, MemoryConfig()).planner.receipts]


def test_the_analyst_calls_several_tools_at_once_and_some_answers_change_places() -> None:
    at_once = [len(message.tool_calls) for message in ANALYST if len(message.tool_calls) > 1]
    assert f"{len(at_once)} messages call two to four tools at once" in README
    assert set(at_once) == {2, 3, 4}
    asked = [call.id for message in ANALYST for call in message.tool_calls]
    answered = [message.tool_call_id for message in ANALYST if message.role == "tool"]
    assert asked != answered
    assert set(asked) == set(answered)


NUMBER = re.compile(r"(?<![\w.-])\d[\d,]*(?:\.\d+)?(?![\w]|-\d)")


def numbers(text: str) -> set[float]:
    found = {float(number.replace(",", "")) for number in NUMBER.findall(text)}
    return {number for number in found if number >= 1000 or number != int(number)}


def test_the_analyst_names_only_numbers_that_a_tool_or_the_user_gave() -> None:
    seen: set[float] = set()
    for index, message in enumerate(ANALYST):
        if message.role == "assistant":
            assert numbers(message.text) - seen == set(), index
        seen |= numbers(message.text.replace('"', " ").replace("-", " "))


@pytest.mark.parametrize("summarizer", ["none", "article", "extractive"])
def test_the_rule_about_names_is_in_no_window_where_it_is_broken(summarizer: str) -> None:
    settings = MemoryConfig.model_validate({"summarizer": summarizer})
    assert MEMBERS not in window(ANALYST, 98, settings)
    assert MEMBERS in window(ANALYST, 98, settings.model_copy(update={"pins": (1,)}))


def test_the_analyst_writes_only_names_that_a_tool_gave_and_the_tool_refuses_them() -> None:
    refused = ANALYST[99].text
    assert "the report names members: Bell, Ivory, Nettle, Upton" in refused
    for name in ("Bell", "Ivory", "Nettle", "Upton"):
        holders = [at for at, message in enumerate(ANALYST) if name in said(message)]
        assert holders == [97, 98, 99]


def test_the_corrections_of_the_analyst_change_what_the_readme_says() -> None:
    assert "eight homes take more than 16.2 kWh" in ANALYST[43].text
    assert "four of the eight drop out" in ANALYST[50].text
    assert "54.4 % of that" in ANALYST[80].text
    assert "which is 37.3 %" in ANALYST[86].text


def test_a_corrected_unit_and_a_left_out_day_change_what_is_counted() -> None:
    tools = Notebook().tools()
    converted = tools["correct"](
        {"meter_id": "M-019", "action": "unit MWh", "first": "2025-06-01", "reason": "update"}
    )
    assert '"kwh_before": 4950.4, "kwh_after": 9744.6' in converted
    days = {"meter_id": "M-015", "first": "2025-03-09", "last": "2025-03-10", "reason": "site"}
    tools["correct"]({**days, "action": "leave out"})
    assert '["2025-03-09", "2025-03-10"]' in re.sub(r"\s+", " ", tools["gaps"]({}))
    assert "no action 'guess'" in tools["correct"]({**days, "action": "guess"})


def test_a_calculation_takes_nothing_but_numbers() -> None:
    calculate = Notebook().tools()["calculate"]
    assert '"result": 660' in calculate({"expression": "4 * 165"})
    assert "only numbers" in calculate({"expression": "open('x')"})
    assert "only numbers" in calculate({"expression": "2 ** 3"})


AMOUNT = re.compile(r"\d+만(?: \d천)?원")


def won(text: str) -> int:
    """The first amount in a text, in won: 57만 4천원 is 574,000."""
    tens, _, thousands = AMOUNT.findall(text)[0].removesuffix("원").partition("만")
    return int(tens) * 10_000 + int(thousands.removesuffix("천") or 0) * 1_000


def test_the_budget_of_the_long_chat_adds_up() -> None:
    lines = CHAT[82].text.splitlines()
    parts = [won(line) for line in lines if line.startswith("- ")]
    (closing,) = [line for line in lines if line.startswith("합계")]
    total, limit, left, reserve, rest = [won(found) for found in AMOUNT.findall(closing)]
    assert len(parts) == 7
    assert sum(parts) == total
    assert (limit - total, left - reserve) == (left, rest)
    assert rest - won("50만원") == won("33만 3천원")
    assert "33만 3천원이 비상금으로" in CHAT[84].text


def test_the_long_chat_keeps_its_prohibitions() -> None:
    later = [message.text for message in CHAT[45:] if message.role == "assistant"]
    assert not any("외상" in text for text in later)
    posted = CHAT[54].text.split('"')[1]
    assert not any(word in posted for word in ("사진집", "인사말", "만원"))
    assert "그래서 넣지 않겠습니다" in CHAT[70].text
    assert "4096" not in CHAT[88].text


def test_the_speech_of_the_long_chat_comes_back_with_the_one_word_changed() -> None:
    first, again = (CHAT[at].text.split('"')[1] for at in (42, 98))
    assert "외상으로 크레파스를 내주시던" in first
    assert again == first.replace("외상으로 크레파스를", "크레파스부터 먼저")


def test_the_long_chat_outgrows_the_default_budget_without_any_tool() -> None:
    assert {message.role for message in CHAT} == {"system", "user", "assistant"}
    assert not any(message.tool_calls for message in CHAT)
    plan = replay(CHAT, MemoryConfig()).plans[-1]
    assert plan.raw_tokens > 2 * MemoryConfig().max_token_budget


def test_the_long_chat_leaves_the_window_where_the_readme_says() -> None:
    *first, last = compactions(CHAT)
    assert f"at calls {', '.join(map(str, first))} and {last}." in README


KEPT = {"daon.yoon@example.com": 88, "010-0000-3827": 112, "310만원": 82}
GONE = {"مطعم السلام": 102, "5월 16일까지": 86, "연필나라": 96}


@pytest.mark.parametrize(("fact", "at"), (KEPT | GONE).items())
def test_the_summaries_keep_of_the_long_chat_what_the_readme_says(fact: str, at: int) -> None:
    assert f"| `{fact}` |" in README
    assert (fact in window(CHAT, at, MemoryConfig())) == (fact in KEPT)
    assert fact not in window(CHAT, at, MemoryConfig(summarizer="article"))


def test_the_stuck_agent_repeats_itself_as_the_readme_says() -> None:
    calls = [(at, call) for at, message in enumerate(STUCK) for call in message.tool_calls]
    reads = [at for at, call in calls if call.arguments == '{"path": "config.yaml"}']
    assert (len(reads), reads[:3]) == (8, [16, 18, 20])
    assert len({STUCK[at + 1].text for at in reads}) == 1
    wrong = [(at, call.name) for at, call in calls if call.arguments == '{"config": "config.yaml"}']
    assert wrong[0] == (14, "run_checks")
    assert Counter(name for _, name in wrong) == {"run_checks": 5, "release": 3}
    turns = [call.name for at, call in calls if 24 <= at <= 38]
    assert turns == ["run_checks", "read_file"] * 4
    released = [(at, call.arguments) for at, call in calls if call.name == "release" and at < 54]
    assert (released[0][0], len(released)) == (42, 6)
    assert len({arguments for _, arguments in released}) == 3
    assert STUCK[54].role == "user"
    assert "34 messages before the user does" in README


def knowing(config: MemoryConfig) -> list[int]:
    """The calls of the stuck agent, from 1, whose window names the place of the settings."""
    played = replay(STUCK, config)
    return [
        plan.ordinal + 1
        for plan in played.plans
        if any(PLACE in sent.text for sent in played.window(plan))
    ]


def test_the_loop_begins_while_the_reason_is_in_the_window_and_outlasts_it() -> None:
    assert PLACE in STUCK[1].text
    assert PLACE in STUCK[54].text
    assert compactions(STUCK) == [17]
    played = replay(STUCK, MemoryConfig())
    whole = [plan.ordinal + 1 for plan in played.plans if STUCK[1] in played.window(plan)]
    assert whole == list(range(1, 17))
    assert (played.plans[6].at, played.plans[16].at) == (14, 34)


@pytest.mark.parametrize("summarizer", ["none", "article"])
def test_calls_17_to_26_of_the_stuck_agent_know_the_place_by_a_pin_or_an_extract_only(
    summarizer: str,
) -> None:
    settings = MemoryConfig.model_validate({"summarizer": summarizer})
    every = list(range(1, 30))
    assert knowing(settings) == [call for call in every if not 17 <= call <= 26]
    assert knowing(settings.model_copy(update={"pins": (1,)})) == every
    assert knowing(MemoryConfig()) == every
