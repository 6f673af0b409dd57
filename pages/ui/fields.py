"""The config fields in words: names, choices, and the bounds the config itself sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from memory_core.config import MOST, SESSION_BOUND, MemoryConfig
from memory_core.texts import _
from pages.ui.plain import literal

DEFAULTS: Final = MemoryConfig()

MAIN: Final = (
    "max_token_budget",
    "sliding_window_size",
    "summary_trigger_ratio",
    "tool_pruning_threshold",
    "target_ratio",
    "max_summary_tokens",
)
"""The fields that matter most; all others stand under "More"."""

STEPS: Final[Mapping[str, Sequence[float | None]]] = {
    "max_token_budget": (
        *(500, 1000, 1500, 2000, 3000, 4000, 6000, 8000, 12_000, 16_000, 24_000, 32_000),
        *(48_000, 64_000, 96_000, 128_000, 200_000, 400_000, 1_000_000),
    ),
    "sliding_window_size": (0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 40, 60, 100, 200, 400),
    "summary_trigger_ratio": tuple(percent / 100 for percent in range(5, 101, 5)),
    "tool_pruning_threshold": (
        *(20, 50, 100, 150, 200, 300, 400, 600, 800, 1000, 1500, 2000),
        *(3000, 5000, 10_000, 20_000, 50_000, 100_000),
    ),
    "target_ratio": (None, *(percent / 100 for percent in range(5, 101, 5))),
    "max_summary_tokens": (
        *(None, 0, 100, 200, 300, 500, 800, 1000, 1500, 2000, 3000, 4000, 6000, 8000),
        *(16_000, 32_000, 64_000, 128_000, 500_000),
    ),
}
"""What the sliders stop at; the number field beside each takes any value."""

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
        "keep_recent_messages": _("Newest messages with whole outputs"),
        "keep_recent_tool_outputs": _("Newest outputs left whole"),
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


def hints() -> dict[str, str]:
    """What raising a main field does, in a few words."""
    return {
        "max_token_budget": _("higher: more is kept, calls cost more"),
        "sliding_window_size": _("higher: more stays when old messages leave"),
        "summary_trigger_ratio": _("higher: compacts later, nearer the limit"),
        "tool_pruning_threshold": _("higher: fewer outputs are shortened"),
        "target_ratio": _("higher: less leaves at a time, but sooner again"),
        "max_summary_tokens": _("higher: more old facts, less room for new"),
    }


def groups() -> dict[str, tuple[str, ...]]:
    """The fields under "More", by what they are about."""
    return {
        _("Window"): ("window_when", "reply_reserve", "fixed_overhead_tokens", "pins"),
        _("Pruning"): (
            "prune_when",
            "pruning_style",
            "threshold_unit",
            "keep_recent_messages",
            "keep_recent_tool_outputs",
            "prune_min_clear",
            "protect_errors",
        ),
        _("Summary"): ("summarizer", "summary_heading"),
        _("Model and provider"): (
            "model",
            "unknown_model_factor",
            "provider_profile",
            "image_tokens",
            "keep_thinking",
        ),
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


def limits(name: str) -> str:
    """What a number field takes, and what an empty one means, as sentences."""
    found = bounds(name)
    line = (
        _("From {least} to {most}.")
        if found.least or found.is_whole
        else _("Above 0, up to {most}.")
    )
    if found.most >= MOST:
        line = _("From {least} on.")
    line = line.format(least=f"{found.least:g}", most=f"{found.most:g}")
    if getattr(DEFAULTS, name) is None:
        return line
    return line + " " + _("Emptied, it takes the value of the preset again.")


def label_of(name: str, config: MemoryConfig, base: MemoryConfig) -> str:
    """The field's name as Markdown, with the value of the preset `base` where that is another."""
    label, before = labels()[name], getattr(base, name)
    if name in SESSION_BOUND or getattr(config, name) == before:
        return label
    return _("{label} · preset {value}").format(label=label, value=_marked(name, before))


def change_of(name: str, config: MemoryConfig, base: MemoryConfig) -> str:
    """What a field was in the preset `base` and is now, as Markdown."""
    return _("{label} {before} → {after}").format(
        label=labels()[name],
        before=_marked(name, getattr(base, name)),
        after=_marked(name, getattr(config, name)),
    )


def nearest_step(name: str, value: float | None) -> float | None:
    """The stop of a slider that is nearest to a value."""
    if value is None:
        return None
    return min((step for step in STEPS[name] if step is not None), key=lambda one: abs(one - value))


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


def _marked(name: str, value: object) -> str:
    """`shown` as Markdown: what a person may have typed becomes code."""
    return literal(shown(name, value)) if name == "model" else shown(name, value)
