"""Configs with a name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from memory_core.config import MemoryConfig
from memory_core.texts import _


@dataclass(frozen=True, slots=True)
class Preset:
    """A named config and what it is called on the screen."""

    label: str
    config: MemoryConfig


PRESETS: Final[Mapping[str, Preset]] = {
    "article": Preset(_("The article"), MemoryConfig()),
}
"""All presets by name; "article" has the first article's numbers, and is where everyone starts."""
