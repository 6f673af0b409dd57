"""Promises about telling whether a text takes more tokens than a limit."""

from __future__ import annotations

import pytest

from memory_core.pruning.fitting import exceeds
from memory_core.tokens.counting import text_counter

COUNT = text_counter("gpt-5")


@pytest.mark.parametrize("unit", [" ", "a", "한국어 문장입니다. ", '{"id": 1}, ', "😀"])
@pytest.mark.parametrize("repeats", [0, 1, 1_000, 250_000])
def test_the_answer_is_that_of_counting_the_whole_text(unit: str, repeats: int) -> None:
    text = unit * repeats
    tokens = COUNT(text)
    for limit in (0, tokens // 50, tokens - 300, tokens - 1, tokens, tokens + 1):
        if limit >= 0:
            assert exceeds(text, limit, COUNT) == (tokens > limit)
