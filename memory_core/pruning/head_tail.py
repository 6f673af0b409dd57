"""Style: start and end of the text; logs say at the end what went wrong."""

from __future__ import annotations

from typing import Final

from memory_core.pruning.cuts import end_of, start_of
from memory_core.pruning.style import Body

GAP: Final = "\n…\n"
SMALLEST_ROOM: Final = 24
"""Below this many characters two ends say less than one start."""


def head_tail(text: str) -> Body:
    def body(room: int) -> str:
        if room < SMALLEST_ROOM:
            return start_of(text, room)
        tail = (room - len(GAP)) // 2
        return f"{start_of(text, room - len(GAP) - tail)}{GAP}{end_of(text, tail)}"

    return body
