"""The settings: refused by field and reason, frozen, the same through JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from pydantic import ValidationError

from memory_core.config import MemoryConfig, parse_config, read_config
from memory_core.errors import InvalidConfig
from tests.histories import configs
from tests.saying import settings

REFUSED: list[tuple[str, Any]] = [
    ("max_token_budget", -1),
    ("max_token_budget", -1),
    ("max_token_budget", "4000"),
    ("max_token_budget", 4000.0),
    ("max_token_budget", True),
    ("max_token_budget", None),
    ("sliding_window_size", -1),
    ("sliding_window_size", "10"),
    ("tool_pruning_threshold", -1),
    ("summary_trigger_ratio", 0),
    ("summary_trigger_ratio", 1.01),
    ("summary_trigger_ratio", "0.8"),
    ("summary_trigger_ratio", float("nan")),
    ("summary_trigger_ratio", float("inf")),
    ("target_ratio", 0),
    ("target_ratio", 2),
    ("max_summary_tokens", -1),
    ("keep_recent_messages", -1),
    ("keep_recent_tool_outputs", "2"),
    ("prune_min_clear", -5),
    ("protect_errors", "yes"),
    ("protect_errors", 1),
    ("keep_thinking", None),
    ("threshold_unit", "words"),
    ("prune_when", "sometimes"),
    ("window_when", ""),
    ("pruning_style", "tail"),
    ("summarizer", "gpt"),
    ("provider_profile", "OpenAI"),
    ("model", 5),
    ("unknown_model_factor", 0),
    ("unknown_model_factor", float("nan")),
    ("image_tokens", -1),
    ("reply_reserve", -1),
    ("fixed_overhead_tokens", 1.5),
    ("pins", 3),
    ("pins", [1.5]),
    ("pins", [True]),
    ("budget", 4000),
]


@pytest.mark.parametrize(("field", "value"), REFUSED)
def test_a_bad_value_is_refused_with_field_and_reason(field: str, value: object) -> None:
    with pytest.raises(ValidationError) as caught:
        settings(**{field: value})
    assert {item["loc"][0] for item in caught.value.errors()} == {field}
    assert all(item["msg"] for item in caught.value.errors())


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("sliding_window_size", 0),
        ("max_token_budget", 1),
        ("summary_trigger_ratio", 1),
        ("summary_trigger_ratio", 1e-9),
        ("target_ratio", None),
        ("keep_recent_messages", 0),
        ("pins", [0, "m-1", "한"]),
        ("model", "a model nobody knows"),
    ],
)
def test_values_at_the_edge_are_fine(field: str, value: object) -> None:
    assert field in settings(**{field: value}).model_dump()


@pytest.mark.parametrize("field", MemoryConfig.model_fields)
def test_every_field_says_in_a_sentence_what_it_does(field: str) -> None:
    description = MemoryConfig.model_fields[field].description
    assert description
    assert description[0].isupper()
    assert description.endswith(".")


def test_a_config_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        setattr(settings(), "max_token_budget", 1)  # noqa: B010 - what type checkers refuse


@given(configs())
def test_a_config_is_the_same_through_json_and_through_its_changes(config: MemoryConfig) -> None:
    assert parse_config(config.model_dump_json()) == config
    assert parse_config(json.dumps(config.changed())) == config


@given(configs())
def test_the_trigger_and_the_cap_lie_within_the_budget(config: MemoryConfig) -> None:
    assert 0 <= config.trigger_tokens <= config.max_token_budget
    assert 0 <= config.summary_cap <= config.max_token_budget / 2


UNREADABLE = {
    "not JSON": ("{", "not JSON"),
    "empty": ("", "not JSON"),
    "a list": ("[1]", "dictionary"),
    "null": ("null", "dictionary"),
    "nested without end": ("[" * 100_000, "not JSON"),
    "a number without end": ('{"max_token_budget": ' + "9" * 9_999 + "}", "not JSON"),
    "two bad fields": ('{"max_token_budget": "7", "zzz": 1}', "max_token_budget: .*; zzz: "),
}


@pytest.mark.parametrize("kind", UNREADABLE)
def test_a_text_that_is_no_config_is_refused_with_its_source_and_the_reason(kind: str) -> None:
    text, reason = UNREADABLE[kind]
    with pytest.raises(InvalidConfig, match=f"^mine.json: .*{reason}"):
        parse_config(text, source="mine.json")


def test_a_config_file_is_read_with_or_without_a_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    for encoding in ("utf-8", "utf-8-sig"):
        file.write_text('{"pins": ["한"]}', encoding=encoding)
        assert read_config(file) == settings(pins=["한"])


def test_a_config_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "latin.json").write_bytes(b'{"model": "\xe9"}')
    for name in ("missing.json", "latin.json", ""):
        file = tmp_path / name
        with pytest.raises(InvalidConfig) as caught:
            read_config(file)
        assert str(file) in str(caught.value)
