"""Configs with a name and what each is for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from memory_core.config import SESSION_BOUND, MemoryConfig
from memory_core.texts import _


@dataclass(frozen=True, slots=True)
class Preset:
    """A named config: what it is called on the screen, and in a sentence what it does."""

    label: str
    story: str
    config: MemoryConfig


ARTICLE: Final = "article"
"""The preset where everyone starts."""

PRESETS: Final[Mapping[str, Preset]] = {
    ARTICLE: Preset(
        _("The article"),
        _("The numbers of the article on agent memory that this app grew from: small and strict."),
        MemoryConfig(),
    ),
    "cache_friendly": Preset(
        _("Cache-friendly"),
        _(
            "For providers with a prompt cache: compacts rarely and far, so that most of a request "
            "repeats the one before. Sends more tokens in all."
        ),
        MemoryConfig(
            max_token_budget=32_000,
            sliding_window_size=4,
            summary_trigger_ratio=0.95,
            target_ratio=0.3,
            max_summary_tokens=3200,
            tool_pruning_threshold=1000,
            threshold_unit="tokens",
            prune_when="trigger",
            prune_min_clear=4000,
        ),
    ),
    "long_coding": Preset(
        _("Long coding session"),
        _(
            "Room for hours of work: only large outputs are shortened, to the shape of their JSON "
            "where they are JSON; errors stay whole."
        ),
        MemoryConfig(
            max_token_budget=64_000,
            sliding_window_size=20,
            target_ratio=0.5,
            tool_pruning_threshold=1000,
            threshold_unit="tokens",
            pruning_style="json",
            keep_recent_messages=10,
            protect_errors=True,
        ),
    ),
    "chat": Preset(
        _("Chat without tools"),
        _(
            "The newest 30 messages stay word for word, nothing is shortened, and a short summary "
            "holds the rest."
        ),
        MemoryConfig(
            max_token_budget=8000,
            sliding_window_size=30,
            target_ratio=0.6,
            max_summary_tokens=1500,
            prune_when="never",
        ),
    ),
    "keep_facts": Preset(
        _("Keep the facts"),
        _(
            "Half of the budget is for a summary of verbatim lines, about 30 % for the newest "
            "messages: names and numbers said long ago stay, wording goes."
        ),
        MemoryConfig(
            max_token_budget=8000,
            sliding_window_size=2,
            target_ratio=0.8,
            max_summary_tokens=64_000,
            tool_pruning_threshold=1000,
            threshold_unit="tokens",
        ),
    ),
    "keep_everything": Preset(
        _("Keep everything"),
        _(
            "Sends the whole history: what a session costs without any memory. Calls are still "
            "repaired, thinking stays out, and a million tokens is the end."
        ),
        MemoryConfig(
            max_token_budget=1_000_000,
            summary_trigger_ratio=1.0,
            window_when="never",
            prune_when="never",
        ),
    ),
}
"""The presets that come with the library, by name."""


def differing(config: MemoryConfig, other: MemoryConfig) -> list[str]:
    """The fields with different values; pins don't count, as no preset holds any."""
    return [
        name
        for name in MemoryConfig.model_fields
        if name not in SESSION_BOUND and getattr(config, name) != getattr(other, name)
    ]
