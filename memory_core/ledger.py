"""The repaired view of a growing history with its token counts; a turn costs only what is new."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memory_core.config import MemoryConfig
from memory_core.exchanges import Entry, Pairing
from memory_core.gauge import Gauge, Shortened
from memory_core.messages import ChatMessage
from memory_core.plan import Cause, Pruning
from memory_core.profiles import Profile
from memory_core.rows import Row, Rows
from memory_core.strip import Strip
from memory_core.tape import Playing, Tape


@dataclass(frozen=True, slots=True)
class Output:
    """Where a tool output stands: position of its exchange, and its place in it."""

    position: int
    place: int


@dataclass(frozen=True, slots=True)
class Sent:
    """One message as sent and its tokens."""

    message: ChatMessage
    tokens: int


class Ledger:
    """Rows of exchanges, what is shortened of them, and the sums behind the mark.

    `mark`: exchanges before it have left the window. `prunings` never shrinks.
    """

    def __init__(
        self,
        config: MemoryConfig,
        gauge: Gauge,
        profile: Profile,
        *,
        given_up: Iterable[tuple[int, int]] = (),
        tape: Tape | None = None,
    ) -> None:
        self.pairing = Playing(tape) if tape else Pairing(given_up=given_up)
        self.rows: list[Row] = []
        self.sent: list[int] = []
        self.short: list[int] = []
        self.outputs: list[Output] = []
        self.prunings: dict[int, Pruning] = {}
        self.messages: list[ChatMessage] = []
        self.strip = Strip()
        self.mark = 0
        self.behind = 0
        """Recorded messages before the mark."""
        self.rest = 0
        self.rest_short = 0
        self.raw = 0
        self.last_user = -1
        self._user_turns: list[tuple[int, int]] = []
        """From which call point on an exchange is the last one of the user."""
        self.pinned: list[int] = []
        self.ordinal = 0
        self.earlier: dict[int, tuple[Sent, ...]] = {}
        """Rows changed since the last call point, as they were sent then."""
        self._config = config
        self._gauge = gauge
        self._rows = Rows(config, gauge, profile)
        self._is_taped = tape is not None
        self._known = tape.rows(self._rows.key) if tape else dict[int, Row]()
        self._versions: dict[int, list[tuple[int, Row]]] = {}
        self._planned = 0

    def extend(self, messages: Sequence[ChatMessage], *, skip: bool = False) -> None:
        """Append what is new of the history; `skip` leaves out message 0, the anchor."""
        for message in messages:
            index = len(self.messages)
            self.messages.append(message)
            if not (skip and index == 0):
                self.pairing.add(index, message)
        self._update()

    def seal(self) -> None:
        """Answer calls that can no longer be pending, as this call point sees them."""
        self.pairing.seal()
        self._update()

    def next_point(self) -> None:
        """The call point is done: later changes are measured against it."""
        self.earlier.clear()
        self.ordinal += 1
        self._planned = len(self.rows)

    def restore(self, prunings: Mapping[int, Pruning], *, mark: int, ordinal: int) -> None:
        """Take over the decisions of an earlier run over the same messages."""
        self.ordinal = ordinal
        self._planned = len(self.rows)
        for output in self.outputs:
            pruning = prunings.get(self.entry(output).index)
            if pruning is not None:
                self.prunings[self.entry(output).index] = pruning
                short = self._gauge.shortened(self.entry(output), self._config)
                if short is not None:
                    self._shorten(output, self.full_tokens(output), short)
        self.earlier.clear()
        self.move_mark(mark)

    def held_until(self, position: int, ordinal: int) -> int | None:
        """The call point at which a newer user message followed on that of an exchange.

        None where it was not the last one at `ordinal`, or still is.
        """
        newer = bisect_right(self._user_turns, ordinal, key=lambda turn: turn[0])
        if not 0 < newer < len(self._user_turns) or self._user_turns[newer - 1][1] != position:
            return None
        return self._user_turns[newer][0]

    def move_mark(self, mark: int) -> None:
        self.rest -= sum(self.sent[self.mark : mark])
        self.rest_short -= sum(self.short[self.mark : mark])
        rows = self.rows[self.mark : mark]
        self.behind += sum(row.recorded for row in rows)
        self.mark = mark

    def prune(self, output: Output, cause: Cause) -> None:
        """Shorten one output for good."""
        row = self.rows[output.position]
        entry = row.exchange.entries[output.place]
        short = self._gauge.shortened(entry, self._config)
        if short is None or entry.index in self.prunings:
            return
        self._remember(output.position)
        before = row.tokens[output.place]
        self.prunings[entry.index] = Pruning(self.ordinal, cause, before, short.tokens)
        self._shorten(output, before, short)

    def entry(self, output: Output) -> Entry:
        return self.rows[output.position].exchange.entries[output.place]

    def says_error(self, output: Output) -> bool:
        """Whether the output reports a failure."""
        return self._gauge.says_error(self.entry(output).message)

    def full_tokens(self, output: Output) -> int:
        """Tokens of the output with nothing shortened."""
        return self.rows[output.position].tokens[output.place]

    def saving(self, output: Output) -> int:
        """Tokens that shortening this output would free; 0 where it stays as it is."""
        row = self.rows[output.position]
        entry = row.exchange.entries[output.place]
        if entry.index in self.prunings or row.is_pinned:
            return 0
        short = self._gauge.shortened(entry, self._config)
        return 0 if short is None else row.tokens[output.place] - short.tokens

    def sent_entries(self, position: int) -> tuple[Sent, ...]:
        """The messages of one exchange as they are sent now."""
        return self.entries_at(position, self.ordinal)

    def entries_at(self, position: int, ordinal: int) -> tuple[Sent, ...]:
        """The messages of one exchange as they were sent at a call point."""
        row = self.row_at(position, ordinal)
        pairs = zip(row.exchange.entries, row.tokens, strict=True)
        return tuple([self._sent(entry, tokens, ordinal) for entry, tokens in pairs])

    def row_at(self, position: int, ordinal: int) -> Row:
        """The row of one exchange as a call point saw it."""
        for until, row in self._versions.get(position, ()):
            if ordinal < until:
                return row
        return self.rows[position]

    def is_pruned(self, index: int, ordinal: int) -> bool:
        pruning = self.prunings.get(index)
        return pruning is not None and pruning.ordinal <= ordinal

    def recorded(self, start: int, end: int) -> list[int]:
        """Indices of the recorded messages in exchanges [start, end) that are not pinned."""
        return [
            entry.index
            for row in self.rows[start:end]
            if not row.is_pinned
            for entry in row.exchange.recorded
        ]

    def _sent(self, entry: Entry, tokens: int, ordinal: int) -> Sent:
        if entry.is_output and self.is_pruned(entry.index, ordinal):
            short = self._gauge.shortened(entry, self._config)
            if short is not None:
                return Sent(short.message, short.tokens)
        return Sent(entry.message, tokens)

    def _update(self) -> None:
        if not self.pairing.touched and len(self.pairing.exchanges) == len(self.rows):
            return
        fresh: list[Output] = []
        for position in sorted(self.pairing.touched):
            if position < len(self.rows):
                fresh += self._change(position)
        self.pairing.touched.clear()
        for position in range(len(self.rows), len(self.pairing.exchanges)):
            row = self._row(position)
            self.rows.append(row)
            self.strip.append(row.exchange.messages)
            self.sent.append(0)
            self.short.append(0)
            self._add(position, sum(row.tokens), 0)
            self.raw += sum(row.tokens)
            fresh += _outputs(position, row, 0)
            if self.pairing.exchanges[position].is_user:
                self.last_user = position
                self._user_turns.append((self.ordinal, position))
            if row.is_pinned:
                self.pinned.append(position)
        if len(fresh) > 1:
            fresh.sort(key=lambda output: self.entry(output).index)
        self.outputs += fresh

    def _change(self, position: int) -> list[Output]:
        old = self.rows[position]
        new = self._row(position)
        self._remember(position)
        if position < self._planned:
            self._versions.setdefault(position, []).append((self.ordinal, old))
        self.rows[position] = new
        if new.is_pinned and not old.is_pinned:
            insort(self.pinned, position)
        grown = sum(new.tokens) - sum(old.tokens)
        self._add(position, grown, 0)
        self.strip.replace(position, [one.message for one in self.sent_entries(position)])
        self.raw += grown
        return _outputs(position, new, len(old.tokens))

    def _row(self, position: int) -> Row:
        paired = self.pairing.exchanges[position]
        row = self._known.get(id(paired))
        if row is None:
            row = self._rows.row(paired, self.messages)
            if self._is_taped:
                self._known[id(paired)] = row
        return row

    def _remember(self, position: int) -> None:
        if position < self._planned and position not in self.earlier:
            self.earlier[position] = self.sent_entries(position)

    def _shorten(self, output: Output, before: int, short: Shortened) -> None:
        self._add(output.position, short.tokens - before, short.tokens)
        self.strip.put(output.position, output.place, short.message)

    def _add(self, position: int, tokens: int, shortened: int) -> None:
        self.sent[position] += tokens
        self.short[position] += shortened
        if position >= self.mark:
            self.rest += tokens
            self.rest_short += shortened


def _outputs(position: int, row: Row, first: int) -> list[Output]:
    return [
        Output(position, place)
        for place, entry in enumerate(row.exchange.entries)
        if place >= first and entry.is_output and not entry.is_placeholder
    ]
