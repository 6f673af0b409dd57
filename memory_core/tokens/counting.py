"""Counting the tokens of a text."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from memory_core.models import ESTIMATORS, counted_model
from memory_core.tokens.vocabulary import encoder

if TYPE_CHECKING:
    from tiktoken import Encoding

TokenCounter = Callable[[str], int]
"""Tokens of a text: additive over messages, never negative, never raises."""

LONGEST_PIECE: Final = 100_000
"""Characters encoded at once: tiktoken's regex overflows its stack on a million spaces."""

REMEMBERED_TEXTS: Final = 50_000
REMEMBERED_CHARACTERS: Final = 32_000_000

_SEAM: Final = re.compile(r"(?<=[0-9A-Za-z가-힣一-鿿])(?=[\s.,:;!?\"(){}\[\]<>=/\\、。])")
"""Between a letter or digit and a space or mark (no apostrophe): no token spans such a place."""


def text_counter(model: str, *, unknown_model_factor: float = 1.0) -> TokenCounter:
    """The counter of a model, estimator or encoding; the same object for the same arguments.

    Exact counts equal `len(encoding.encode_ordinary(text))`: reserved tokens count as plain text.
    Unknown models count as o200k_base times the factor, rounded up. Raises `VocabularyMissing`
    here, never while counting.
    """
    chosen = counted_model(model, unknown_model_factor=unknown_model_factor)
    return _counter(chosen.encoding, chosen.factor)


@lru_cache(maxsize=64)
def _counter(encoding: str, factor: float) -> TokenCounter:
    if encoding in ESTIMATORS:
        return ESTIMATORS[encoding]
    if factor == 1:
        return _Remembered(encoder(encoding)).count
    exact = _counter(encoding, 1)
    return lambda text: math.ceil(round(exact(text) * factor, 6))


class _Remembered:
    """Counts kept per text in two generations: the older one goes when the younger one is full.

    Threads share it without a lock: a lost entry is counted again, a found one is always right.
    """

    __slots__ = ("_characters", "_encoding", "_old", "_young")

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding
        self._young: dict[str, int] = {}
        self._old: dict[str, int] = {}
        self._characters = 0

    def count(self, text: str) -> int:
        known = self._young.get(text)
        if known is not None:
            return known
        known = self._old.get(text)
        if known is None:
            encode = self._encoding.encode_ordinary
            if len(text) <= LONGEST_PIECE:
                known = len(encode(text))
            else:
                known = sum(len(encode(piece)) for piece in pieces(text))
        self._remember(text, known)
        return known

    def _remember(self, text: str, tokens: int) -> None:
        if self._characters > REMEMBERED_CHARACTERS or len(self._young) > REMEMBERED_TEXTS:
            self._old, self._young, self._characters = self._young, {}, 0
        self._young[text] = tokens
        self._characters += len(text)


def pieces(text: str) -> Iterator[str]:
    """`text` in pieces of at most `LONGEST_PIECE`, cut at seams where it has any."""
    start = 0
    while len(text) - start > LONGEST_PIECE:
        end = _last_seam(text, start + LONGEST_PIECE - 1_000, start + LONGEST_PIECE)
        if end is None:
            end = _last_seam(text, start + 1, start + LONGEST_PIECE) or start + LONGEST_PIECE
        yield text[start:end]
        start = end
    yield text[start:]


def _last_seam(text: str, low: int, high: int) -> int | None:
    return max((seam.end() for seam in _SEAM.finditer(text, low, high)), default=None)
