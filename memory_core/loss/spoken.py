"""The statements of a session, such as rules and commands, and the lines that keep them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

import numpy as np

from memory_core.facts import Statement, StatementKind, content_words, fold
from memory_core.loss.terms import Numbers, Terms

KEPT_OF: Final = (2, 3)
"""A line keeps a statement with two in three of its content words."""

_NUMBER: Final = re.compile(r"[0-9]+(?:[.,:][0-9]+)*")
_REFUSAL: Final = re.compile(
    r"(?i)(?<![A-Za-z])(?:not|never|no|none|without|cannot|avoid|stop|except|unless|only"
    r"|(?:do|does|did|is|are|was|were|can|could|wo|would|should|must|need)n['\u2019]?t)(?![A-Za-z])"
    r"|마세요|말아|말고|말 것|말라|마라|지 마|금지|않|안 |못|없|아니|만 "
)
"""What turns a statement round: a line without it says something else."""


class Spoken:
    """The statements of a session by number, in order of appearance; all are said before `held`."""

    def __init__(self) -> None:
        self.statements: list[Statement] = []
        """Each as it was first made."""
        self.said = Terms()
        """The statements of every message, by `name_of_statement`."""
        self._words: list[frozenset[str]] = []
        self._numbers: list[frozenset[str]] = []
        self._refuses: list[bool] = []
        self._wordless: list[int] = []

    def say(self, message: int, found: Sequence[Statement]) -> None:
        """Take the statements of the next message."""
        self.said.say(message, map(name_of_statement, found))
        for statement in found:
            number = self.said.numbers[name_of_statement(statement)]
            if number == len(self.statements):
                self._add(number, statement)

    def held(self, text: str, words: frozenset[str]) -> tuple[int, ...]:
        """The statements that a line of `text`, with these content words, keeps."""
        kept, of = KEPT_OF
        numbers = numbers_in(text)
        found = [
            number
            for number in {one for word in words | numbers for one in self._telling.get(word, ())}
            if self._numbers[number] <= numbers
            and len(self._words[number] & words) * of >= len(self._words[number]) * kept
        ]
        if self._wordless:
            plain = fold(text).casefold()
            found += [
                number
                for number in self._wordless
                if self.statements[number].text.casefold() in plain
            ]
        if found and not _REFUSAL.search(text):
            return tuple(number for number in found if not self._refuses[number])
        return tuple(found)

    @cached_property
    def _telling(self) -> Mapping[str, Sequence[int]]:
        """By word: the statements to look at where a line has it.

        A line with enough words of a statement has one of its rarest, as many as it may lack and
        one more; of its numbers it has all. Only those are listed.
        """
        often = Counter(word for words in self._words for word in words)
        often.update(number for numbers in self._numbers for number in numbers)
        kept, of = KEPT_OF
        found: defaultdict[str, list[int]] = defaultdict(list)
        for number, words in enumerate(self._words):
            if self._numbers[number]:
                rarest = min(self._numbers[number], key=lambda one: (often[one], one))
                found[rarest].append(number)
                continue
            lacking = len(words) * (of - kept) // of
            for word in sorted(words, key=lambda word: (often[word], word))[: lacking + 1]:
                found[word].append(number)
        return found

    @cached_property
    def kinds(self) -> tuple[StatementKind, ...]:
        """The kinds there are, most frequent first."""
        counts: Counter[StatementKind] = Counter(one.kind for one in self.statements)
        return tuple(sorted(counts, key=lambda kind: (-counts[kind], kind)))

    @cached_property
    def kind_numbers(self) -> Numbers:
        """By statement: the place of its kind in `kinds`."""
        places = {kind: place for place, kind in enumerate(self.kinds)}
        return np.array([places[one.kind] for one in self.statements], np.int64)

    def _add(self, number: int, statement: Statement) -> None:
        words = frozenset(content_words(statement.text))
        self.statements.append(statement)
        self._words.append(words)
        self._numbers.append(numbers_in(statement.text))
        self._refuses.append(_REFUSAL.search(statement.text) is not None)
        if not words and not self._numbers[number]:
            self._wordless.append(number)


def numbers_in(text: str) -> frozenset[str]:
    """The numbers of a text, none of which a statement may lose."""
    return frozenset(_NUMBER.findall(text))


def name_of_statement(statement: Statement) -> str:
    """What makes two statements the same: kind and words, whatever their case."""
    return f"{statement.kind} {statement.text.casefold()}"
