"""What stands in a window, told the slow way: every line of it is read and compared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memory_core.facts import content_words, extract, passages
from memory_core.loss.index import name_of
from memory_core.messages import ChatMessage
from memory_core.plan import State
from memory_core.report import Report

REFERENCE = re.compile(r"\[#(\d+)\]")
"""Numbers of messages in a summary are no items."""

Said = dict[str, list[tuple[int, frozenset[str]]]]
"""By item: each message that says it, with the words around it, those of items left out."""


def lines(message: ChatMessage) -> Iterator[str]:
    yield from passages(message.text, longest=None)
    for call in message.tool_calls:
        yield from passages(call.arguments, call.name, longest=None)


def items_of(line: str) -> dict[str, frozenset[str]]:
    """The items of a line, each with the words of the line that stand in none."""
    facts = extract(line)
    around = frozenset(content_words(line))
    for fact in facts:
        around -= frozenset(content_words(fact.text))
    return {name_of(fact): around for fact in facts}


def said_in(messages: Sequence[ChatMessage]) -> Said:
    """All items of a session."""
    found: Said = {}
    for at, message in enumerate(messages):
        for line in lines(message):
            for name, around in items_of(line).items():
                found.setdefault(name, []).append((at, around))
    return found


def standing_in(report: Report, said: Said) -> set[str]:
    """The items that the window of a report holds.

    A message that is sent as it was said holds all it says. A line of any other text holds an item
    with a third of the words of a setting; where the item stood alone, a line of that message, or
    one that quotes it.
    """
    found: set[str] = set()
    for fate in report.fates:
        if fate.state is State.PRUNED:
            for line in report.sent(fate).text.splitlines():
                found |= _held(line, said, {fate.index}, report.plan.at)
        elif fate.state not in (State.SUMMARISED, State.DROPPED):
            message = report.planner.ledger.messages[fate.index]
            found |= {name for line in lines(message) for name in items_of(line)}
    for line in report.summary.splitlines():
        found |= _held(line, said, {int(one) for one in REFERENCE.findall(line)}, report.plan.at)
    return found


def _held(text: str, said: Said, quoted: set[int], until: int) -> set[str]:
    return {
        name
        for line in passages(REFERENCE.sub("", text), longest=None)
        for name, words in items_of(line).items()
        if any(
            (around or at in quoted) and 3 * len(words & around) >= len(around)
            for at, around in said.get(name, ())
            if at < until
        )
    }
