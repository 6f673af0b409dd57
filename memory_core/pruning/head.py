"""Style: the start of the text, as the first article has it."""

from __future__ import annotations

from memory_core.pruning.cuts import start_of
from memory_core.pruning.style import Body


def head(text: str) -> Body:
    return lambda room: start_of(text, room)
