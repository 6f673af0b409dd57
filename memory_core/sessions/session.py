"""A recorded session as a value: messages, where each came from, and what the load left out."""

from __future__ import annotations

from dataclasses import dataclass, field

from memory_core.messages import ChatMessage


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens the provider reported for one model call; `input_tokens` were not read from cache."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a message came from: line (1-based, JSONL only), record, ISO timestamp, usage."""

    line: int | None = None
    record: str = ""
    timestamp: str | None = None
    usage: Usage | None = None
    unknown_role: str = ""
    """The recorded role where its name has no meaning here: the message counts as a user's."""


@dataclass(frozen=True, slots=True)
class Session:
    """One recorded conversation: `origins[i]` belongs to `messages[i]`."""

    id: str
    format: str
    messages: tuple[ChatMessage, ...]
    origins: tuple[Origin, ...]
    title: str = ""
    model: str | None = None
    tools: str = ""
    """Tool schemas as JSON text, where the file holds them: sent with every call, so overhead."""

    @property
    def unknown_roles(self) -> dict[int, str]:
        """Recorded roles without a meaning here, by message index: they count as a user's."""
        return {
            index: origin.unknown_role
            for index, origin in enumerate(self.origins)
            if origin.unknown_role
        }


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record that gave no message, or lost one: its line (1-based) or position, and why."""

    reason: str
    line: int | None = None
    record: int | None = None


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What a load did with one file; `ignored` counts, by type, records that hold no message."""

    file: str
    format: str
    bytes: int
    records_read: int
    records_used: int
    ignored: dict[str, int] = field(default_factory=dict[str, int])
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Loaded:
    """All sessions of one file (at least one) and the report of the load."""

    sessions: tuple[Session, ...]
    report: LoadReport
