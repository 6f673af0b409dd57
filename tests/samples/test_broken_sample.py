"""The broken sample is broken where its README says, and nowhere else."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[2] / "sample_sessions"
RAW: list[dict[str, Any]] = json.loads((FOLDER / "broken.json").read_text(encoding="utf-8"))
ROLES = [message["role"] for message in RAW]


def ids(index: int) -> list[str]:
    return [call["id"] for call in RAW[index].get("tool_calls", [])]


def results(identity: str) -> list[int]:
    return [at for at, message in enumerate(RAW) if message.get("tool_call_id") == identity]


def calls(identity: str) -> list[int]:
    return [at for at in range(len(RAW)) if identity in ids(at)]


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


FAULTS: dict[int, Callable[[], bool]] = {
    2: lambda: ids(2) == ["call_a", "call_b"] and results("call_b") == [],
    5: lambda: ROLES[5] == "developer",
    8: lambda: ROLES[8] == "user" and ROLES[9] == "tool",
    9: lambda: ids(7) == ["call_c"] and results("call_c") == [9],
    10: lambda: results("call_zzz") == [10] and calls("call_zzz") == [],
    11: lambda: ROLES[11] == "tool" and "tool_call_id" not in RAW[11],
    12: lambda: calls("call_a") == [2, 12],
    14: lambda: results("call_a") == [3, 13, 14] and RAW[13] != RAW[14],
    15: lambda: RAW[15]["content"] is None and "tool_calls" not in RAW[15],
    16: lambda: RAW[16]["content"] == "",
    17: lambda: ROLES[17] == "system",
    18: lambda: ROLES[18] == "critic",
    19: lambda: {"confidence", "annotations", "reasoning_content"} < set(RAW[19]),
    20: lambda: (
        [part["type"] for part in RAW[20]["content"]] == ["text", "voice_note", "image_url"]
    ),
    21: lambda: ids(21) == ["call_d", "call_d"],
    24: lambda: not is_json(RAW[24]["tool_calls"][0]["function"]["arguments"]),
    26: lambda: "function_call" in RAW[26] and "tool_calls" not in RAW[26],
    27: lambda: ROLES[27] == "function" and "tool_call_id" not in RAW[27],
    28: lambda: {"\ud83d", "\0", "ש", "\u200d"} < set(RAW[28]["content"]),
    29: lambda: RAW[29]["tool_calls"] == [],
    30: lambda: ids(30) == ["call_f"] and len(RAW) == 31,
}


@pytest.mark.parametrize("index", FAULTS)
def test_a_message_is_broken_as_the_readme_says(index: int) -> None:
    assert FAULTS[index]()


def test_the_readme_lists_every_broken_message() -> None:
    table = (FOLDER / "README.md").read_text(encoding="utf-8").split("\n## broken.json\n")[1]
    cells = [line.split("|")[1].strip() for line in table.splitlines() if line.startswith("| ")]
    assert {int(cell) for cell in cells if cell.isdigit()} == set(FAULTS)


def test_the_other_messages_are_in_order() -> None:
    for index in set(range(len(RAW))) - set(FAULTS):
        assert set(RAW[index]) <= {"role", "content", "tool_calls", "tool_call_id"}
        assert RAW[index]["content"] or ids(index)
        assert ROLES[index] in {"user", "assistant", "tool"} or index == 0
