"""Summaries: what stands for the messages that left the window."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from memory_core.config import SummaryHeading
from memory_core.summarizing.article import article_summary
from memory_core.summarizing.clip import clip
from memory_core.summarizing.extractive import ExtractiveSummarizer
from memory_core.summarizing.request import Numbered, Summarizer, SummaryRequest

__all__ = [
    "HEADINGS",
    "SUMMARIZERS",
    "ExtractiveSummarizer",
    "Numbered",
    "Summarizer",
    "SummaryRequest",
    "clip",
]

HEADINGS: Final[Mapping[SummaryHeading, str]] = {
    "korean": "[지속 메모리 요약 정보]\n",
    "english": "[Persistent memory summary]\n",
}
"""How the content of every summary message starts; the Korean one is the first article's."""

SUMMARIZERS: Final[dict[str, Callable[[], Summarizer]]] = {
    "extractive": ExtractiveSummarizer,
    "article": lambda: article_summary,
}
"""The built-in summarisers: a name, and what makes one."""
