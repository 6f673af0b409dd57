"""A plan made visible: the messages that are sent, and what became of every message."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace

from memory_core.exchanges import Fault
from memory_core.ledger import Ledger
from memory_core.messages import ChatMessage
from memory_core.pipeline import Planner
from memory_core.plan import Plan, Pruning, Receipt, State, receipts_until
from memory_core.profiles import OPENING
from memory_core.rows import Row


@dataclass(frozen=True, slots=True)
class Fate:
    """What one message of the history is at one call point, and the data that says why."""

    index: int
    state: State
    tokens: int
    """Tokens of the message as recorded and repaired."""
    sent_tokens: int
    """Tokens of it in the window, 0 where it is not sent."""
    position: int
    """Its exchange in the repaired view; -1 for the anchor."""
    fault: Fault | None = None
    pruning: Pruning | None = None
    receipt: Receipt | None = None
    """The compaction it left in."""
    is_held: bool = False
    """Behind the mark, and sent all the same."""
    pinned_with: int | None = None
    """The pinned message of its exchange, where it has no pin of its own."""
    held_until: int | None = None
    """The ordinal at which it left as it was no longer held as the last user message."""


def render(planner: Planner, plan: Plan) -> list[ChatMessage]:
    """The messages sent at a call point, in the order in which the provider reads them."""
    ledger = planner.ledger
    window = [planner.anchor] if planner.anchor else []
    if plan.summary is not None:
        window.append(planner.carried(plan.summary))
    if plan.parts.opening:
        window.append(OPENING)
    is_newest = plan is planner.last and plan.drop_end <= plan.mark
    for position in plan.held if is_newest else plan.positions():
        window += [sent.message for sent in ledger.entries_at(position, plan.ordinal)]
    if is_newest:
        # The long part is copied once, and what stands before it put in front.
        behind = ledger.strip.behind(plan.mark)
        behind[:0] = window
        return behind
    return window


def sent_message(planner: Planner, plan: Plan, fate: Fate) -> ChatMessage:
    """The message of a fate as it is (or would be) sent: repaired, and shortened where it is."""
    if fate.position < 0:
        return planner.ledger.messages[fate.index]
    entries = planner.ledger.row_at(fate.position, plan.ordinal).exchange.entries
    place = [entry.index for entry in entries].index(fate.index)
    return planner.ledger.entries_at(fate.position, plan.ordinal)[place].message


def fates(planner: Planner, plan: Plan) -> tuple[Fate, ...]:
    """What became of `messages[:plan.at]`, one fate per message, in order."""
    ledger = planner.ledger
    known: dict[int, Fate] = {}
    receipts = receipts_until(planner.receipts, plan)
    ends = [receipt.end for receipt in receipts]
    for position in range(plan.exchanges):
        is_sent = plan.sends(position)
        # Compactions follow each other without a gap: the first to end behind it has taken it.
        receipt = receipts[bisect_right(ends, position)] if position < plan.mark else None
        row = ledger.row_at(position, plan.ordinal)
        pins = _pins(planner, row) if row.is_pinned else []
        for fate in _row_fates(ledger, plan, position):
            placed = _placed(ledger, fate, receipt, is_sent=is_sent)
            if pins and fate.index not in pins:
                placed = replace(placed, pinned_with=pins[0])
            known.setdefault(fate.index, placed)
    if plan.at and 0 not in known:
        known[0] = _anchor_fate(planner)
    return tuple(known[index] for index in range(plan.at))


def state_counts(planner: Planner, plan: Plan) -> dict[State, int]:
    """How many of `messages[:plan.at]` are in each state; costs the window, not the history."""
    ledger = planner.ledger
    counts = dict.fromkeys(State, 0)
    sent = 0
    for position in plan.positions():
        row = ledger.row_at(position, plan.ordinal)
        sent += row.recorded if position < plan.mark else 0
        for fate in _row_fates(ledger, plan, position):
            counts[fate.state] += 1
    for position in plan.dropped:
        counts[State.DROPPED] += ledger.row_at(position, plan.ordinal).recorded
    left = State.DROPPED if planner.config.summarizer == "none" else State.SUMMARISED
    counts[left] += plan.behind - sent
    counts[State.KEPT] += plan.at - sum(counts.values())
    return counts


def sent_tokens(planner: Planner, plan: Plan) -> dict[State, int]:
    """Tokens of the window's exchanges by the state of their messages; it costs the window.

    A placeholder counts as repaired, so that all together are `parts.kept` and `parts.pruned`.
    """
    tokens = dict.fromkeys(State, 0)
    for position in plan.positions():
        row = planner.ledger.row_at(position, plan.ordinal)
        sent = planner.ledger.entries_at(position, plan.ordinal)
        for place, (entry, one) in enumerate(zip(row.exchange.entries, sent, strict=True)):
            is_pruned = entry.is_output and planner.ledger.is_pruned(entry.index, plan.ordinal)
            state = state_of(row, place, is_pruned=is_pruned)
            is_made_up = entry.is_placeholder and state is State.KEPT
            tokens[State.REPAIRED if is_made_up else state] += one.tokens
    return tokens


def state_of(row: Row, place: int, *, is_pruned: bool) -> State:
    """What one message of an exchange is as long as that is sent."""
    if row.is_pinned:
        return State.PINNED
    if is_pruned:
        return State.PRUNED
    return State.REPAIRED if row.exchange.fault_at(place) else State.KEPT


def _pins(planner: Planner, row: Row) -> list[int]:
    """The messages of an exchange that are pinned themselves."""
    pins, messages = frozenset(planner.config.pins), planner.ledger.messages
    indices = [entry.index for entry in row.exchange.recorded]
    return [index for index in indices if index in pins or messages[index].id in pins]


def _anchor_fate(planner: Planner) -> Fate:
    tokens = planner.gauge.tokens(planner.ledger.messages[0])
    return Fate(0, State.KEPT, tokens, tokens, position=-1)


def _row_fates(ledger: Ledger, plan: Plan, position: int) -> Iterator[Fate]:
    row: Row = ledger.row_at(position, plan.ordinal)
    sent = ledger.entries_at(position, plan.ordinal)
    for place, entry in enumerate(row.exchange.entries):
        if entry.is_placeholder:
            continue
        pruned = entry.is_output and ledger.is_pruned(entry.index, plan.ordinal)
        yield Fate(
            index=entry.index,
            state=state_of(row, place, is_pruned=pruned),
            tokens=row.tokens[place],
            sent_tokens=sent[place].tokens,
            position=position,
            fault=row.exchange.fault_at(place),
            pruning=ledger.prunings[entry.index] if pruned else None,
        )


def _placed(ledger: Ledger, fate: Fate, receipt: Receipt | None, *, is_sent: bool) -> Fate:
    if is_sent:
        return fate if receipt is None else replace(fate, receipt=receipt, is_held=True)
    summarised = receipt is not None and receipt.version > 0
    state = State.SUMMARISED if summarised else State.DROPPED
    until = ledger.held_until(fate.position, receipt.ordinal) if receipt else None
    return replace(fate, state=state, sent_tokens=0, receipt=receipt, held_until=until)
