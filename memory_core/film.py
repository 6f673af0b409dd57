"""A whole session as one picture in numbers: what every message is at every call point."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memory_core.pipeline import Planner
from memory_core.plan import Plan, State
from memory_core.replay import Replay
from memory_core.rows import Row
from memory_core.window import state_of

MOST_MESSAGES: Final = 180
MOST_CALLS: Final = 800
UNKNOWN: Final = 0
"""The code of a message that is not recorded yet."""
CODES: Final = {state: code for code, state in enumerate(State, start=1)}

Numbers = NDArray[np.int64]
Codes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Film:
    """States by message (rows) and call point (columns), and what else a reader asks of a row."""

    cells: Codes
    """Shape (rows, columns): 0 = not recorded yet, else the value of `CODES`."""
    messages: Numbers
    """Shape (rows,): the index of the message that a row shows."""
    calls: Numbers
    """Shape (columns,): the ordinal, from 0, of the call point that a column shows."""
    shortened: Numbers
    """Shape (rows,): the ordinal from which on the output is shortened, -1 if it never is."""
    left: Numbers
    """Shape (rows,): the ordinal of the compaction that the message left in, -1 if it never did."""
    gone: Numbers
    """Shape (rows,): the ordinal from which on it is not sent, as it left; -1 where it never did.

    That is `left`, but for what was held as the last user message: it stays in sight longer.
    """
    positions: Numbers
    """Shape (rows,): the exchange of the message in the repaired view; their number if none."""
    tools: tuple[str, ...]
    """By row: the tool whose result the message is, "" for other messages."""
    recorded: int
    """Messages that the last call point had behind it; the rows are these or some of them."""


def film(
    replay: Replay, *, most_messages: int = MOST_MESSAGES, most_calls: int = MOST_CALLS
) -> Film:
    """The states of all messages at all call points, the same as `window.fates` gives one by one.

    More calls than `most_calls` stand in equal blocks, each shown by its last call. More messages
    than `most_messages` stand in equal blocks, each shown by the message whose last state is the
    rarest of the session, so that the few pinned and repaired ones stay in sight; among equals a
    random one (the same every time), so that the picture keeps the mixture of the session.
    """
    lives = _Lives(replay.planner, replay.plans)
    calls = _last_of_blocks(len(replay.plans), most_calls)
    rows = np.arange(lives.count)
    if lives.count > most_messages:
        rows = _rarest_of_blocks(_cells(lives, rows, calls[-1:])[:, 0], most_messages)
    positions = lives.positions[rows]
    return Film(
        cells=_cells(lives, rows, calls),
        messages=rows,
        calls=calls,
        shortened=lives.shortened[rows],
        left=lives.left[positions],
        gone=lives.gone[positions],
        positions=positions,
        tools=tuple(lives.tool(int(index)) for index in rows),
        recorded=lives.count,
    )


class _Lives:
    """What decides the state of each message the last call point had behind it."""

    def __init__(self, planner: Planner, plans: Sequence[Plan]) -> None:
        self.plans = plans
        self.count = plans[-1].at if plans else 0
        exchanges = plans[-1].exchanges if plans else 0
        self.nowhere = exchanges
        """Stands in for the position of a message that is no exchange: the anchor."""
        self.positions: Numbers = np.full(self.count, self.nowhere)
        self.shortened: Numbers = np.full(self.count, -1)
        self.turns: list[list[tuple[int, int]]] = [[] for _ in range(self.count)]
        """By message: from which ordinal on it has which code, as long as it is sent."""
        self.left: Numbers = np.full(exchanges + 1, -1)
        self.summarised = np.zeros(exchanges + 1, np.bool_)
        self._ledger = planner.ledger
        for receipt in planner.receipts:
            self.left[receipt.start : receipt.end] = receipt.ordinal
            self.summarised[receipt.start : receipt.end] = receipt.version > 0
        self.gone = self._gone()
        known = [plan.exchanges for plan in plans]
        for position in range(exchanges):
            for ordinal, row in self._versions(position, bisect_left(known, position + 1)):
                self._take(position, ordinal, row)
        if self.count and not self.turns[0]:
            self.turns[0] = [(bisect_left(plans, 1, key=lambda plan: plan.at), CODES[State.KEPT])]

    def _gone(self) -> Numbers:
        gone = self.left.copy()
        for position in {position for plan in self.plans for position in plan.held}:
            gone[position] = -1
            until = self._ledger.held_until(position, int(self.left[position]))
            if until is not None and position not in self.plans[-1].held:
                gone[position] = until
        return gone

    def tool(self, index: int) -> str:
        """The tool that a message is the result of, "" for other messages."""
        position = int(self.positions[index])
        if position == self.nowhere:
            return ""
        exchange = self._ledger.row_at(position, self.plans[-1].ordinal).exchange
        entry = next(entry for entry in exchange.recorded if entry.index == index)
        call = exchange.call_of(entry)
        return call.name if call else ""

    def _versions(self, position: int, first: int) -> Iterator[tuple[int, Row]]:
        """The rows of an exchange in order, each with the ordinal of the first call that saw it."""
        ledger, ordinal, last = self._ledger, first, self.plans[-1].ordinal
        newest = ledger.row_at(position, last)
        while (row := ledger.row_at(position, ordinal)) is not newest:
            yield ordinal, row
            while ledger.row_at(position, ordinal) is row:
                ordinal += 1
        yield ordinal, row

    def _take(self, position: int, ordinal: int, row: Row) -> None:
        for place, entry in enumerate(row.exchange.entries):
            if entry.is_placeholder:
                continue
            self.positions[entry.index] = position
            turns = self.turns[entry.index]
            turns.append((ordinal, CODES[state_of(row, place, is_pruned=False)]))
            pruning = self._ledger.prunings.get(entry.index) if entry.is_output else None
            if pruning is not None and not row.is_pinned:
                self.shortened[entry.index] = pruning.ordinal
                turns.append((max(ordinal, pruning.ordinal), CODES[State.PRUNED]))


def _last_of_blocks(count: int, most: int) -> Numbers:
    blocks = min(count, most)
    return np.arange(1, blocks + 1) * count // max(blocks, 1) - 1


def _rarest_of_blocks(codes: Codes, most: int) -> Numbers:
    """One message of each of `most` blocks, by the states at the last call point."""
    often = np.bincount(codes, minlength=len(CODES) + 1)[codes]
    shuffled = np.random.default_rng(0).permutation(len(codes))
    block = np.arange(len(codes)) * most // len(codes)
    order = np.lexsort((shuffled, often, block))
    return order[np.searchsorted(block[order], np.arange(most))]


def _cells(lives: _Lives, rows: Numbers, calls: Numbers) -> Codes:
    cells = np.full((len(rows), len(calls)), UNKNOWN, np.uint8)
    ordinals: list[int] = calls.tolist()
    for line, index in zip(cells, rows, strict=True):
        for ordinal, code in lives.turns[int(index)]:
            line[bisect_left(ordinals, ordinal) :] = code
    positions = lives.positions[rows].astype(np.int32)
    plans = [lives.plans[ordinal] for ordinal in ordinals]
    marks = np.array([plan.mark for plan in plans], np.int32)
    ends = np.array([max(plan.mark, plan.drop_end) for plan in plans], np.int32)
    gone = positions[:, None] < ends
    _spare(gone, positions, plans)
    np.copyto(cells, CODES[State.DROPPED], where=gone)
    summarised = np.where(lives.summarised[positions], positions, lives.nowhere)
    gone &= summarised[:, None] < marks
    np.copyto(cells, CODES[State.SUMMARISED], where=gone)
    return cells


def _spare(gone: NDArray[np.bool_], positions: NDArray[np.int32], plans: Sequence[Plan]) -> None:
    """Take out of `gone` what each call point sends all the same: `held` and `spared`."""
    rows_of: defaultdict[int, list[int]] = defaultdict(list)
    for row, position in enumerate(positions.tolist()):
        rows_of[position].append(row)
    start = 0
    for stays, group in groupby(plans, key=lambda plan: (*plan.held, *plan.spared)):
        end = start + sum(1 for _plan in group)
        for position in stays:
            for row in rows_of.get(position, ()):
                gone[row, start:end] = False
        start = end
