"""Where a compaction cuts: between which exchanges, and what must stay whatever the cut."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memory_core.ledger import Ledger


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


def must_stay(ledger: Ledger, position: int) -> bool:
    """Pins, the last user message, and the calls the model has not answered yet never leave."""
    row = ledger.rows[position]
    return row.is_pinned or position == ledger.last_user or position >= last_cut(ledger)


def held_before(ledger: Ledger, cut: int) -> tuple[int, ...]:
    """Exchanges before the cut that are sent all the same."""
    if not cut:
        return ()
    is_held = 0 <= ledger.last_user < cut
    if not ledger.pinned:
        return (ledger.last_user,) if is_held else ()
    held = {position for position in ledger.pinned if position < cut}
    if is_held:
        held.add(ledger.last_user)
    return tuple(sorted(held))


def last_cut(ledger: Ledger) -> int:
    """The latest possible cut: behind everything but a call at the end, open or just answered.

    Without the results of its newest calls an agent would make the same calls for ever.
    """
    count = len(ledger.rows)
    ends_with_call = count > 0 and bool(ledger.rows[-1].exchange.entries[0].message.tool_calls)
    return count - 1 if ends_with_call else count


def newest_cut(ledger: Ledger, size: int) -> int:
    """The cut at which the newest `size` counted messages stay, their exchanges whole."""
    latest = last_cut(ledger)
    position, kept = len(ledger.rows), 0
    while position > ledger.mark and kept < size:
        position -= 1
        kept += ledger.rows[position].counted
    return min(position, latest)


def cuts(ledger: Ledger, room: Room, *, start: int, held: int) -> Iterator[Cut]:
    """All cuts from the mark on, earliest first; `held` = tokens held before the mark."""
    rest, replaced, leaves = ledger.rest + held, room.summary, False
    for at in range(ledger.mark, last_cut(ledger) + 1):
        if at >= start:
            yield Cut(at, rest, replaced, leaves)
        if at < len(ledger.rows) and not must_stay(ledger, at):
            rest -= ledger.sent[at]
            replaced += ledger.sent[at]
            leaves = True


def first_fit(candidates: Iterator[Cut], room: Room, limit: int, *, full_cap: bool) -> Cut | None:
    """The earliest cut whose window is sure to fit `limit`, whatever the summary turns out as."""
    for cut in candidates:
        summary = room.cap if full_cap and cut.leaves else cut.bound(room)
        if room.fixed + summary + cut.rest <= limit:
            return cut
    return None
