"""What a summariser is asked: messages that leave the window, previous summary, cap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memory_core.messages import ChatMessage
from memory_core.tokens.counting import TokenCounter


@dataclass(frozen=True, slots=True)
class Numbered:
    """A message and its 0-based index in the session, the number behind `[#n]`."""

    index: int
    message: ChatMessage


@dataclass(frozen=True, slots=True)
class SummaryRequest:
    """One compaction's question.

    A *cumulative* summariser selects from `behind`: every message before the cut, oldest first,
    `new` included. A *folding* one joins `previous` (text without heading, "" at first) with `new`
    only, so that no message is sent to a model twice. The answer must take at most `cap` tokens by
    `count`, heading excluded.
    """

    behind: Sequence[Numbered]
    new: Sequence[Numbered]
    previous: str
    cap: int
    count: TokenCounter


Summarizer = Callable[[SummaryRequest], str]
"""Returns the summary text, "" for nothing. It may raise: then nothing is committed."""
