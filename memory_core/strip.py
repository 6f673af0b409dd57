"""The messages of all exchanges as they are sent now, in one list that is cheap to cut."""

from __future__ import annotations

from collections.abc import Sequence

from memory_core.messages import ChatMessage


class Strip:
    """Exchanges by position, laid end to end; a window is one slice of it."""

    def __init__(self) -> None:
        self._messages: list[ChatMessage] = []
        self._starts: list[int] = [0]

    def append(self, messages: Sequence[ChatMessage]) -> None:
        self._messages += messages
        self._starts.append(len(self._messages))

    def replace(self, position: int, messages: Sequence[ChatMessage]) -> None:
        start, end = self._starts[position], self._starts[position + 1]
        self._messages[start:end] = messages
        grown = len(messages) - (end - start)
        if grown:
            behind = range(position + 1, len(self._starts))
            self._starts[position + 1 :] = [self._starts[at] + grown for at in behind]

    def put(self, position: int, place: int, message: ChatMessage) -> None:
        """Exchange one message of an exchange."""
        self._messages[self._starts[position] + place] = message

    def behind(self, position: int) -> list[ChatMessage]:
        """All messages from an exchange on."""
        return self._messages[self._starts[position] :]
