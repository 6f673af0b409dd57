"""Ways to fit a history into a budget: the library's, and the baselines it is compared with."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from memory_core.config import MemoryConfig
from memory_core.gauge import Gauge
from memory_core.manager import compress
from memory_core.messages import ChatMessage
from memory_core.presets import PRESETS
from memory_core.replay import summarizer_of
from memory_core.summarizing.request import Summarizer
from tests.retention.items import items, pieces, words
from tests.retention.needs import said
from tests.retention.scoring import Method, Window

RECENT: Final = 0.3
"""Share of the budget beside the system message that TF-IDF MMR leaves to the newest messages."""
_DIVERSITY: Final = 0.5
_LEFT_WHOLE: Final = 3
_CUT: Final = 150
_FRAMING: Final = 8


def library(config: MemoryConfig, gauge: Gauge) -> Method:
    """The library's window under a config, as one compaction with no memory of earlier calls."""
    summarizer: Summarizer | None = summarizer_of(config)

    def method(history: Sequence[ChatMessage], budget: int) -> Window:
        changed = config.model_copy(update={"max_token_budget": budget})
        return compress(history, changed, summarizer=summarizer, gauge=gauge).messages

    return method


def full(history: Sequence[ChatMessage], _budget: int) -> Window:
    """Everything, whatever the budget."""
    return history


class Baselines:
    """Baselines that count with one gauge."""

    def __init__(self, gauge: Gauge) -> None:
        self._gauge = gauge
        self._pieces: dict[str, list[str]] = {}
        self._items: dict[str, list[str]] = {}
        self._cut: dict[int, tuple[ChatMessage, ChatMessage]] = {}

    def drop_oldest(self, history: Sequence[ChatMessage], budget: int) -> Window:
        """The newest messages that fit behind the system message."""
        anchor = _anchor(history)
        left = budget - sum(map(self._gauge.tokens, anchor))
        return [*anchor, *self._newest(history[len(anchor) :], left)]

    def head_tail(self, history: Sequence[ChatMessage], budget: int) -> Window:
        """Every message but the newest three cut to its first and last 75 characters, then that."""
        anchor = _anchor(history)
        old = [self._shortened(message) for message in history[len(anchor) : -_LEFT_WHOLE]]
        newest = history[max(len(anchor), len(history) - _LEFT_WHOLE) :]
        return self.drop_oldest([*anchor, *old, *newest], budget)

    def bare_items(self, history: Sequence[ChatMessage], budget: int) -> Window:
        """The items alone, newest first, one a line: what a measure without context rewards."""
        anchor = _anchor(history)
        found = (
            item
            for message in reversed(history[len(anchor) :])
            for item in self._items_of(said(message))
        )
        return [*anchor, *self._lines(dict.fromkeys(found), budget, anchor)]

    def tfidf_mmr(self, history: Sequence[ChatMessage], budget: int) -> Window:
        """The newest messages, and pieces of the others: near their middle, unlike each other."""
        anchor = _anchor(history)
        room = budget - sum(map(self._gauge.tokens, anchor))
        newest = self._newest(history[len(anchor) :], int(RECENT * room))
        old = history[len(anchor) : len(history) - len(newest)]
        lines = [piece for message in old for piece in self._pieces_of(said(message))]
        used = sum(map(self._gauge.tokens, [*anchor, *newest]))
        costs = [self._gauge.count(line + "\n") for line in lines]
        chosen = _diverse(lines, costs, budget - used - _FRAMING)
        summary = [_note([lines[at] for at in sorted(chosen)])] if chosen else []
        return [*anchor, *summary, *newest]

    def _newest(self, messages: Sequence[ChatMessage], room: int) -> list[ChatMessage]:
        kept: list[ChatMessage] = []
        for message in reversed(messages):
            room -= self._gauge.tokens(message)
            if room < 0:
                break
            kept.append(message)
        return kept[::-1]

    def _shortened(self, message: ChatMessage) -> ChatMessage:
        text = message.text
        if len(text) <= _CUT:
            return message
        known = self._cut.get(id(message))
        if known is None:
            half = _CUT // 2
            short = message.model_copy(update={"content": f"{text[:half]} … {text[-half:]}"})
            known = self._cut[id(message)] = message, short
        return known[1]

    def _pieces_of(self, text: str) -> list[str]:
        if text not in self._pieces:
            self._pieces[text] = [piece for piece in pieces(text) if words(piece)]
        return self._pieces[text]

    def _items_of(self, text: str) -> list[str]:
        if text not in self._items:
            self._items[text] = sorted(items(text))
        return self._items[text]

    def _lines(
        self, lines: Iterable[str], budget: int, anchor: Sequence[ChatMessage]
    ) -> list[ChatMessage]:
        left = budget - sum(map(self._gauge.tokens, anchor)) - _FRAMING
        chosen: list[str] = []
        for line in lines:
            left -= self._gauge.count(line + "\n")
            if left < 0:
                break
            chosen.append(line)
        return [_note(chosen)] if chosen else []


def methods(gauge: Gauge) -> Mapping[str, Method]:
    """All methods by name: those of the library last."""
    baselines = Baselines(gauge)
    presets = {
        f"preset {name}": library(PRESETS[name].config, gauge) for name in ("chat", "keep_facts")
    }
    return {
        "full window": full,
        "drop oldest": baselines.drop_oldest,
        "article, 50 characters": library(MemoryConfig(summarizer="article"), gauge),
        "head+tail 150": baselines.head_tail,
        "TF-IDF MMR": baselines.tfidf_mmr,
        "bare item list": baselines.bare_items,
        "article, extractive": library(MemoryConfig(), gauge),
        **presets,
    }


def _anchor(history: Sequence[ChatMessage]) -> list[ChatMessage]:
    return [message for message in history[:1] if message.role in ("system", "developer")]


def _note(lines: Sequence[str]) -> ChatMessage:
    return ChatMessage(role="user", content="\n".join(lines))


_TERM: Final = re.compile(r"[A-Za-z0-9_]{2,}|[가-힣]{2,}")


def _diverse(lines: Sequence[str], costs: Sequence[int], room: int) -> list[int]:
    """Maximal marginal relevance to the centroid over TF-IDF vectors, within `room` tokens."""
    vectors = _vectors(lines)
    if not len(vectors):
        return []
    relevance = vectors @ vectors.mean(axis=0)
    relevance /= relevance.max() or 1.0
    nearest = np.zeros(len(lines))
    chosen: list[int] = []
    is_open = np.array(costs) <= room
    while is_open.any():
        worth = np.where(is_open, (1 - _DIVERSITY) * relevance - _DIVERSITY * nearest, -np.inf)
        best = int(worth.argmax())
        chosen.append(best)
        room -= costs[best]
        nearest = np.maximum(nearest, vectors @ vectors[best])
        is_open[best] = False
        is_open &= np.array(costs) <= room
    return chosen


def _vectors(lines: Sequence[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    terms = [Counter(_TERM.findall(line.lower())) for line in lines]
    frequency = Counter(term for line in terms for term in line)
    columns = {term: at for at, term in enumerate(frequency)}
    vectors = np.zeros((len(lines), len(columns)))
    for row, counted in enumerate(terms):
        for term, times in counted.items():
            vectors[row, columns[term]] = times * math.log(1 + len(lines) / frequency[term])
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(lengths, lengths, 1.0)
