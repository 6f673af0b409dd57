"""Items a text holds that can be lost, found without the library's own extractor.

An item is an id, path, URL, e-mail address, date, number with its unit, error code or proper name.
"""

from __future__ import annotations

import re
from typing import Final

_KINDS: Final = {
    "url": r"\b[a-z]{3,6}://[^\s\"'<>()\\]+[^\s\"'<>()\\.,;:!?]",
    "email": r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
    "path": (
        r"(?:~|\.{0,2})(?:/[\w.@+-]+){2,}|[\w.-]+(?:/[\w.-]+)+\.[a-z]{1,5}"
        r"|[\w-]+\.(?:py|js|tsx?|json|md|ya?ml|toml|txt|csv|html|css|sh|exs?|rs|go|java|log|cfg)"
    ),
    "date": (
        r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?|\d{1,2}:\d\d(?::\d\d)?(?: [AP]M)?"
        r"|(?:January|February|March|April|May|June|July|August|September|October|November"
        r"|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{1,2}(?:st|nd|rd|th)?"
        r"|\d{1,2}월 \d{1,2}일|오[전후] \d{1,2}시"
    ),
    "amount": (
        r"[$€£₩]\d[\d,]*(?:\.\d+)?"
        r"|\d[\d,]*(?:\.\d+)? ?(?:%|ms|kB|KB|MB|GB|kg|km|hours?|minutes?|seconds?|days?|dollars?"
        r"|tokens|lines|원|만원|만 원|개월|개|명|박|일|시간|분|건|권|장|층|평)"
    ),
    "error": r"[A-Z]\w+(?:Error|Exception)|E[A-Z]{4,12}|(?:exit|status) code \d+|HTTP [45]\d\d",
    "id": (
        r"#\d+|(?=[\w-]*[A-Za-z])(?=[\w-]*\d)[\w-]*\w(?=[^\w-]|$|-(?!\w))"
        r"|\d{5,}"
    ),
    "name": (
        r"(?<=[a-z,] )[A-Z][A-Za-z]+(?: [A-Z][a-z]+)*"
        r"|(?<=\")[A-Z][A-Za-z]+(?: [A-Z][a-z]+)*(?=\")"
    ),
}
_ITEM: Final = re.compile(
    r"(?<![\w])(?:" + "|".join(f"(?P<{kind}>{one})" for kind, one in _KINDS.items()) + r")(?!\w)",
    re.ASCII,
)
_KEY: Final = re.compile(r"\\?\"\s*:")
_SHORTEST: Final = 3
_EDGE: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_WORD: Final = re.compile(r"[A-Za-z]{3,}|[가-힣]{2,}")
_PIECE: Final = re.compile(r"[{}\n]|\\n|(?<=[a-z0-9)\"'다요죠까][.!?]) +(?=[^a-z])")


def items(text: str) -> set[str]:
    """The distinct items of a text; keys of JSON objects are none."""
    return {
        found[0]
        for found in _ITEM.finditer(text)
        if len(found[0]) >= _SHORTEST and not _KEY.match(text, found.end())
    }


def pieces(text: str) -> list[str]:
    """A text in sentences, lines and the flat parts of JSON objects: never more than one line."""
    return [piece for piece in map(str.strip, _PIECE.split(text)) if piece]


def holds(text: str, item: str) -> bool:
    """Whether an item stands in a text on its own, not as a part of a longer word."""
    start = text.find(item)
    while start >= 0:
        end = start + len(item)
        if text[max(0, start - 1) : start] not in _EDGE and text[end : end + 1] not in _EDGE:
            return True
        start = text.find(item, start + 1)
    return False


def words(text: str) -> set[str]:
    """The distinct words of a text, of three Latin letters or two Hangul syllables and more."""
    return {word.lower() for word in _WORD.findall(text)}
