"""Finding the facts of a text: one routine for the summariser and for every measure of loss."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from memory_core.facts.fact import Fact, FactKind, MessageFact
from memory_core.facts.patterns import RULES
from memory_core.messages import ChatMessage

_ESCAPE: Final = re.compile(r"\\(?:u[0-9a-fA-F]{4}|[nrt])")
_DRIVE: Final = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z]:\\{1,2}(?:[^\\/:*?\"'<>|\s]{1,120}+\\{1,2}){0,20}+[A-Za-z0-9_.\-]{1,120}+"
)
_KEY_END: Final = re.compile(r"[^\"'\\\n{}\[\],:]{0,60}+\\?[\"']\s{0,3}+:")
_FRACTION: Final = re.compile(r"[0-9A-Za-z]{1,4}/[0-9A-Za-z]{1,4}")
_EXTENSION: Final = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}\Z")
_DECIMAL: Final = re.compile(r"[0-9]+(?:\.[0-9]+)?\Z")
_ORDINAL: Final = re.compile(r"[0-9]+(?:st|nd|rd|th)\Z")
_SCALED: Final = re.compile(r"[0-9]{1,5}(?:\.[0-9]+)?[A-Za-z]{1,4}\Z")
_RANGE: Final = re.compile(r"[0-9\-_]+\Z")
_TRAILING: Final = {"url": ".,;:!?'*)]", "path": ".,;:!?=", "email": ".-", "id": "-_"}
_LONGEST_NUMBER: Final = 4
_FEWEST_DIALLED: Final = 7


class _Span(NamedTuple):
    start: int
    rank: int
    end: int
    kind: FactKind


def extract(text: str) -> tuple[Fact, ...]:
    """The facts of `text`, in order, never overlapping; linear in its length.

    Keys of JSON objects are no facts, their values are. Escapes of JSON strings (`\\n`) are edges.
    """
    spans, readable = _spans(text)
    facts: list[Fact] = []
    reached = 0
    for start, _, end, kind in sorted(spans):
        if start < reached or _KEY_END.match(readable, end):
            continue
        facts.append(Fact(kind, text[start:end], start, end))
        reached = end
    return tuple(facts)


def message_facts(message: ChatMessage, index: int) -> tuple[MessageFact, ...]:
    """The facts of a message's text and of the arguments of its tool calls."""
    texts: list[tuple[int | None, str]] = [(None, message.text)]
    texts += [(call, made.arguments) for call, made in enumerate(message.tool_calls)]
    return tuple(
        MessageFact(fact.kind, fact.text, index, call, fact.start, fact.end)
        for call, text in texts
        for fact in extract(text)
    )


def _spans(text: str) -> tuple[list[_Span], str]:
    spans: list[_Span] = []
    readable = text
    if "\\" in text:
        if ":\\" in text:
            spans = [_Span(m.start(), -1, m.end(), "path") for m in _DRIVE.finditer(text)]
        readable = _ESCAPE.sub(lambda m: " " * len(m[0]), text)
    for rank, rule in enumerate(RULES):
        if rule.needs in readable:
            for found in rule.pattern.finditer(readable):
                span = _accepted(found, rank, rule.kind, readable)
                if span is not None:
                    spans.append(span)
    return spans, readable


def _accepted(found: re.Match[str], rank: int, kind: FactKind, text: str) -> _Span | None:
    start, end = found.span()
    matched = found[0]
    if kind in _TRAILING:
        end -= len(matched) - len(matched.rstrip(_TRAILING[kind]))
        if kind == "id":
            start += len(matched) - len(matched.lstrip("-_."))
        matched = text[start:end]
    if kind == "path" and not _is_path(matched):
        return None
    if kind == "id":
        return _identified(start, end, rank, text)
    return _Span(start, rank, end, kind)


def _identified(start: int, end: int, rank: int, text: str) -> _Span | None:
    matched = text[start:end]
    if matched.startswith("#"):
        start += _is_mixed(matched[1:])
        return _Span(start, rank, end, "id")
    kind = _numeric_kind(matched)
    if kind is None or (kind == "number" and _is_line_number(start, end, text)):
        return None
    return _Span(start, rank, end, kind)


def _is_mixed(word: str) -> bool:
    return not word.isdigit() and any(letter.isdigit() for letter in word)


@lru_cache(maxsize=65_536)
def _numeric_kind(word: str) -> FactKind | None:
    """What a word with a digit is: an id, a number, or too little to be either."""
    if _DECIMAL.match(word):
        return _digits_kind(word)
    if len(word) < 3 or _ORDINAL.match(word) or _is_range(word):
        return None
    return "quantity" if _SCALED.match(word) else "id"


def _digits_kind(word: str) -> FactKind | None:
    if len(word) > _LONGEST_NUMBER and "." not in word:
        return "id"
    return "number" if len(word) > 2 else None


def _is_range(word: str) -> bool:
    """True for `3-5`; a telephone number has more digits, a version has dots."""
    return bool(_RANGE.match(word)) and sum(map(str.isdigit, word)) < _FEWEST_DIALLED


@lru_cache(maxsize=65_536)
def _is_path(word: str) -> bool:
    if len(word) < 3 or "/" not in word:
        return bool(_EXTENSION.search(word)) and len(word) > 3
    if not any(letter.isalpha() for letter in word) or _FRACTION.fullmatch(word):
        return False
    return word[0] in "/~." or word.count("/") > 1 or bool(_EXTENSION.search(word))


def _is_line_number(start: int, end: int, text: str) -> bool:
    """True for the number column of a listing (`12→`, `12:`) and for that of `file.py:12`."""
    if text[start - 1 : start] == ":" and text[start - 2 : start - 1] not in ("", '"', "'", " "):
        return True
    follower = text[end : end + 1]
    return follower in ("→", "│", "|", "\t", ":") and text[start - 1 : start] in (
        "",
        "\n",
        " ",
        "\t",
    )
