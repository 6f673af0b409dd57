"""Whatever form a model's answer has, a summary is a flat list of facts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.summarizing.cleaning import cleaned

KNOWN = range(10)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("- [#1] a\n- [#2] b", "- [#1] a\n- [#2] b"),
        ("* a\n• b\n– c\n1. d\n2) e", "- a\n- b\n- c\n- d\n- e"),
        ("```markdown\n- a\n```", "- a"),
        ("Here is the new list:\n\n- a\n- b", "- a\n- b"),
        ("새 목록입니다：\n- 가", "- 가"),
        ("## Facts\n- a\n---\n### More\n- b", "- a\n- b"),
        ("- a\n  goes on\n  - nested\n\t* deeper", "- a goes on\n- nested\n- deeper"),
        ("plain line\nanother", "- plain line\n- another"),
        ("- a\n- b\n- a", "- a\n- b"),
        ("- a:\n- b", "- a:\n- b"),
        ("- a\nOpen tasks:\n- b", "- a\n- Open tasks:\n- b"),
        ("<think>let me see\n- no</think>\n- a", "- a"),
        ("<think>cut off in the middle\n- no", ""),
        ("- [#3][#77] a [#8] b [#99]", "- [#3] a [#8] b"),
        ("- [#77]", ""),
        (
            "- -5 °C at 10:30\n- 2024. 3. 1.\n- **bold** x",
            "- -5 °C at 10:30\n- 2024. 3. 1.\n- **bold** x",
        ),
        ("[#1] a\n[#2] b", "- [#1] a\n- [#2] b"),
        ("", ""),
        ("\n \n", ""),
        ("```\n```", ""),
        ("-\n- \n*", ""),
    ],
)
def test_an_answer_becomes_a_flat_list(answer: str, expected: str) -> None:
    assert cleaned(answer, KNOWN) == expected


@given(st.text(alphabet=st.sampled_from("-*# `~a가[]19.:\n\t<think>/"), max_size=60) | st.text())
def test_every_line_is_one_fact_and_cleaning_again_changes_nothing(answer: str) -> None:
    text = cleaned(answer, KNOWN)
    lines = text.split("\n") if text else []
    assert all(line.startswith("- ") and line[2:].strip() for line in lines)
    assert len(lines) == len(set(lines))
    assert cleaned(text, KNOWN) == text
