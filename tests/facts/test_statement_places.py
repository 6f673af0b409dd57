"""Where statements stand in a text, whatever the text is."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.facts import Statement, fold, statements
from memory_core.messages import ChatMessage, Role

PIECES = [
    *(
        "never deploy. ",
        "don't ",
        "must ",
        "let's go with ",
        "we decided to ",
        "Error: x",
        "\n",
        " ",
    ),
    *(
        "꼭 하지 마세요. ",
        "하기로 했어요. ",
        "로 확정했습니다",
        "만 주세요",
        "$ ls -l",
        "> git a\\",
        "```bash\n",
    ),
    *(
        "```",
        "'",
        '"',
        "<<EOF",
        "EOF",
        "&&\n",
        "\\n",
        "\x00",
        "\u2028",
        "\u3000",
        "🙂",
        "오류: 가",
        "a" * 99,
    ),
]
mixed = st.lists(st.sampled_from(PIECES) | st.text(max_size=8), max_size=40).map("".join)
roles = st.sampled_from(["user", "assistant", "tool", "system"])


@settings(max_examples=150)
@given(roles, mixed)
def test_a_statement_is_its_place_in_the_text_folded(role: Role, text: str) -> None:
    message = ChatMessage(role=role, content=text)
    for one in statements(message, 3):
        assert one.text == fold(message.text[one.start : one.end])
        assert one.text
        assert len(one.text) <= 240
        assert (one.message, one.call) == (3, None)


@settings(max_examples=150)
@given(script=mixed, ascii_only=st.booleans())
def test_a_command_is_its_place_in_the_arguments_unescaped_and_folded(
    *, script: str, ascii_only: bool
) -> None:
    arguments = json.dumps({"n": 1, "command": script}, ensure_ascii=ascii_only)
    for one in called("Bash", arguments):
        assert one.text == fold(json.loads(f'"{arguments[one.start : one.end]}"'))
        assert one.call == 0
        assert 0 < len(one.text) <= 240


@given(mixed)
def test_any_arguments_are_read_without_an_error(arguments: str) -> None:
    called("Bash", '{"command": ["' + arguments)
    called("Bash", '{"command": [' + "1" * 5000 + "]}")
    called("Bash", arguments)


HARD = [
    *(
        "don't do this. never do that ",
        "must ",
        "only if ",
        "야 해요 꼭 절대 ",
        "만 ",
        "let's use x ",
    ),
    *(
        "Error: a\n",
        "E   ",
        "$ ls\n",
        "> git x\n",
        "```bash\n",
        "'\"",
        "<<EOF\n",
        "\\\n",
        "\x00",
        " ",
    ),
]


@pytest.mark.parametrize("unit", HARD)
@pytest.mark.parametrize("role", ["user", "tool"])
def test_work_does_not_grow_with_the_square_of_the_length(role: Role, unit: str) -> None:
    def seconds(length: int) -> float:
        message = ChatMessage(role=role, content=unit * (length // len(unit)))
        spent: list[float] = []
        for _attempt in range(2):
            start = time.process_time()
            statements(message, 0)
            spent.append(time.process_time() - start)
        return min(spent)

    # 16 times the length: linear is 16, quadratic 256.
    assert seconds(160_000) < 100 * max(seconds(10_000), 0.002)


def called(name: str, arguments: str) -> tuple[Statement, ...]:
    """The statements of a message with one call."""
    call = {"id": "c", "type": "function", "function": {"name": name, "arguments": arguments}}
    message = ChatMessage.model_validate({"role": "assistant", "tool_calls": [call]})
    return statements(message, 3)
