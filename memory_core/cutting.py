"""Where a compaction cuts: between which exchanges, and what must stay whatever the cut."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from memory_core.ledger import Row


class Numbers(Protocol):
    """What a cut needs to know of a repaired view: tokens and flags by exchange, no text."""

    @property
    def rows(self) -> list[Row]: ...
    @property
    def sent(self) -> list[int]: ...
    @property
    def mark(self) -> int: ...
    @property
    def rest(self) -> int: ...
    @property
    def last_user(self) -> int: ...
    @property
    def pinned(self) -> list[int]: ...


@dataclass(frozen=True, slots=True)
class Room:
    """The tokens a window has and what is spoken for: all sums in tokens."""

    budget: int
    fixed: int
    """System, overhead and reply reserve."""
    summary: int
    """The summary message in force, 0 if there is none."""
    cap: int
    """The most a new summary message may take; 0 where none can be made."""


@dataclass(frozen=True, slots=True)
class Cut:
    """One possible cut: exchanges before `at` leave, except those that are held."""

    at: int
    rest: int
    """Tokens of everything still sent, held exchanges included."""
    replaced: int
    """Tokens that a new summary would replace, the summary in force included."""
    leaves: bool
    """True where at least one exchange leaves at this cut."""

    def bound(self, room: Room) -> int:
        """The most the summary message can take: it must be shorter than what it replaces."""
        return max(0, min(room.cap, self.replaced - 1)) if self.leaves else room.summary


def must_stay(numbers: Numbers, position: int) -> bool:
    """Pins, the last user message and open calls never leave a window."""
    row = numbers.rows[position]
    return row.is_pinned or position == numbers.last_user or row.exchange.is_open


def held_before(numbers: Numbers, cut: int) -> tuple[int, ...]:
    """Exchanges before the cut that are sent all the same."""
    if not cut:
        return ()
    held = [position for position in numbers.pinned if position < cut]
    if 0 <= numbers.last_user < cut and numbers.last_user not in held:
        held.append(numbers.last_user)
    return tuple(sorted(held))


def last_cut(numbers: Numbers) -> int:
    """The latest possible cut: behind everything but an open call at the end."""
    count = len(numbers.rows)
    return count - 1 if count and numbers.rows[-1].exchange.is_open else count


def newest_cut(numbers: Numbers, size: int) -> int:
    """The cut at which the newest `size` counted messages stay, their exchanges whole."""
    latest = last_cut(numbers)
    position, kept = len(numbers.rows), 0
    while position > numbers.mark and kept < size:
        position -= 1
        kept += numbers.rows[position].counted
    return min(position, latest)


def cuts(numbers: Numbers, room: Room, *, start: int, held: int) -> Iterator[Cut]:
    """All cuts from the mark on, earliest first; `held` = tokens held before the mark."""
    rest, replaced, leaves = numbers.rest + held, room.summary, False
    for at in range(numbers.mark, last_cut(numbers) + 1):
        if at >= start:
            yield Cut(at, rest, replaced, leaves)
        if at < len(numbers.rows) and not must_stay(numbers, at):
            rest -= numbers.sent[at]
            replaced += numbers.sent[at]
            leaves = True


def first_fit(candidates: Iterator[Cut], room: Room, limit: int, *, full_cap: bool) -> Cut | None:
    """The earliest cut whose window is sure to fit `limit`, whatever the summary turns out as."""
    for cut in candidates:
        summary = room.cap if full_cap and cut.leaves else cut.bound(room)
        if room.fixed + summary + cut.rest <= limit:
            return cut
    return None
