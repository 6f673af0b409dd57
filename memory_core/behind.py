"""The messages behind a cut, numbered and masked, as a summariser gets them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from memory_core.ledger import Ledger
from memory_core.messages import ChatMessage
from memory_core.summarizing.request import Numbered

Masker = Callable[[ChatMessage], ChatMessage]


def numbered(
    messages: Sequence[ChatMessage], indices: Iterable[int], mask: Masker | None
) -> list[Numbered]:
    """The messages at `indices`; with a masker, only what it lets through."""
    if mask is None:
        return [Numbered(index, messages[index]) for index in indices]
    return [Numbered(index, mask(messages[index])) for index in indices]


class Behind:
    """All messages before the mark; each is numbered and masked once, as the mark moves on."""

    def __init__(self, ledger: Ledger, mask: Masker | None) -> None:
        self._ledger = ledger
        self._mask = mask
        self._kept: list[Numbered] = []
        self._position = 0

    def until_mark(self) -> Sequence[Numbered]:
        self._kept += self._between(self._position, self._ledger.mark)
        self._position = self._ledger.mark
        return self._kept

    def from_mark(self, cut: int) -> Sequence[Numbered]:
        return self._between(self._ledger.mark, cut)

    def _between(self, start: int, end: int) -> list[Numbered]:
        return numbered(self._ledger.messages, self._ledger.recorded(start, end), self._mask)
