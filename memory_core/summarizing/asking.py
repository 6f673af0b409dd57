"""Asking a summariser: whatever it raises becomes a reported failure, never a lost turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, cast

from memory_core.errors import PlaygroundError
from memory_core.summarizing.request import Summarizer, SummaryRequest
from memory_core.texts import _

LONGEST_REASON: Final = 200
"""Characters of an error's message that are kept."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A summary text, or None with the reason; both None where nothing was asked."""

    text: str | None = None
    failure: str | None = None


def ask(summarizer: Summarizer | None, request: SummaryRequest | None) -> Answer:
    """The summariser's answer. A summariser is foreign code, so any error of it is caught here.

    Of errors that are not the library's only the kind is told: their texts may quote the session
    or a secret, and a failure is shown, logged and stored.
    """
    if request is None or summarizer is None:
        return Answer()
    try:
        text = cast("object", summarizer(request))
    except PlaygroundError as error:
        return Answer(failure=" ".join(str(error).split())[:LONGEST_REASON])
    except Exception as error:  # noqa: BLE001 - the one place where foreign code runs
        failed = _("the summariser failed ({kind})")
        return Answer(failure=failed.format(kind=type(error).__name__))
    if not isinstance(text, str):
        returned = _("the summariser returned {kind}, not a text")
        return Answer(failure=returned.format(kind=type(text).__name__))
    return Answer(text=text)
