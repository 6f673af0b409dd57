"""A statement: a whole phrase that can be lost, such as a command, a decision or a rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

StatementKind = Literal["command", "decision", "constraint", "error_line"]


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a message, on one line of at most `passages.LONGEST` characters.

    `call` is the 0-based tool call whose arguments hold it, None for the content; `start` and
    `end` are offsets into that text. `text` is `content[start:end]` with white space folded; of
    arguments it is what the tool gets, so JSON escapes are undone and a list of words is joined.
    """

    kind: StatementKind
    text: str
    message: int
    call: int | None
    start: int
    end: int
