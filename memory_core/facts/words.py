"""Content words of a text: what is compared when a line is asked whether it still says the same."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_WORD: Final = re.compile(
    r"[A-Za-zÀ-ɏͰ-῿]{3,40}+(?:_[A-Za-z]{1,40}+){0,8}+"
    r"|[A-Za-z]{1,2}(?:_[A-Za-z]{1,40}+){1,8}+"
    r"|[가-힣]{2,30}+|[\u3040-\u30ff\u3400-\u9fff]{2}"
)
_PARTICLE: Final = re.compile(
    r"(?<=[가-힣]{2})(?:으로|에서|에게|까지|부터|처럼|보다|이랑|하고|을|를|이|가|은|는|의|에|로|와|과|도|만)\Z"
)


def content_words(text: str) -> tuple[str, ...]:
    """The distinct words of `text` in order of appearance, lower-cased.

    Words of three letters or more; `snake_case` is one word; a Hangul word loses one particle if
    two syllables remain; Kana and Han count in pairs. Common words are left to the idf weight.
    """
    return tuple(dict.fromkeys(map(_stem, _WORD.findall(text))))


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    return _PARTICLE.sub("", word) if word[0] >= "가" else word.lower()
