"""Every error the library raises on purpose, under one root."""

from __future__ import annotations

from pathlib import Path

from memory_core.texts import _


class PlaygroundError(Exception):
    """The root: catching this catches every error the library raises on purpose."""


class SessionError(PlaygroundError):
    """A session file cannot be read; carries file, line (1-based, if known) and reason."""

    def __init__(self, reason: str, *, file: str | Path = "", line: int | None = None) -> None:
        self.reason = reason
        self.file = str(file)
        self.line = line
        where = ":".join(str(part) for part in (self.file, line) if part not in ("", None))
        super().__init__(f"{where}: {reason}" if where else reason)


class VocabularyMissing(PlaygroundError):
    """The vocabulary of a tiktoken encoding is not on this machine."""


class InvalidConfig(PlaygroundError):
    """A config file or text is not a valid `MemoryConfig`."""


class InvalidPreset(PlaygroundError):
    """There is no preset of this name, or a preset cannot be kept under it."""


class AnchorRemoved(PlaygroundError):
    """An update would remove or replace the system message a conversation stands on."""


class UnknownMessage(PlaygroundError):
    """An update names a message that is not there."""


class InvalidMemoryState(PlaygroundError):
    """A saved manager state does not fit this library or is damaged."""


class SummaryFailed(PlaygroundError):
    """A summariser that was asked directly raised an error."""


class EndpointError(PlaygroundError):
    """A model's endpoint gave no usable answer; carries the HTTP status where there was one."""

    def __init__(self, reason: str, *, status: int | None = None) -> None:
        self.status = status
        super().__init__(reason)


class Cancelled(EndpointError):
    """Asking a model was called off by the person who had asked for it."""


class NotAsked(PlaygroundError):
    """An answer of a model that is not at hand, where no model may be asked."""


class NotMeasurable(PlaygroundError):
    """What a replay lost cannot be told: it is a draft, or of another session."""


class NotSaid(PlaygroundError):
    """No message of a session says what is looked for."""


class CannotWrite(PlaygroundError):
    """A file cannot be written; what was there before is unchanged."""


class UnknownCallPoint(PlaygroundError):
    """A message index that is no call point; carries the nearest one."""

    def __init__(self, at: int, nearest: int) -> None:
        self.at = at
        self.nearest = nearest
        text = _("{at} is not a call point; the nearest one is {nearest}")
        super().__init__(text.format(at=at, nearest=nearest))
