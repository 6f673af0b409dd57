"""The first article's summariser as a named baseline: the first 50 characters of what was said."""

from __future__ import annotations

from typing import Final

from memory_core.summarizing.request import SummaryRequest

TITLE: Final = "이전 대화 핵심 요약:\n"
_SHOWN: Final = 50
_SPEAKERS: Final = frozenset({"user", "assistant"})


def article_summary(request: SummaryRequest) -> str:
    """`- {role}: {first 50 characters}...` for every user and assistant message behind the cut.

    Where they exceed the cap (the article has none) the oldest leave, the newest stay whole.
    """
    lines = [
        f"- {item.message.role}: {item.message.text[:_SHOWN]}...\n"
        for item in request.behind
        if item.message.role in _SPEAKERS
    ]
    left = request.cap - request.count(TITLE)
    start = len(lines)
    while start and left > 0:
        start -= 1
        left -= request.count(lines[start])
    return _newest(lines[start:], request)


def _newest(lines: list[str], request: SummaryRequest) -> str:
    for start in range(len(lines)):
        text = (TITLE + "".join(lines[start:])).removesuffix("\n")
        if request.count(text) <= request.cap:
            return text
    return ""
