"""Asking a summariser: whatever it raises becomes a reported failure, never a lost turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, cast

from memory_core.summarizing.request import Summarizer, SummaryRequest

LONGEST_REASON: Final = 200
"""Characters of a foreign error's message that are kept; some quote the whole request."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A summary text, or None with the reason; both None where nothing was asked."""

    text: str | None = None
    failure: str | None = None


def ask(summarizer: Summarizer | None, request: SummaryRequest | None) -> Answer:
    """The summariser's answer. A summariser is foreign code, so any error of it is caught here."""
    if request is None or summarizer is None:
        return Answer()
    try:
        text = cast("object", summarizer(request))
    except Exception as error:  # noqa: BLE001 - the one place where foreign code runs
        reason = " ".join(str(error).split())[:LONGEST_REASON]
        return Answer(failure=f"{type(error).__name__}: {reason}")
    if not isinstance(text, str):
        return Answer(failure=f"the summariser returned {type(text).__name__}, not a text")
    return Answer(text=text)
