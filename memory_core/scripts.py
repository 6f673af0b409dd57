"""The scripts of a text, told by Unicode: which letters it has, and what kind of text that makes.

A script is no language: English, French and the words of source code are all Latin here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

FEW_LETTERS: Final = 0.25
"""Share of the letters from which on a script other than Latin names the kind of a text."""
MANY_MARKS: Final = 0.2
"""Share of digits and marks among all but spaces, from which on a text is code or data."""

_HANGUL: Final = (
    (0x1100, 0x11FF),
    (0x3131, 0x318E),
    (0xA960, 0xA97C),
    (0xAC00, 0xD7FB),
    (0xFFA0, 0xFFDC),
)
_LATIN: Final = (
    (0x41, 0x24F),
    (0x300, 0x36F),
    (0x1E00, 0x1EFF),
    (0x2C60, 0x2C7F),
    (0xA722, 0xA7FF),
    (0xAB30, 0xAB64),
    (0xFB00, 0xFB06),
    (0xFF21, 0xFF5A),
)
_PLANE: Final = 0x10000
_PICTURES: Final = (0x1F000, 0x1FFFF)
"""Where emoji and other pictures lie beyond the first plane; elsewhere there are letters."""


class Kind(StrEnum):
    """What a whole text is, by its scripts."""

    KOREAN = "korean"
    LATIN = "latin"
    CODE = "code"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Scripts:
    """Characters of a text by script; their sum is its length."""

    spaces: int = 0
    hangul: int = 0
    latin: int = 0
    other: int = 0
    """Letters of every other script."""
    marks: int = 0
    """Digits, punctuation, symbols, emoji, control characters."""

    @property
    def letters(self) -> int:
        return self.hangul + self.latin + self.other

    @property
    def characters(self) -> int:
        return self.spaces + self.letters + self.marks

    def __add__(self, more: Scripts) -> Scripts:
        return Scripts(
            self.spaces + more.spaces,
            self.hangul + more.hangul,
            self.latin + more.latin,
            self.other + more.other,
            self.marks + more.marks,
        )

    @property
    def kind(self) -> Kind:
        """Korean or other from a quarter of such letters on; code or data from a fifth of marks on.

        Korean goes before code: estimates go wrong with the letters, also where JSON holds them.
        """
        if self.hangul and self.hangul >= FEW_LETTERS * self.letters:
            return Kind.KOREAN
        if self.other and self.other >= FEW_LETTERS * self.letters:
            return Kind.OTHER
        if self.marks and self.marks >= MANY_MARKS * (self.marks + self.letters):
            return Kind.CODE
        return Kind.LATIN if self.latin else Kind.OTHER


_SPACE, _HANGUL_AT, _LATIN_AT, _OTHER_AT, _MARK = range(5)


def scripts_of(text: str) -> Scripts:
    """The characters of `text` by script."""
    if text.isascii():
        plain = np.frombuffer(text.encode(), np.uint8)
        return Scripts(*np.bincount(_table()[plain], minlength=5).tolist())
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    within = points[points < _PLANE]
    found = np.bincount(_table()[within], minlength=5)
    beyond = points[points >= _PLANE]
    if beyond.size:
        pictures = int(((beyond >= _PICTURES[0]) & (beyond <= _PICTURES[1])).sum())
        found[_MARK] += pictures
        found[_OTHER_AT] += beyond.size - pictures
    return Scripts(*found.tolist())


@cache
def _table() -> NDArray[np.uint8]:
    """The class of every character of the first plane."""
    return np.fromiter(_classes(), np.uint8, _PLANE)


def _classes() -> Iterable[int]:
    for point in range(_PLANE):
        character = chr(point)
        if character.isspace():
            yield _SPACE
        elif unicodedata.category(character)[0] not in "LM":
            yield _MARK
        elif _lies_in(point, _HANGUL):
            yield _HANGUL_AT
        else:
            yield _LATIN_AT if _lies_in(point, _LATIN) else _OTHER_AT


def _lies_in(point: int, ranges: Iterable[tuple[int, int]]) -> bool:
    return any(first <= point <= last for first, last in ranges)
