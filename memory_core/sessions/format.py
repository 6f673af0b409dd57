"""What a session format is: it recognises records by their content and reads sessions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from memory_core.sessions.session import Session, Skipped


@dataclass(frozen=True, slots=True)
class Record:
    """One JSON object of a file: a JSONL line, an element of a top-level list, or the document.

    `position` counts records from 0; `line` is 1-based and set for JSONL only.
    """

    fields: dict[str, Any]
    position: int
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What a format made of the records; `used` counts those that gave a message."""

    sessions: tuple[Session, ...]
    used: int
    ignored: dict[str, int] = field(default_factory=dict[str, int])
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()


class SessionFormat(Protocol):
    """One recorded shape. `live` formats are appended to while an agent runs.

    A damaged line of a live format is skipped and reported; elsewhere it is an error, but for a
    last line without an end, which is skipped in every format.
    """

    @property
    def label(self) -> str: ...

    @property
    def description(self) -> str: ...

    @property
    def live(self) -> bool: ...

    def detect(self, head: Sequence[Record]) -> bool:
        """Whether the first records of a file are of this format."""
        ...

    def read(self, records: Iterable[Record]) -> Reading:
        """All sessions in `records`; raises `SessionError` (without file) for a bad message."""
        ...
