"""Places to cut a text so that no visible character is torn apart."""

from __future__ import annotations

import unicodedata
from typing import Final

LONGEST_CHARACTER: Final = 32
"""Code points searched for the edge of a visible character; longer ones are torn."""

_JOINER: Final = "\u200d"


def start_of(text: str, room: int) -> str:
    """The first whole visible characters of `text`, at most `room` code points."""
    if room >= len(text):
        return text
    for at in range(room, max(0, room - LONGEST_CHARACTER), -1):
        if not _is_inside(text, at):
            return text[:at]
    return text[: max(0, room)] if room > LONGEST_CHARACTER else ""


def end_of(text: str, room: int) -> str:
    """The last whole visible characters of `text`, at most `room` code points."""
    if room >= len(text):
        return text
    first = len(text) - max(0, room)
    for at in range(first, min(len(text), first + LONGEST_CHARACTER)):
        if not _is_inside(text, at):
            return text[at:]
    return text[first:] if room > LONGEST_CHARACTER else ""


def _is_inside(text: str, at: int) -> bool:
    """Whether a cut at `at`, inside `text`, would tear a visible character."""
    before, after = text[at - 1], text[at]
    if after < "\u0300":
        return before == "\r" and after == "\n"
    return (
        before == _JOINER
        or after == _JOINER
        or unicodedata.category(after).startswith("M")
        or "\U0001f3fb" <= after <= "\U0001f3ff"
        or "\u1160" <= after <= "\u11ff"
        or "\udc00" <= after <= "\udfff"
        or (_is_flag_half(before) and _is_flag_half(after))
    )


def _is_flag_half(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"
