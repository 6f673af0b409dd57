"""Reading texts that stand for messages: what they hold of what the session said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from memory_core.facts import Unit, line_units, passages
from memory_core.loss.index import Index, Line, name_of, setting_of

SUMMARY: Final = -1
"""The source of a text that stands for many messages."""
MOST_LINES: Final = 200_000
"""Lines remembered; then all are forgotten."""
_AT_ONCE: Final = 2_000

_REFERENCE: Final = re.compile(r"\[#([0-9]{1,9})\]")


class Reader:
    """Reads each line once for an index: summaries and configs mostly repeat lines."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._lines = index.lines

    def read(self, text: str, *, source: int = SUMMARY) -> Iterator[Line]:
        """What each line of a text holds, references to messages aside.

        `source` is the message that the text is a shortened form of.
        """
        self.prepare([(text, source)])
        return (self._lines[line, source] for line in text.splitlines())

    def prepare(self, texts: Iterable[tuple[str, int]]) -> None:
        """Read many texts, each with its source: at once it costs less than one after another."""
        new = [
            key
            for key in dict.fromkeys(
                (line, source) for text, source in texts for line in text.splitlines()
            )
            if key not in self._lines
        ]
        if len(self._lines) + len(new) > MOST_LINES:
            self._lines.clear()
        for start in range(0, len(new), _AT_ONCE):
            self._read(new[start : start + _AT_ONCE])

    def _read(self, lines: Sequence[tuple[str, int]]) -> None:
        pieces = [list(passages(_REFERENCE.sub("", line), longest=None)) for line, _from in lines]
        units = iter(line_units([piece for one in pieces for piece in one], 0))
        for (line, source), own in zip(lines, pieces, strict=True):
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
            statements=index.spoken.held(line, frozenset(words)),
        )
