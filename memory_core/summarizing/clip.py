"""Cutting an over-long summary where a sentence or a line ends."""

from __future__ import annotations

import re
from typing import Final

from memory_core.tokens.counting import TokenCounter

_END: Final = re.compile(
    r"[.!?…][\"'\u201d\u2019)\]]{0,2}(?: ?\[#[0-9]{1,9}\])?(?=\s)|[\u3002\uff01\uff1f]|(?=\n)"
)
_LONGEST_TOKEN: Final = 16


def clip(text: str, cap: int, count: TokenCounter) -> str:
    """The longest head of `text` that ends a sentence or a line and fits `cap` tokens, or "".

    Only the first 16 characters a token of the cap are looked at.
    """
    if count(text) <= cap:
        return text
    head = text[: max(0, cap) * _LONGEST_TOKEN]
    ends = [found.end() for found in _END.finditer(head)]
    low, high = 0, len(ends)
    while low < high:
        middle = (low + high + 1) // 2
        if count(head[: ends[middle - 1]].rstrip()) <= cap:
            low = middle
        else:
            high = middle - 1
    return head[: ends[low - 1]].rstrip() if low else ""
