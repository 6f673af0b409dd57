"""Reading a line that stands for messages: what it holds of what the session said."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memory_core.facts import line_unit, passages
from memory_core.loss.index import Index, name_of

_REFERENCE: Final = re.compile(r"\[#[0-9]{1,9}\]")


@dataclass(frozen=True, slots=True)
class Line:
    """What a line holds: items, each with the first message that says it so, and words."""

    items: tuple[tuple[int, int], ...]
    words: tuple[int, ...]


class Reader:
    """Reads each line once, as a summary that grows mostly repeats its lines."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._lines: dict[str, Line] = {}

    def read(self, line: str) -> Line:
        """What a line holds, references to messages aside."""
        known = self._lines.get(line)
        if known is None:
            known = self._lines[line] = self._read(line)
        return known

    def _read(self, line: str) -> Line:
        items: dict[int, int] = {}
        words: dict[int, None] = {}
        for piece in passages(_REFERENCE.sub("", line), longest=None):
            unit = line_unit(piece, 0)
            said = frozenset(unit.words)
            words.update(dict.fromkeys(self._index.words.known(unit.words)))
            for item in self._index.said.known(name_of(fact) for fact in unit.facts):
                since = self._index.first_said_with(item, said)
                if since is not None:
                    items[item] = min(since, items.get(item, since))
        return Line(tuple(items.items()), tuple(words))
