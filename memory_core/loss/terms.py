"""Numbering what a session says: one number per item or word, and where each is said."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Mask = NDArray[np.bool_]


class Terms:
    """The terms of a session by order of appearance, and the messages that say each."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        """By term: its number."""
        self._messages: list[list[int]] = []
        self._said: list[Numbers] = []

    def __len__(self) -> int:
        return len(self.numbers)

    def __contains__(self, name: str) -> bool:
        return name in self.numbers

    def known(self, names: Iterable[str]) -> list[int]:
        """The numbers of those terms that the session says."""
        numbers = self.numbers
        return [numbers[name] for name in names if name in numbers]

    def say(self, message: int, names: Iterable[str]) -> None:
        """Take what the next message says; messages come in order, each once."""
        numbers = self.numbers
        messages = self._messages
        own: list[int] = []
        for name in dict.fromkeys(names):
            number = numbers.setdefault(name, len(messages))
            if number == len(messages):
                messages.append([message])
            else:
                messages[number].append(message)
            own.append(number)
        self._said.append(np.array(own, np.int64))

    def said(self, message: int) -> Numbers:
        """The terms of a message, each once, in order of appearance."""
        return self._said[message]

    def messages(self, number: int) -> list[int]:
        """The indices of the messages that say a term, ascending."""
        return self._messages[number]

    @cached_property
    def first(self) -> Numbers:
        """By term: the first message that says it."""
        return np.array([messages[0] for messages in self._messages], np.int64)

    @cached_property
    def counts(self) -> Numbers:
        """By term: how many messages say it."""
        return np.array([len(messages) for messages in self._messages], np.int64)
