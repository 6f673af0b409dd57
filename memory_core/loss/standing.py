"""What still stands at every call point: in whole messages, shortened ones and the summary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memory_core.errors import NotMeasurable
from memory_core.film import CODES, film
from memory_core.loss.index import Index
from memory_core.loss.reader import SUMMARY, Reader
from memory_core.loss.terms import Mask, Numbers
from memory_core.plan import Plan, State
from memory_core.replay import Replay
from memory_core.texts import _

Codes = NDArray[np.uint8]

WHOLE: Final = (CODES[State.KEPT], CODES[State.PINNED], CODES[State.REPAIRED])
SHORT: Final = CODES[State.PRUNED]


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """What a text that is no whole message holds."""

    items: Numbers
    words: Numbers
    statements: Numbers


NOTHING: Final = Held(*(np.zeros(0, np.int64) for _terms in range(3)))


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """One call point: what stands in its window, by item, word and statement."""

    plan: Plan
    items: Mask
    """By item: it stands anywhere in the window."""
    words: Mask
    statements: Mask
    codes: Codes
    """By message: the values of `memory_core.film.CODES`, 0 = not recorded yet."""


def standing(replay: Replay, index: Index) -> Iterator[Standing]:
    """What stands at each call point of a replay, in order.

    A whole message holds all it says. A shortened output and a summary hold an item only in a line
    that keeps its setting, see `Index.first_said_with`; a word in any line; a statement in a line
    of mostly the same words, see `Spoken.held`.
    """
    check(replay, index)
    seen = film(
        replay, most_messages=max(1, len(replay.messages)), most_calls=max(1, len(replay.plans))
    )
    texts = Texts(replay, index, seen.positions)
    texts.prepare(replay.plans, seen.shortened)
    places = _Places(index)
    changed = _changes(seen.cells)
    summary, held = "", NOTHING
    for call, plan in enumerate(replay.plans):
        for row in changed[call]:
            if call:
                places.add(texts.of(row, int(seen.cells[row, call - 1]), plan.ordinal), -1)
            places.add(texts.of(row, int(seen.cells[row, call]), plan.ordinal), 1)
        text = plan.summary.text if plan.summary else ""
        if text != summary:
            places.add(held, -1)
            summary, held = text, texts.held(text, until=plan.at)
            places.add(held, 1)
        yield Standing(
            plan,
            items=places.items > 0,
            words=places.words > 0,
            statements=places.statements > 0,
            codes=seen.cells[:, call],
        )


def check(replay: Replay, index: Index) -> None:
    """Raise `NotMeasurable` where a replay is a draft, or of other messages than the index."""
    if replay.is_draft:
        raise NotMeasurable(_("a draft has no summaries yet: measure the replay"))
    if replay.messages is not index.messages and replay.messages != index.messages:
        raise NotMeasurable(_("the index was made of other messages than the replay"))


class _Places:
    """How many places of the window hold each term."""

    def __init__(self, index: Index) -> None:
        self.items = np.zeros(len(index.said), np.int32)
        self.words = np.zeros(len(index.words), np.int32)
        self.statements = np.zeros(len(index.spoken.said), np.int32)

    def add(self, held: Held, by: int) -> None:
        self.items[held.items] += by
        self.words[held.words] += by
        self.statements[held.statements] += by


class Texts:
    """Reads the texts that stand for messages, each line once."""

    def __init__(self, replay: Replay, index: Index, positions: Numbers) -> None:
        self._ledger = replay.planner.ledger
        self._index = index
        self._positions = positions
        self._reader = Reader(index)
        self._short: dict[int, Held] = {}

    def prepare(self, plans: Sequence[Plan], shortened: Numbers) -> None:
        """Read the texts of all call points; `shortened` is a film's."""
        short = np.flatnonzero(shortened >= 0).tolist()
        self._reader.prepare((self.sent(row, int(shortened[row])), row) for row in short)
        summaries = dict.fromkeys(plan.summary.text for plan in plans if plan.summary)
        self._reader.prepare((text, SUMMARY) for text in summaries)

    def of(self, row: int, code: int, ordinal: int) -> Held:
        """What a message in this state holds in the window of a call point."""
        if code in WHOLE:
            index = self._index
            return Held(index.said.said(row), index.words.said(row), index.spoken.said.said(row))
        return self.shortened(row, ordinal) if code == SHORT else NOTHING

    def held(self, text: str, *, until: int, source: int = SUMMARY) -> Held:
        """What the lines of `text` hold of the messages before index `until`.

        `source` is the message it is a shortened form of.
        """
        items: dict[int, None] = {}
        words: dict[int, None] = {}
        told: dict[int, None] = {}
        for line in self._reader.read(text, source=source):
            items.update((item, None) for item, since in line.items if since < until)
            words.update(dict.fromkeys(line.words))
            told.update(dict.fromkeys(line.statements))
        return Held(_numbers(items), _numbers(words), _numbers(told))

    def shortened(self, row: int, ordinal: int) -> Held:
        """What a shortened output holds from a call point on."""
        held = self._short.get(row)
        if held is None:
            held = self._short[row] = self.held(self.sent(row, ordinal), until=row + 1, source=row)
        return held

    def sent(self, row: int, ordinal: int) -> str:
        """The text of a message of the window as it is sent at a call point."""
        position = int(self._positions[row])
        entries = self._ledger.row_at(position, ordinal).exchange.entries
        place = [entry.index for entry in entries].index(row)
        return self._ledger.entries_at(position, ordinal)[place].message.text


def _numbers(terms: Iterable[int]) -> Numbers:
    return np.array(list(terms), np.int64)


def _changes(cells: Codes) -> list[list[int]]:
    """By call point: the rows whose code is another than at the call point before."""
    found: list[list[int]] = [[] for _ in range(cells.shape[1])]
    before = np.zeros((cells.shape[0], 1), np.uint8)
    columns, rows = np.nonzero(np.diff(cells, axis=1, prepend=before).T)
    for column, row in zip(columns.tolist(), rows.tolist(), strict=True):
        found[column].append(row)
    return found
