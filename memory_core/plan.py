"""What a call point's window consists of and why, as numbers and names."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Cause(StrEnum):
    """Why something left the window or was shortened.

    `trigger` and `every_call`: it was older than the newest messages; `target`: it was among the
    oldest, and as much left as a target asked for; `budget`: the budget needed the room.
    """

    AGE = "age"
    TRIGGER = "trigger"
    TARGET = "target"
    EVERY_CALL = "every_call"
    BUDGET = "budget"


class State(StrEnum):
    """What a message is at one call point."""

    KEPT = "kept"
    PRUNED = "pruned"
    SUMMARISED = "summarised"
    DROPPED = "dropped"
    PINNED = "pinned"
    REPAIRED = "repaired"


@dataclass(frozen=True, slots=True)
class Parts:
    """Tokens of everything that is sent or kept free; their sum is the total."""

    system: int = 0
    overhead: int = 0
    summary: int = 0
    opening: int = 0
    kept: int = 0
    pruned: int = 0
    reserve: int = 0

    @property
    def sent(self) -> int:
        """Tokens of the request itself."""
        return self.system + self.overhead + self.summary + self.opening + self.kept + self.pruned

    @property
    def total(self) -> int:
        """Tokens the budget has to hold: the request and what is kept free for the reply."""
        return self.sent + self.reserve


@dataclass(frozen=True, slots=True)
class Summary:
    """One committed summary: its text without heading, and how far it reaches."""

    version: int
    text: str
    tokens: int
    """Tokens of the whole summary message, heading and framing included."""
    is_reserved: bool = False
    """True in a draft: the text is not written yet, and `tokens` is the most it may take."""

    @staticmethod
    def next_version(before: Summary | None) -> int:
        """The version of the summary that replaces `before`."""
        return before.version + 1 if before else 1


@dataclass(frozen=True, slots=True)
class Receipt:
    """What one compaction did: exchanges [start, end) left, by which summary, at which price."""

    ordinal: int
    at: int
    cause: Cause
    start: int
    end: int
    messages: int
    """Recorded messages that left."""
    tokens_before: int
    """Tokens of what left, the previous summary included."""
    tokens_after: int
    """Tokens of the new summary message; 0 where no summariser is set."""
    total_before: int
    """Total of the window before the compaction."""
    version: int
    cap: int = 0
    """Most tokens the text of the summary could take, heading excluded."""


@dataclass(frozen=True, slots=True)
class Pruning:
    """One output shortened for good, from a call point on."""

    ordinal: int
    cause: Cause
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Plan:
    """The window of one call point: what is sent of `messages[:at]`, in numbers.

    `exchanges`, `mark`, `held`, `drop_end` and `spared` are positions in the repaired view:
    everything before `mark` is summarised (or left out, without a summariser) except `held`;
    from `mark` to `drop_end` everything is dropped except `spared`; the rest is sent.
    """

    at: int
    ordinal: int
    exchanges: int
    mark: int
    behind: int
    """Recorded messages before the mark, the held ones included."""
    held: tuple[int, ...]
    drop_end: int
    spared: tuple[int, ...]
    summary: Summary | None
    parts: Parts
    raw_tokens: int
    """Tokens of the whole history before the call: repaired, with system message and overhead."""
    over_budget: bool
    cached_prefix_tokens: int
    """Tokens from the start of the request that equal the previous call point's."""
    receipt: Receipt | None = None
    failure: str | None = None
    """Why a summary was asked for and not taken."""
    repairs: int = 0
    """How many repairs had been made so far."""

    @property
    def total(self) -> int:
        return self.parts.total

    @property
    def dropped(self) -> tuple[int, ...]:
        """Exchanges that are not sent at this call point and not behind the mark."""
        return tuple(at for at in range(self.mark, self.drop_end) if not self.sends(at))

    def positions(self) -> Iterator[int]:
        """Positions of the exchanges that are sent, in order."""
        yield from self.held
        yield from self.spared
        yield from range(max(self.mark, self.drop_end), self.exchanges)

    def sends(self, position: int) -> bool:
        """True where the exchange at a position is sent: for all that `positions` gives."""
        if self.mark <= position < self.drop_end:
            return position in self.spared
        return position < self.exchanges if position >= self.mark else position in self.held


def receipts_until(receipts: Sequence[Receipt], plan: Plan) -> Sequence[Receipt]:
    """Those of `receipts`, in order, that a call point has behind it, its own included."""
    return receipts[: bisect_right(receipts, plan.ordinal, key=lambda one: one.ordinal)]
