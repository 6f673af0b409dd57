"""Shell commands of a message: in tool-call arguments, in fenced blocks and behind prompts."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from json import JSONDecoder
from typing import Final, cast

from memory_core.facts.passages import LONGEST, fold
from memory_core.facts.spans import Fence, Span, clipped, is_fenced
from memory_core.messages import clean_text

_KEY: Final = re.compile(
    r"\"(?:commands?|cmd|script|bash|shell|command_?line|(?:shell|bash)_(?:command"
    r"|script)|keystrokes)\""
    r"\s{0,20}:\s{0,20}(?=[\"\[])"
)
_SHELL_TOOL: Final = re.compile(
    r"(?i)(?:\A|[_.\-])(?:[a-z]{0,20}(?:bash|shell|terminal)|z?sh|exec|execute|run"
    r"|cmd|command"
    r"|process|powershell|console)(?:\Z|[_.\-])|(?:run|exec|execute)[_.\-]?"
    r"(?:command|shell|bash)"
)
_SHELL_FENCE: Final = re.compile(
    r"(?:\w{0,20}bash\w{0,20}|z?sh|shell\w{0,10}|console|terminal|fish|powershell"
    r"|ps1|cmd)\Z"
)
_PROMPT: Final = re.compile(
    r"(?m)^[ \t]{0,8}(?:\([\w.\-]{1,30}\) )?"
    r"(?:(?:[\w.\-]{1,40}@[\w.\-]{1,60}[: ][^\s$#]{0,100})?(\$)|"
    r"(?:[\w.\-]{1,40}@[\w.\-]{1,60}[: ][^\s$#]{0,100})(#)|>)"
    r" (?=[A-Za-z./~_])((?:[^\n\\]|\\[^\n]|\\\n){1,2000})"
)
_KNOWN: Final = re.compile(
    r"(?:sudo |time |env )?(?:\.{0,2}/[\w.]|~/|[A-Z_]{2,40}=\S{1,80} \S|(?:git|npm"
    r"|npx|yarn|pnpm|pip3?|pipx|uv|poetry|python3?"
    r"|pytest|node|deno|bun|cargo|rustc|go|mvn|gradlew?|dotnet|docker|kubectl|helm"
    r"|terraform|aws|gcloud"
    r"|az|gh|curl|wget|ssh|scp|rsync|ls|cd|pwd|cat|head|tail|less|grep|rg|sed|awk"
    r"|find|xargs|sort|uniq"
    r"|wc|cut|tr|echo|printf|mkdir|rmdir|rm|cp|mv|ln|touch|chmod|chown|tar|zip|unzip"
    r"|df|du|ps|kill|top"
    r"|systemctl|service|journalctl|apt|apt-get|brew|yum|dnf|make|cmake|gcc|clang"
    r"|export|source|bash|sh"
    r"|zsh|tox|nox|ruff|mypy|pyright|black|eslint|tsc|jest|vitest|mix|bd|psql|mysql"
    r"|sqlite3|redis-cli"
    r"|rails|rake|bundle|gem|php|composer|java|javac|alembic|flask|uvicorn"
    r"|django-admin|vim|nano|diff"
    r"|patch|test|which|whoami|ping|ffmpeg|openssl)(?=[ \n]|\Z))"
)
_PROSE: Final = re.compile(
    r"(?:make|find|test|cat|time|go|sort|cut|kill|which|source|less|touch|service"
    r"|head|tail|top|patch"
    r"|export|echo|bundle|black) (?:sure|the|an?|it|this|that|to|you|your|all|out|in"
    r"|and|is|for|one"
    r"|whether|how|of|on|up|its?|my|our|their|than|important|failures?)(?![\w.\-/])"
)
_LOGICAL: Final = re.compile(
    r"(?:[^\n\"'\\]|\\[\s\S]|\"(?:[^\"\\]|\\[\s\S]){0,4000}+\"|'[^']{0,4000}+'|[\"'])++|\\"
)
_HEREDOC: Final = re.compile(r"<<[-~]?[ ]?[\"'\\]?([A-Za-z_]\w{0,40})")
_NO_COMMAND: Final = re.compile(r"#|(?:do|then|else|done|fi|esac|\{|\}|;;|\))[;\s]{0,4}\Z")
_ESCAPE: Final = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)"
)
_JOINED: Final = re.compile(r"(?:&&|\|\|?|\\)[ \t]{0,20}\Z")
_SHELLS: Final = frozenset({"bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/bin/zsh", "powershell"})
_DECODER: Final = JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True, order=True)
class Command:
    """A command's place in a text, and how a person reads it."""

    start: int
    end: int
    text: str


def content_commands(text: str, blocks: Sequence[Fence]) -> Iterator[Command]:
    """The commands of a message's content, whose fenced blocks are `blocks`."""
    shells = [block for block in blocks if _SHELL_FENCE.match(block.language)]
    prompts = list(_prompts(text))
    asked = {index for prompt in prompts for index in _holders(shells, prompt.start)}
    spans = prompts + [
        span
        for index, block in enumerate(shells)
        if index not in asked
        for span in _lines(text, block.start, block.end)
    ]
    for span in spans:
        yield Command(span.start, span.end, fold(text[span.start : span.end]))


def argument_commands(tool: str, arguments: str) -> Iterator[Command]:
    """The commands of a tool call's arguments, a JSON text; offsets are into that text."""
    sure = bool(_SHELL_TOOL.search(tool))
    reached = 0
    for key in _KEY.finditer(arguments):
        if key.start() < reached:
            continue
        try:
            value, reached = _value(arguments, key.end())
        except (ValueError, RecursionError):
            return
        if isinstance(value, str):
            yield from _of_string(arguments, key.end() + 1, reached - 1, sure=sure)
        elif words := [word for word in value if isinstance(word, str)]:
            yield from _of_list(arguments, words, Span(key.end() + 1, reached - 1), sure=sure)


def _value(text: str, place: int) -> tuple[str | list[object], int]:
    return cast("tuple[str | list[object], int]", _DECODER.raw_decode(text, place))


def _of_string(text: str, start: int, end: int, *, sure: bool) -> Iterator[Command]:
    raw = text[start:end]
    value = _Unescaped.of(raw)
    for span in _lines(value.text, 0, len(value.text)):
        if sure or _is_command(value.text, span.start):
            words = clean_text(fold(value.text[span.start : span.end]))
            yield Command(start + value.raw(span.start), start + value.raw(span.end), words)


def _of_list(text: str, words: list[str], inside: Span, *, sure: bool) -> Iterator[Command]:
    """A list is the words of one command, the script of `bash -c`, or several commands."""
    if words[0] in _SHELLS and len(words) > 2 and words[1].startswith("-"):
        quoted = _strings(text, inside)
        yield from _of_string(text, quoted[-1].start, quoted[-1].end, sure=True)
    elif len(words) > 1 and all(" " in word for word in words):
        for quoted in _strings(text, inside):
            yield from _of_string(text, quoted.start, quoted.end, sure=sure)
    else:
        joined = fold(" ".join(words))
        if joined and (sure or _is_command(joined, 0)):
            short = clipped(joined, 0, len(joined))
            yield Command(inside.start, inside.end, clean_text(joined[: short.end]))


def _strings(text: str, inside: Span) -> list[Span]:
    """The strings of a JSON list, without their quotes."""
    found: list[Span] = []
    place = text.find('"', inside.start, inside.end)
    while place >= 0:
        _, end = _value(text, place)
        found.append(Span(place + 1, end - 1))
        place = text.find('"', end, inside.end)
    return found


def _lines(text: str, start: int, end: int) -> Iterator[Span]:
    """The commands of a script, each with its continued lines, quoted lines and here-document."""
    at = start
    while at < end:
        if text[at].isspace():
            at += 1
            continue
        first = at
        if text[at] == "#":
            at = _line_end(text, at, end)
            continue
        at = _logical_end(text, at, end)
        heredoc = _HEREDOC.search(text, first, min(at, first + LONGEST * 8))
        if heredoc and not text[heredoc.start() : at].startswith("<<<"):
            at = _heredoc_end(text, heredoc[1], at, end)
        if not _NO_COMMAND.match(text, first, at):
            yield clipped(text, first, at)


def _logical_end(text: str, at: int, end: int) -> int:
    found = _LOGICAL.match(text, at, end)
    while (
        found and found.end() < end and _JOINED.search(text, max(at, found.end() - 24), found.end())
    ):
        found = _LOGICAL.match(text, found.end() + 1, end)
        at = found.end() if found else at
    return found.end() if found else _line_end(text, at, end)


def _heredoc_end(text: str, word: str, at: int, end: int) -> int:
    place = text.find("\n" + word, at, end)
    return end if place < 0 else _line_end(text, place + 1, end)


def _line_end(text: str, at: int, end: int) -> int:
    found = text.find("\n", at, end)
    return end if found < 0 else found


def _prompts(text: str) -> Iterator[Span]:
    if "$ " in text or "> " in text or "# " in text:
        for found in _PROMPT.finditer(text):
            if found[1] or found[2] or _is_command(text, found.start(3)):
                yield clipped(text, found.start(3), found.end())


def _holders(blocks: Sequence[Fence], place: int) -> Iterator[int]:
    index = bisect_right(blocks, place, key=lambda block: block.start) - 1
    if index >= 0 and is_fenced(blocks[index : index + 1], place):
        yield index


def _is_command(text: str, start: int) -> bool:
    return bool(_KNOWN.match(text, start)) and not _PROSE.match(text, start)


@dataclass(frozen=True, slots=True)
class _Unescaped:
    """The value of a JSON string, and where each of its characters stands in the raw text."""

    text: str
    places: list[int] = field(default_factory=list[int])
    shifts: list[int] = field(default_factory=list[int])

    @classmethod
    def of(cls, raw: str) -> _Unescaped:
        places: list[int] = []
        shifts: list[int] = []
        shift = 0
        for escape in _ESCAPE.finditer(raw):
            shift += len(escape[0]) - 1
            places.append(escape.end() - shift)
            shifts.append(shift)
        text = cast("str", _DECODER.decode(f'"{raw}"'))
        return cls(text, places, shifts)

    def raw(self, place: int) -> int:
        before = bisect_right(self.places, place)
        return place + (self.shifts[before - 1] if before else 0)
