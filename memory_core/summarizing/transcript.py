"""Messages as lines for a model to read, each bounded, in chunks that keep calls with results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memory_core.errors import InvalidConfig
from memory_core.messages import ChatMessage
from memory_core.pruning.fitting import exceeds, fitted
from memory_core.pruning.head_tail import head_tail
from memory_core.summarizing.request import Numbered
from memory_core.texts import _
from memory_core.tokens.counting import TokenCounter

SMALLEST: Final = 100
"""Tokens below which a bounded message says too little to be worth sending."""

_LONGEST_NAME: Final = 80
_INDENT: Final = "\n  "
_IMAGE: Final = "(image)"


@dataclass(frozen=True, slots=True)
class Sizes:
    """The most tokens of messages in one question, and of one message of them.

    Raises `InvalidConfig` for sizes that do not fit each other.
    """

    chunk_tokens: int = 12_000
    message_tokens: int = 1_500

    def __post_init__(self) -> None:
        if not SMALLEST <= self.message_tokens <= self.chunk_tokens:
            raise InvalidConfig(
                _("a message needs at least {least} tokens, and a chunk at least those").format(
                    least=SMALLEST
                )
            )


@dataclass(frozen=True, slots=True)
class Chunk:
    """The lines of `messages[start:end]`; "" where those say nothing."""

    text: str
    end: int


def chunk_from(
    messages: Sequence[Numbered], start: int, *, sizes: Sizes, count: TokenCounter
) -> Chunk:
    """As many of the messages from `start` on as fit one chunk, at least one.

    A call stays with its results unless they are larger than a chunk.
    """
    names = _names_before(messages, start)
    lines: list[str] = []
    left, end = sizes.chunk_tokens, start
    while end < len(messages):
        group = [
            line_of(one, names, most=sizes.message_tokens, count=count)
            for one in messages[end : _group_end(messages, end)]
        ]
        costs = [count(line + "\n") + 1 if line else 0 for line in group]
        if sum(costs) > left:
            if end == start:
                group = group[: max(1, _fitting(costs, left))]
                lines += group
                end += len(group)
            break
        lines += group
        left -= sum(costs)
        end += len(group)
    return Chunk("\n".join(line for line in lines if line), end)


def line_of(numbered: Numbered, names: dict[str, str], *, most: int, count: TokenCounter) -> str:
    """One message as `[#n] role: text`, its later lines indented; "" where it says nothing.

    `names` holds the tools of earlier calls by call id; the message's own calls are added.
    """
    message = numbered.message
    names.update({call.id: call.name for call in message.tool_calls})
    body = "\n".join(_said(message))
    if not body.strip():
        return ""
    head = f"[#{numbered.index}] {_speaker(message, names)}: "
    whole = head + _indented(body)
    if not exceeds(whole, most, count):
        return whole
    mark = f"\n(shortened: {len(body):,} characters in all)"
    shorter = head_tail(body)
    short = fitted(
        lambda room: head + _indented(shorter(room) + mark),
        longest=len(whole) + len(mark),
        threshold=most,
        unit="tokens",
        count=count,
    )
    return short or f"[#{numbered.index}] {message.role}: ({len(body):,} characters)"


def _names_before(messages: Sequence[Numbered], start: int) -> dict[str, str]:
    """Tools of the calls whose results stand at `start`, where the calls went before."""
    at = start
    while at > 0 and messages[at - 1].message.role == "tool":
        at -= 1
    calls = messages[at - 1].message.tool_calls if at else ()
    return {call.id: call.name for call in calls}


def _group_end(messages: Sequence[Numbered], start: int) -> int:
    end = start + 1
    if messages[start].message.tool_calls:
        while end < len(messages) and messages[end].message.role == "tool":
            end += 1
    return end


def _fitting(costs: Sequence[int], left: int) -> int:
    """How many of the first `costs` fit."""
    number = 0
    for cost in costs:
        left -= cost
        if left < 0:
            break
        number += 1
    return number


def _said(message: ChatMessage) -> Iterator[str]:
    if message.text.strip():
        yield message.text
    if message.content != message.text and any(part.is_image for part in message.parts):
        yield _IMAGE
    for call in message.tool_calls:
        yield f"calls {call.name}({call.arguments})"


def _speaker(message: ChatMessage, names: Mapping[str, str]) -> str:
    if message.role != "tool":
        return message.role
    name = message.name or names.get(message.tool_call_id or "", "")
    shown = " ".join(name.split())[:_LONGEST_NAME]
    return f"result of {shown}" if shown else "result"


def _indented(text: str) -> str:
    """`text` with nothing but its first line at the left edge, so that it can't pass for others."""
    return _INDENT.join(text.splitlines())
