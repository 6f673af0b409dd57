"""The pairing of a whole session, kept so that replays of it under other configs need not pair."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from typing import Final

from memory_core.errors import InvalidConfig
from memory_core.exchanges import Exchange, Pairing, Repair
from memory_core.messages import ChatMessage
from memory_core.rows import Row
from memory_core.texts import _

MOST_ROW_SETS: Final = 4
"""Sets of rows kept: one per way of counting, provider and pins."""


class Tape:
    """What pairing made of a history at every call point, in order.

    `points`: how many messages of it each call point has seen. `skip_first` leaves out message 0.
    """

    def __init__(
        self, messages: Sequence[ChatMessage], points: Sequence[int], *, skip_first: bool
    ) -> None:
        self.messages = tuple(messages)
        self.points = tuple(points)
        self.changes: list[dict[int, Exchange]] = []
        """By call point: the exchanges that are new or changed, by position."""
        self.repairs: list[Repair] = []
        self.repaired: list[int] = []
        """By call point: how many repairs had been made."""
        self._rows: OrderedDict[Hashable, dict[int, Row]] = OrderedDict()
        pairing, seen = Pairing(), int(skip_first)
        for at in points:
            start = len(pairing.exchanges)
            for index in range(seen, at):
                pairing.add(index, messages[index])
            pairing.seal()
            seen = at
            positions = sorted({*pairing.touched, *range(start, len(pairing.exchanges))})
            self.changes.append({at: pairing.exchanges[at] for at in positions})
            self.repaired.append(len(pairing.repairs))
            pairing.touched.clear()
        self.repairs = pairing.repairs

    def check(self, messages: Sequence[ChatMessage], points: Sequence[int]) -> None:
        """Raise `InvalidConfig` where the tape was made of others than these."""
        if self.messages != tuple(messages) or self.points != tuple(points):
            raise InvalidConfig(_("the tape was made of other messages: make one with tape_of"))

    def rows(self, key: Hashable) -> dict[int, Row]:
        """Rows made so far under `key`, by the identity of their exchange, which the tape holds."""
        found = self._rows.setdefault(key, {})
        self._rows.move_to_end(key)
        while len(self._rows) > MOST_ROW_SETS:
            self._rows.popitem(last=False)
        return found


class Playing(Pairing):
    """A pairing that takes its exchanges from a tape, one call point at each `seal`."""

    def __init__(self, tape: Tape) -> None:
        super().__init__()
        self._tape = tape
        self._point = 0

    def add(self, index: int, message: ChatMessage) -> None:
        """The tape knows the messages already."""

    def seal(self) -> None:
        """Take the next call point from the tape."""
        for position, exchange in self._tape.changes[self._point].items():
            if position < len(self.exchanges):
                self.exchanges[position] = exchange
                self.touched.add(position)
            else:
                self.exchanges.append(exchange)
            self.given_up.update((exchange.index, slot) for slot in exchange.given_up)
        done = len(self.repairs)
        self.repairs += self._tape.repairs[done : self._tape.repaired[self._point]]
        self._point += 1
