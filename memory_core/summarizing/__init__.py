"""Summaries: what stands for the messages that left the window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from memory_core.summarizing.article import article_summary
from memory_core.summarizing.clip import clip
from memory_core.summarizing.extractive import ExtractiveSummarizer
from memory_core.summarizing.request import Numbered, Summarizer, SummaryRequest

__all__ = [
    "HEADING",
    "SUMMARIZERS",
    "ExtractiveSummarizer",
    "Numbered",
    "Summarizer",
    "SummaryRequest",
    "clip",
    "summary_content",
]

HEADING: Final = "[지속 메모리 요약 정보]\n"
"""How the content of every summary message starts."""

SUMMARIZERS: Final[dict[str, Callable[[], Summarizer]]] = {
    "extractive": ExtractiveSummarizer,
    "article": lambda: article_summary,
}
"""The built-in summarisers: a name, and what makes one."""


def summary_content(text: str) -> str:
    """The content of the message that carries a summary."""
    return HEADING + text
