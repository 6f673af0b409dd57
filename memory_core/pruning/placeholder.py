"""Style: nothing but the marker."""

from __future__ import annotations

from memory_core.pruning.style import Body


def placeholder(_text: str) -> Body:
    return lambda _room: ""
