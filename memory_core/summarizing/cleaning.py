"""A model's answer as a flat list: one fact a line, no fence, no heading, no false reference."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

_THINKING: Final = re.compile(r"\A\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
_FENCE: Final = re.compile(r"(?:```|~~~)[\w-]{0,20}|[-*_=]{3,}")
_HEADING: Final = re.compile(r"#{1,6}\s")
_SIGNS: Final = r"-*+\u2022\u2023\u25aa\u25e6\u00b7\u2013\u2014"
_BULLET: Final = re.compile(rf"(?:[{_SIGNS}]|[0-9]{{1,3}}[.)])(?:\s+|$)")
_REFERENCE: Final = re.compile(r" ?\[#([0-9]{1,9})\]")


def cleaned(answer: str, known: Collection[int]) -> str:
    """`answer` as lines `- fact`, each once; "" where it holds no fact.

    References to messages that are not in `known` are invented, and left out.
    """
    facts = (_without_inventions(item, known) for item in _items(_THINKING.sub("", answer)))
    return "\n".join(f"- {fact}" for fact in dict.fromkeys(facts) if fact)


def holds_facts(answer: str) -> bool:
    """Whether anything of a model's answer can stand in a summary."""
    return bool(cleaned(answer, ()))


def _items(text: str) -> list[str]:
    """The items of a list; a line that is indented and no bullet goes on with the one before."""
    items: list[str] = []
    has_bullet = False
    for line in _lines(text):
        said = line.strip()
        bullet = _BULLET.match(said)
        if bullet:
            has_bullet = True
            items.append(said[bullet.end() :].strip())
        elif items and line[0].isspace():
            items[-1] = f"{items[-1]} {said}".strip()
        elif has_bullet or not said.endswith((":", "\uff1a")):
            items.append(said)
    return items


def _lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        said = line.strip()
        if said and not _FENCE.fullmatch(said) and not _HEADING.match(said):
            yield line


def _without_inventions(fact: str, known: Collection[int]) -> str:
    return _REFERENCE.sub(lambda at: at[0] if int(at[1]) in known else "", fact).strip()
