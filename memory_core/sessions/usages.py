"""Token usage as the providers report it, in one form: input is what was not read from a cache."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from memory_core.sessions.session import Usage
from memory_core.sessions.values import as_object


def anthropic_usage(reported: object) -> Usage | None:
    """Anthropic's fields, where `input_tokens` already leaves the cache out."""
    fields = as_object(reported)
    if not fields:
        return None
    return Usage(
        input_tokens=_count(fields, "input_tokens"),
        output_tokens=_count(fields, "output_tokens"),
        cache_read_tokens=_count(fields, "cache_read_input_tokens"),
        cache_write_tokens=_count(fields, "cache_creation_input_tokens"),
    )


def openai_usage(reported: object) -> Usage | None:
    """OpenAI's fields (Chat Completions, Responses, Codex), where input includes cached tokens."""
    fields = as_object(reported)
    if not fields:
        return None
    details = fields.get("prompt_tokens_details") or fields.get("input_tokens_details")
    cached = _count(fields, "cached_input_tokens") or _count(as_object(details), "cached_tokens")
    total = _count(fields, "prompt_tokens") or _count(fields, "input_tokens")
    return Usage(
        input_tokens=max(0, total - cached),
        output_tokens=_count(fields, "completion_tokens") or _count(fields, "output_tokens"),
        cache_read_tokens=cached,
        cache_write_tokens=_count(fields, "cache_write_input_tokens"),
    )


def largest(usages: Iterable[Usage]) -> Usage | None:
    """The maximum of each figure: parts of one reply repeat its usage, the last one final."""
    found = list(usages)
    if not found:
        return None
    return Usage(
        input_tokens=max(usage.input_tokens for usage in found),
        output_tokens=max(usage.output_tokens for usage in found),
        cache_read_tokens=max(usage.cache_read_tokens for usage in found),
        cache_write_tokens=max(usage.cache_write_tokens for usage in found),
    )


def _count(fields: Mapping[str, Any], name: str) -> int:
    value = fields.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
