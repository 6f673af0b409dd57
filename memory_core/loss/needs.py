"""What a session used again: forward references to what was said long before."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memory_core.facts import call_units
from memory_core.loss.index import Index, name_of
from memory_core.loss.terms import Mask, Terms
from memory_core.replay import call_points

LEAST_GAP: Final = 4
"""Messages since an item was last said from which on using it is a need.

What is nearer stands in nearly any window, so that it would only raise every figure.
"""

RARE: Final = 0.02
"""Words that at most this share of the messages say are rare: using one again is no chance."""

FEWEST_RARE: Final = 3
"""In short sessions a word is rare as well where no more messages than these say it."""


@dataclass(frozen=True, slots=True)
class Need:
    """Message `at`, which call `call` (from 0) answers with, uses an item last said at `last`."""

    item: int
    call: int
    at: int
    last: int

    @property
    def gap(self) -> int:
        """Messages since the item was last said."""
        return self.at - self.last


@dataclass(frozen=True, slots=True)
class Action:
    """One tool call of message `at`, and the items it needs."""

    call: int
    at: int
    tool: str
    items: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Needs:
    """All needs of a session in order, the actions that have any, and needs of rare words.

    `words` holds word numbers in `item`; its messages are the user's as well as the assistant's,
    each at the call before which it stands or which it answers.
    """

    items: tuple[Need, ...]
    actions: tuple[Action, ...]
    words: tuple[Need, ...]


def needs_of(index: Index) -> Needs:
    """What the assistant's messages of a session use again, apart from what the anchor says."""
    points = call_points(index.messages)
    items: list[Need] = []
    actions: list[Action] = []
    words: list[Need] = []
    rare = _rare(index)
    for call, at in enumerate(points):
        start = points[call - 1] + 1 if call else 0
        for said in range(start, min(at + 1, len(index.messages))):
            if index.messages[said].role in ("user", "assistant"):
                words += _used(index.words, call, said, among=rare)
        if at < len(index.messages):
            own = _used(index.said, call, at, among=~index.anchored)
            items += own
            actions += _actions(index, call, at, frozenset(need.item for need in own))
    return Needs(tuple(items), tuple(actions), tuple(words))


def _used(terms: Terms, call: int, at: int, *, among: Mask) -> list[Need]:
    said = terms.said(at)
    found: list[Need] = []
    for number in said[among[said] & (terms.first[said] < at)].tolist():
        last = before(terms.messages(number), at)
        if at - last >= LEAST_GAP:
            found.append(Need(number, call, at, last))
    return found


def before(messages: Sequence[int], at: int) -> int:
    """The last of these ascending message indices below `at`; -1 where there is none."""
    place = bisect_left(messages, at) - 1
    return messages[place] if place >= 0 else -1


def _actions(index: Index, call: int, at: int, needed: frozenset[int]) -> list[Action]:
    found: list[Action] = []
    for made in index.messages[at].tool_calls if needed else ():
        names = (name_of(fact) for unit in call_units(made, at) for fact in unit.facts)
        items = tuple(one for one in dict.fromkeys(index.said.known(names)) if one in needed)
        if items:
            found.append(Action(call, at, made.name, items))
    return found


def _rare(index: Index) -> Mask:
    """The rare words that stand in no item and not in the anchor."""
    most = max(FEWEST_RARE, int(RARE * len(index.messages)))
    rare: Mask = (index.words.counts <= most) & ~index.anchored_words
    rare[index.item_words] = False
    return rare
