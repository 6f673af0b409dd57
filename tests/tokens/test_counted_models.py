"""Promises about which encoding counts which model."""

from __future__ import annotations

import pytest

from memory_core.models import ENCODINGS, counted_model


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("gpt-5", "o200k_base"),
        ("gpt-5.2-codex", "o200k_base"),
        ("gpt-4o-2024-05-13", "o200k_base"),
        ("GPT-4o", "o200k_base"),
        ("openai/gpt-4.1", "o200k_base"),
        ("openrouter/openai/gpt-4o-mini", "o200k_base"),
        ("azure/gpt-35-turbo", "cl100k_base"),
        ("gpt-4", "cl100k_base"),
        ("gpt-oss-120b", "o200k_harmony"),
        ("text-davinci-003", "p50k_base"),
        ("cl100k_base", "cl100k_base"),
    ],
)
def test_a_model_of_tiktokens_table_is_counted_exactly(name: str, encoding: str) -> None:
    model = counted_model(name, unknown_model_factor=1.3)
    assert (model.name, model.encoding, model.exact, model.factor) == (name, encoding, True, 1.0)
    assert encoding in model.label


@pytest.mark.parametrize(
    "name",
    ["claude-sonnet-4-5", "gemini-3-pro", "someone/gpt-4-like", "", "한국어", "/", "openai/"],
)
def test_an_unknown_model_is_an_estimate_that_says_so(name: str) -> None:
    model = counted_model(name, unknown_model_factor=1.25)
    assert (model.encoding, model.exact, model.factor) == ("o200k_base", False, 1.25)
    assert "estimate" in model.label
    assert "1.25" in model.label


@pytest.mark.parametrize("name", ["len // 3", "chars / 4"])
def test_a_rule_of_thumb_is_an_estimate_whatever_the_factor(name: str) -> None:
    model = counted_model(name, unknown_model_factor=2.0)
    assert (model.encoding, model.exact, model.factor) == (name, False, 1.0)
    assert name in model.label


def test_every_encoding_tiktoken_knows_can_be_named() -> None:
    from tiktoken_ext.openai_public import ENCODING_CONSTRUCTORS

    assert set(ENCODINGS) == set(ENCODING_CONSTRUCTORS)
