"""Reading texts that stand for messages: what they hold of what the session said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memory_core.facts import Unit, line_units, passages
from memory_core.loss.index import Index, Line, name_of, setting_of

MOST_LINES: Final = 200_000
"""Lines remembered; then all are forgotten."""

_REFERENCE: Final = re.compile(r"\[#([0-9]{1,9})\]")


class Reader:
    """Reads each line once for an index: summaries and configs mostly repeat lines."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._lines = index.lines

    def read(self, text: str, *, source: int = -1) -> Iterator[Line]:
        """What each line of a text holds, references to messages aside.

        `source` is the message that the text is a shortened form of, -1 for a summary.
        """
        lines = text.splitlines()
        new = [line for line in dict.fromkeys(lines) if (line, source) not in self._lines]
        if new:
            self._read(new, source)
        return (self._lines[line, source] for line in lines)

    def _read(self, lines: list[str], source: int) -> None:
        if len(self._lines) + len(lines) > MOST_LINES:
            self._lines.clear()
        pieces = [list(passages(_REFERENCE.sub("", line), longest=None)) for line in lines]
        units = iter(line_units([piece for one in pieces for piece in one], 0))
        for line, own in zip(lines, pieces, strict=True):
            quoted = frozenset([source, *map(int, _REFERENCE.findall(line))])
            self._lines[line, source] = self._held(line, [next(units) for _piece in own], quoted)

    def _held(self, line: str, units: list[Unit], quoted: frozenset[int]) -> Line:
        items: dict[int, int] = {}
        index = self._index
        words = dict.fromkeys(word for unit in units for word in unit.words)
        for unit in units:
            setting = setting_of(unit) if unit.facts else frozenset[str]()
            for item in index.said.known(map(name_of, unit.facts)):
                since = index.first_said_with(item, setting, quoted=quoted)
                if since is not None:
                    items[item] = min(since, items.get(item, since))
        return Line(
            items=tuple(items.items()),
            words=tuple(index.words.known(words)),
            statements=index.spoken.held(line, words),
        )
