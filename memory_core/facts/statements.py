"""Finding the statements of a message: commands, decisions, rules and lines that tell errors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memory_core.facts.commands import argument_commands, content_commands
from memory_core.facts.decisions import ENGLISH_DECISIONS, KOREAN_DECISIONS
from memory_core.facts.failures import failure_lines
from memory_core.facts.passages import fold
from memory_core.facts.phrasing import Wording
from memory_core.facts.rules import ENGLISH_RULES, KOREAN_RULES
from memory_core.facts.spans import Fence, Span, fences, is_fenced, sentence_at
from memory_core.facts.statement import Statement, StatementKind
from memory_core.messages import ChatMessage, Role

_SPOKEN: Final[dict[StatementKind, tuple[Wording, Wording]]] = {
    "decision": (ENGLISH_DECISIONS, KOREAN_DECISIONS),
    "constraint": (ENGLISH_RULES, KOREAN_RULES),
}
_CODE: Final = re.compile(r"[{}=;<>\\|]|\w\(|\)\.|::")
_MOST_CODE: Final = 0.02
_LEAD: Final = 48


def statements(message: ChatMessage, index: int) -> tuple[Statement, ...]:
    """The statements of a message's text, in order, then of the arguments of its tool calls.

    A sentence may be both a decision and a constraint. Linear in the length of the texts.
    """
    said = sorted(_content(message, index), key=lambda one: (one.start, one.end, one.kind))
    called = (
        Statement("command", one.text, index, call, one.start, one.end)
        for call, made in enumerate(message.tool_calls)
        for one in argument_commands(made.name, made.arguments)
    )
    return (*said, *called)


def _content(message: ChatMessage, index: int) -> Iterator[Statement]:
    text, role = message.text, message.role
    blocks = fences(text)
    # A script that a tool shows is a file's content, not something run here.
    for one in content_commands(text, () if role == "tool" else blocks):
        yield Statement("command", one.text, index, None, one.start, one.end)
    for kind, span in _spans(text, role, blocks):
        words = fold(text[span.start : span.end])
        yield Statement(kind, words, index, None, span.start, span.end)


def _spans(text: str, role: Role, blocks: Sequence[Fence]) -> Iterator[tuple[StatementKind, Span]]:
    if role not in ("system", "developer"):
        for span in failure_lines(text, output=role == "tool"):
            yield "error_line", span
    if role != "tool":
        for kind, wordings in _SPOKEN.items():
            for span in _spoken(text, role, wordings, blocks):
                yield kind, span


def _spoken(
    text: str, role: Role, wordings: tuple[Wording, Wording], blocks: Sequence[Fence]
) -> Iterator[Span]:
    english, korean = wordings
    yield from _sentences(text, role, english, blocks)
    if not text.isascii():
        yield from _sentences(text, role, korean, blocks)


def _sentences(text: str, role: Role, wording: Wording, blocks: Sequence[Fence]) -> Iterator[Span]:
    reached = 0
    for found in wording.pattern.finditer(text):
        start = found.start()
        if start < reached or is_fenced(blocks, start):
            continue
        cue = wording.cues[found.lastgroup or ""]
        if not cue.is_meant(role, _before(text, start)):
            continue
        span = sentence_at(text, start, found.end(), since=reached)
        # A sentence that is refused is refused once: another cue in it would meet the same doubt.
        reached = span.end
        sentence = text[span.start : span.end]
        if wording.is_said(sentence, role) and not _is_code(sentence):
            yield span


def _before(text: str, start: int) -> str:
    return text[max(0, start - _LEAD) : start].rpartition("\n")[2]


def _is_code(sentence: str) -> bool:
    return len(_CODE.findall(sentence)) > 2 + _MOST_CODE * len(sentence)
