"""Pairing calls with results: the exchanges of a history, repaired without touching the history.

A result belongs to the nearest earlier unanswered call of its id, never to a session-wide table:
ids repeat inside real sessions, and some formats have none. What a call point has seen never
changes afterwards: a call answered there by a placeholder stays answered.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum

from memory_core.messages import ChatMessage, Part, ToolCall

NO_RESULT = "(no result was recorded for this call)"
EMPTY = "(empty message)"
ORPHAN_MARK = "[Result of a call that is not in this conversation{name}]\n"


class Fault(StrEnum):
    """What was wrong with a message, as providers see it."""

    ORPHAN_RESULT = "orphan_result"
    LATE_RESULT = "late_result"
    MISSING_RESULT = "missing_result"
    DUPLICATE_ID = "duplicate_id"
    MISSING_ID = "missing_id"
    EMPTY_MESSAGE = "empty_message"


@dataclass(frozen=True, slots=True)
class Repair:
    """One repair: the message (0-based index) it was made at, and the call id it touched."""

    fault: Fault
    index: int
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One message of the repaired view; `index` names the message it stands for or was made at."""

    index: int
    message: ChatMessage
    fault: Fault | None = None

    @property
    def is_output(self) -> bool:
        """True for tool results, orphan ones included: what pruning may shorten."""
        return self.message.role == "tool" or self.fault is Fault.ORPHAN_RESULT

    @property
    def is_placeholder(self) -> bool:
        """True where it stands in for a result that was never recorded."""
        return self.fault is Fault.MISSING_RESULT


@dataclass(frozen=True, slots=True)
class Exchange:
    """The smallest thing that may be kept or removed: a call with its results, else one message."""

    entries: tuple[Entry, ...]
    pending: frozenset[int] = frozenset()
    """Positions, in the calling message, of calls that still wait for a result."""

    @property
    def index(self) -> int:
        return self.entries[0].index

    @property
    def is_open(self) -> bool:
        return bool(self.pending)

    @property
    def is_user(self) -> bool:
        """True where a person speaks: a user message that is no rendered orphan."""
        return self.entries[0].message.role == "user" and self.entries[0].fault is None

    @property
    def messages(self) -> tuple[ChatMessage, ...]:
        return tuple(entry.message for entry in self.entries)

    @property
    def recorded(self) -> tuple[Entry, ...]:
        """Its messages that were recorded: all but placeholders."""
        return tuple([entry for entry in self.entries if not entry.is_placeholder])

    @property
    def given_up(self) -> list[int]:
        """Positions, in the calling message, of calls that a placeholder answers."""
        own = {entry.message.tool_call_id for entry in self.entries if entry.is_placeholder}
        calls = self.entries[0].message.tool_calls if own else ()
        return [slot for slot, call in enumerate(calls) if call.id in own]

    def call_of(self, entry: Entry) -> ToolCall | None:
        """The call that one of its results answers, None for other messages."""
        calls = self.entries[0].message.tool_calls if entry.message.role == "tool" else ()
        return next((call for call in calls if call.id == entry.message.tool_call_id), None)

    def fault_at(self, place: int) -> Fault | None:
        """What was wrong with one of its messages; with the call where a result is missing."""
        if place == 0 and any(entry.is_placeholder for entry in self.entries):
            return Fault.MISSING_RESULT
        return self.entries[place].fault


class Pairing:
    """A repaired view that grows with its history; every step costs only what is new.

    `given_up` names calls (message index, position) that an earlier run answered by a placeholder.
    """

    def __init__(self, *, given_up: Iterable[tuple[int, int]] = ()) -> None:
        self.exchanges: list[Exchange] = []
        self.repairs: list[Repair] = []
        self.given_up = set(given_up)
        self._open: list[int] = []
        self._recorded: dict[tuple[int, int], str] = {}
        self.touched: set[int] = set()
        """Exchanges that changed after they were made, since the caller last cleared this."""

    def add(self, index: int, message: ChatMessage) -> None:
        """Append one message of the history."""
        if message.role == "tool":
            self._add_result(index, message)
        elif message.role == "assistant" and message.tool_calls:
            self._add_call(index, message)
        else:
            self._add_single(index, message)

    def seal(self) -> None:
        """End a call point's view: open calls that are not at the end get a placeholder result."""
        last = len(self.exchanges) - 1
        for position in [position for position in self._open if position != last]:
            exchange = self.exchanges[position]
            for slot in sorted(exchange.pending):
                self._give_up(position, slot)

    def _add_single(self, index: int, message: ChatMessage) -> None:
        if not message.content and message.content != "" and message.role == "assistant":
            self.repairs.append(Repair(Fault.EMPTY_MESSAGE, index))
            entry = Entry(index, message.model_copy(update={"content": EMPTY}), Fault.EMPTY_MESSAGE)
        else:
            entry = Entry(index, message)
        self.exchanges.append(Exchange((entry,)))

    def _add_call(self, index: int, message: ChatMessage) -> None:
        entry = self._with_own_ids(index, message)
        pending = frozenset(range(len(message.tool_calls)))
        self.exchanges.append(Exchange((entry,), pending))
        position = len(self.exchanges) - 1
        self._open.append(position)
        for slot in sorted(pending):
            if (index, slot) in self.given_up:
                self._give_up(position, slot)

    def _with_own_ids(self, index: int, message: ChatMessage) -> Entry:
        taken = {call.id for call in message.tool_calls}
        given: set[str] = set()
        ids: list[str] = []
        fault: Fault | None = None
        for slot, call in enumerate(message.tool_calls):
            own = call.id
            if not own or own in given:
                fault = Fault.DUPLICATE_ID if own else Fault.MISSING_ID
                own = _unused(own or f"call_{index}_{slot}", taken, slot)
                self.repairs.append(Repair(fault, index, call.id or own))
                self._recorded[index, slot] = call.id
            given.add(own)
            taken.add(own)
            ids.append(own)
        if fault is None:
            return Entry(index, message)
        calls = tuple(
            call.model_copy(update={"id": own})
            for call, own in zip(message.tool_calls, ids, strict=True)
        )
        return Entry(index, message.model_copy(update={"tool_calls": calls}), fault)

    def _add_result(self, index: int, message: ChatMessage) -> None:
        found = self._find_call(message)
        if found is None:
            self._add_orphan(index, message)
            return
        position, slot = found
        own = self._call_id(position, slot)
        fault: Fault | None = None
        if position != len(self.exchanges) - 1:
            fault = Fault.LATE_RESULT
            self.repairs.append(Repair(fault, index, own))
        if message.tool_call_id != own:
            if not message.tool_call_id and self._recorded_id(position, slot):
                self.repairs.append(Repair(Fault.MISSING_ID, index, own))
            fault = fault or Fault.MISSING_ID
            message = message.model_copy(update={"tool_call_id": own})
        if not message.content and message.content != "":
            fault = fault or Fault.EMPTY_MESSAGE
            self.repairs.append(Repair(Fault.EMPTY_MESSAGE, index, own))
            message = message.model_copy(update={"content": EMPTY})
        self._answer(position, slot, Entry(index, message, fault))

    def _add_orphan(self, index: int, message: ChatMessage) -> None:
        call_id = message.tool_call_id or ""
        self.repairs.append(Repair(Fault.ORPHAN_RESULT, index, call_id))
        named = " ".join(part for part in (message.name, call_id) if part)
        mark = ORPHAN_MARK.format(name=f": {named}" if named else "")
        shown = as_user(message, mark)
        self.exchanges.append(Exchange((Entry(index, shown, Fault.ORPHAN_RESULT),)))

    def _find_call(self, message: ChatMessage) -> tuple[int, int] | None:
        wanted = message.tool_call_id or ""
        for position in reversed(self._open):
            exchange = self.exchanges[position]
            fitting = [
                slot
                for slot in sorted(exchange.pending)
                if not wanted or self._recorded_id(position, slot) in ("", wanted)
            ]
            if fitting:
                calls = exchange.entries[0].message.tool_calls
                named = [slot for slot in fitting if calls[slot].name == message.name]
                return position, (fitting if wanted else named or fitting)[0]
        return None

    def _recorded_id(self, position: int, slot: int) -> str:
        call = self.exchanges[position].entries[0]
        return self._recorded.get((call.index, slot), call.message.tool_calls[slot].id)

    def _call_id(self, position: int, slot: int) -> str:
        return self.exchanges[position].entries[0].message.tool_calls[slot].id

    def _answer(self, position: int, slot: int, entry: Entry) -> None:
        exchange = self.exchanges[position]
        entries = sorted((*exchange.entries, entry), key=lambda one: one.is_placeholder)
        changed = Exchange(tuple(entries), exchange.pending - {slot})
        self.exchanges[position] = changed
        self.touched.add(position)
        if not changed.pending:
            self._open.remove(position)

    def _give_up(self, position: int, slot: int) -> None:
        call = self.exchanges[position].entries[0]
        call_id = self._call_id(position, slot)
        self.given_up.add((call.index, slot))
        self.repairs.append(Repair(Fault.MISSING_RESULT, call.index, call_id))
        result = ChatMessage(role="tool", tool_call_id=call_id, content=NO_RESULT)
        self._answer(position, slot, Entry(call.index, result, Fault.MISSING_RESULT))


def as_user(message: ChatMessage, mark: str) -> ChatMessage:
    """`message` said by the user: its text behind a mark, its images and other parts kept."""
    kept = tuple(part for part in message.parts if not part.is_text)
    text = mark + (message.text or EMPTY)
    content = (Part(type="text", text=text), *kept) if kept else text
    return ChatMessage(role="user", content=content, id=message.id, metadata=message.metadata)


def _unused(call_id: str, taken: Collection[str], slot: int) -> str:
    """`call_id`, or a variant of it, that no call of the message has; `slot` makes it quick."""
    own, number = call_id, slot + 1
    while own in taken:
        own = f"{call_id}~{number}"
        number += 1
    return own


def pair(messages: Iterable[ChatMessage]) -> Pairing:
    """The exchanges and repairs of a whole history seen at once, open calls at the end pending."""
    pairing = Pairing()
    for index, message in enumerate(messages):
        pairing.add(index, message)
    pairing.seal()
    return pairing


def repair(messages: Iterable[ChatMessage]) -> tuple[ChatMessage, ...]:
    """The history as a provider accepts it; equal to the input where nothing was wrong."""
    return tuple(message for exchange in pair(messages).exchanges for message in exchange.messages)
