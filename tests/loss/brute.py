"""What stands in a window, told the slow way: every line of it is read and compared."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_core.facts import content_words, extract, passages
from memory_core.loss.index import name_of
from memory_core.messages import ChatMessage

REFERENCE = re.compile(r"\[#\d+\]")
"""Numbers of messages in a summary are no items."""

Said = dict[str, list[frozenset[str]]]
"""By item: the words of each line it was said in, its own left out."""


def lines(message: ChatMessage) -> Iterator[str]:
    yield from passages(REFERENCE.sub("", message.text), longest=None)
    for call in message.tool_calls:
        yield from passages(call.arguments, call.name, longest=None)


def items_of(line: str) -> dict[str, frozenset[str]]:
    """The items of a line, each with the other words of the line."""
    words = frozenset(content_words(line))
    return {name_of(fact): words - frozenset(content_words(fact.text)) for fact in extract(line)}


def said_in(messages: list[ChatMessage]) -> Said:
    """All items of some messages and the settings they were said in."""
    found: Said = {}
    for message in messages:
        for line in lines(message):
            for name, around in items_of(line).items():
                found.setdefault(name, []).append(around)
    return found


def standing_in(window: list[ChatMessage], said: Said) -> set[str]:
    """The items that a line of the window holds with a third of the words of a setting."""
    found: set[str] = set()
    for message in window:
        for line in lines(message):
            words = frozenset(content_words(line))
            for name in items_of(line).keys() & said.keys():
                if any(3 * len(words & around) >= len(around) for around in said[name]):
                    found.add(name)
    return found
