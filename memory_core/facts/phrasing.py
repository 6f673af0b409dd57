"""Telling a wording from what only looks like it: cues, who uses them, what surrounds them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memory_core.messages import Role

GIVERS: Final = frozenset[Role]({"user", "system", "developer"})
RULERS: Final = frozenset[Role]({"system", "developer"})
TALKERS: Final = frozenset[Role]({"user", "assistant"})
USER: Final = frozenset[Role]({"user"})
ALL: Final = GIVERS | TALKERS
WORD_START: Final = r"(?<![A-Za-z0-9_].)"
"""Behind the class of a cue's first letter: that letter begins a word."""

_QUESTION: Final = re.compile(
    r"[?\uff1f][\"'\u201d\u2019)\]*]{0,3}\Z|(?:나요|까요|ㄹ까|는지요)[.~]{0,3}\Z"
)
_TAG: Final = re.compile(
    r"(?i)[,.\u2014\-] ?(?:ok(?:ay)?|right|please|alright|got it|understood|알겠(?:지"
    r"|죠)|알았(?:지|죠)|네|아시겠죠)\s?[?\uff1f]\Z"
)


def ending(pattern: str) -> re.Pattern[str]:
    """A pattern for the end of what stands before a cue, in either case."""
    return re.compile(rf"(?i)(?:{pattern})\Z")


@dataclass(frozen=True, slots=True)
class Cue:
    """A wording, who may use it, and what must and must not stand right before it."""

    pattern: str
    roles: frozenset[Role]
    lead: re.Pattern[str] | None = None
    no_lead: re.Pattern[str] | None = None

    def is_meant(self, role: Role, before: str) -> bool:
        """True if `role` may use the cue that stands behind `before`."""
        if role not in self.roles or (self.lead and not self.lead.search(before)):
            return False
        return not (self.no_lead and self.no_lead.search(before))


@dataclass(frozen=True, slots=True)
class Wording:
    """All cues of one kind in one language as a single pattern.

    `unless` = what the sentence may not say; `quoting` = what an assistant's sentence must say, to
    show that it repeats what it was told.
    """

    pattern: re.Pattern[str]
    cues: dict[str, Cue]
    unless: re.Pattern[str]
    quoting: re.Pattern[str] | None

    @classmethod
    def of(
        cls,
        first: str,
        cues: tuple[Cue, ...],
        *,
        unless: re.Pattern[str],
        quoting: re.Pattern[str] | None = None,
    ) -> Wording:
        """`first` = a class of the letters the cues begin with, and what may stand before."""
        named = {f"c{number}": cue for number, cue in enumerate(cues)}
        options = "|".join(f"(?P<{name}>{cue.pattern})" for name, cue in named.items())
        return cls(re.compile(f"{first}(?:{options})"), named, unless, quoting)

    def is_said(self, sentence: str, role: Role) -> bool:
        """True if a sentence with a cue states something, and asks or excuses nothing."""
        if _is_open(sentence) or self.unless.search(sentence):
            return False
        return role != "assistant" or self.quoting is None or bool(self.quoting.search(sentence))


def _is_open(sentence: str) -> bool:
    """True if the sentence asks; `..., ok?` behind an order does not."""
    return bool(_QUESTION.search(sentence)) and not _TAG.search(sentence)
