"""The config fields in words: names, choices, and the bounds the config itself sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from memory_core.config import MemoryConfig
from memory_core.texts import _

DEFAULTS: Final = MemoryConfig()

_SCHEMAS: Final[Mapping[str, Any]] = MemoryConfig.model_json_schema()["properties"]


@dataclass(frozen=True, slots=True)
class Bounds:
    """The smallest and largest number a field takes; 0.0 is refused where it must be more."""

    least: float
    most: float
    is_whole: bool


def labels() -> dict[str, str]:
    """What each field is called on the screen, in the order of the controls."""
    return {
        "max_token_budget": _("Token budget"),
        "sliding_window_size": _("Window (messages)"),
        "summary_trigger_ratio": _("Trigger (of budget)"),
        "tool_pruning_threshold": _("Pruning threshold"),
        "target_ratio": _("Target (of budget)"),
        "max_summary_tokens": _("Summary cap (tokens)"),
        "window_when": _("When old messages leave"),
        "summarizer": _("Summariser"),
        "summary_heading": _("Language of the summary's heading"),
        "prune_when": _("When outputs are shortened"),
        "pruning_style": _("How outputs are shortened"),
        "threshold_unit": _("Unit of the pruning threshold"),
        "keep_recent_messages": _("Newest messages never shortened"),
        "keep_recent_tool_outputs": _("Newest outputs never shortened"),
        "prune_min_clear": _("Least tokens a shortening frees"),
        "protect_errors": _("Protect error outputs"),
        "reply_reserve": _("Reserved for the reply (tokens)"),
        "fixed_overhead_tokens": _("Fixed overhead (tokens)"),
        "provider_profile": _("Provider's message rules"),
        "model": _("Model counted for"),
        "unknown_model_factor": _("Factor for unknown models"),
        "image_tokens": _("One image (tokens)"),
        "keep_thinking": _("Send and count thinking"),
        "pins": _("Pinned messages"),
    }


def choices() -> dict[str, dict[str, str]]:
    """The words for each value of the fields that take one of a few."""
    return {
        "window_when": {
            "trigger": _("above the trigger"),
            "every_call": _("at every call"),
            "never": _("only as far as needed"),
        },
        "summarizer": {
            "extractive": _("verbatim extracts"),
            "article": _("first 50 characters, as the article"),
            "model": _("notes by a model"),
            "none": _("nothing"),
        },
        "summary_heading": {"korean": _("Korean"), "english": _("English")},
        "prune_when": {
            "always": _("always"),
            "trigger": _("above the trigger"),
            "never": _("never"),
        },
        "pruning_style": {
            "head": _("head only"),
            "head_tail": _("head and tail"),
            "json": _("JSON shape"),
            "placeholder": _("placeholder only"),
        },
        "threshold_unit": {"characters": _("characters"), "tokens": _("tokens")},
        "provider_profile": {
            "openai": _("OpenAI"),
            "anthropic": _("Anthropic"),
            "strict": _("strict: one system message, user first"),
        },
    }


def bounds(name: str) -> Bounds:
    """The bounds of a number field, as its schema states them."""
    schema = _SCHEMAS[name]
    number: dict[str, Any] = schema.get("anyOf", [schema])[0]
    least = number["minimum" if "minimum" in number else "exclusiveMinimum"]
    most = number["maximum"]
    if number["type"] == "integer":
        return Bounds(least, most, is_whole=True)
    return Bounds(float(least), float(most), is_whole=False)


def label_of(name: str, config: MemoryConfig) -> str:
    """The field's name, with its default where the config has another value."""
    label, default = labels()[name], getattr(DEFAULTS, name)
    if getattr(config, name) == default:
        return label
    return _("{label} · default {value}").format(label=label, value=shown(name, default))


def shown(name: str, value: object) -> str:
    """A value of a field in the words of its control."""
    words = choices().get(name)
    if words is not None:
        return words[str(value)]
    if value is None:
        return _("automatic")
    if isinstance(value, bool):
        return _("on") if value else _("off")
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:g}"
    return str(value) if value else _("none")
