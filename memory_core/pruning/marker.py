"""The line that says a text was shortened, how long it was, and which message it stands for."""

from __future__ import annotations

import re
from typing import Final

_MARKER: Final = re.compile(
    r"\n\.\.\. \[Tool Output Truncated: Total Length \d+ chars\](?: \[#\d+\])?\Z"
)
_LONGEST_MARKER: Final = 120


def marker(length: int, number: int) -> str:
    """The first article's marker, with the original's characters, then the message's index."""
    return f"\n... [Tool Output Truncated: Total Length {length} chars] [#{number}]"


def is_marked(text: str) -> bool:
    """Whether `text` ends in a marker, ours or the first article's; one quoted within is none."""
    return _MARKER.search(text[-_LONGEST_MARKER:]) is not None
