"""The lines that tell an error: exceptions, compiler and test failures, exit codes."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import Final

from memory_core.facts.passages import LONGEST
from memory_core.facts.spans import Span, clipped

_FIRST: Final = 10
_LAST: Final = 10
_REACH: Final = 2 * LONGEST

# Literals are searched one by one: far faster than one pattern that begins with common letters.
_TRIGGERS: Final = tuple(
    re.compile(re.escape(words))
    for words in (
        *(
            "rror",
            "RROR",
            "xception",
            "Interrupt",
            "FAIL",
            "fatal: ",
            "Fatal: ",
            "FATAL",
            "CRITICAL",
        ),
        *("panic", "ERR!", "failed", "Failed", "failure", "xit code", "xit status", "xited with"),
        *("eturncode", "eturn code", "not ok ", "E   ", "o such file", "ermission denied"),
        *(
            "not found",
            "onnection refused",
            "Traceback: ",
            "오류",
            "에러",
            "실패",
            "✗ ",
            "✘ ",
            "✖ ",
        ),
    )
)
_EDGE: Final = re.compile(r"\n|\\n|\r|\\r")
_EXCEPTION: Final = (
    r"(?:[A-Za-z_]\w{0,60}\.){0,8}[A-Z]\w{0,60}(?:Error|Exception|Interrupt)"
    r"(?:\s\[\w{1,40}\])?(?::\s?\S|:?\s{0,4}\Z)"
)
_LEAD: Final = (
    r"\s{0,40}(?:E {3,7}(?!Use -v)|>{1,2}\s|[!✗✘✖\u00d7●\u2022*\-]\s"
    r"|\d{4}-\d\d-\d\d[T ]\S{1,30}\s|npm |\[[^\]\n]{1,40}\]\s?"
    r"|[\w./\\\-]{1,160}:\d{1,6}(?::\d{1,6})?:?\s|[\w./\\\-]{1,60}(?:\(\d{1,6}"
    r"(?:,\d{1,6})?\))?:\s"
    r"|<\w{1,20}>|Uncaught |Unhandled |Caused by: ){0,4}"
)
_STRICT: Final = re.compile(
    rf"{_LEAD}(?:{_EXCEPTION}"
    r"|(?:[Ee]rror|ERROR|[Ff]atal(?: error)?|FATAL|panic|ERR!"
    r"|thread '[^'\n]{1,60}' panicked)"
    r"(?:\[\w{1,20}\]| \w{1,3}\d{1,6})?(?::|(?<=!)| at)\s?\S"
    r"|FAILED \S{3}|ERROR \S{1,200}::|--- FAIL: |FAIL:? +\S{1,200}[./]\S|not ok \d"
    r"|Exception in \S|\*\* \(\w{1,40}(?:\.\w{1,40}){0,4}\) \S|<(?:returncode"
    r"|exit_code)>-?[1-9]|Traceback: |[가-힣]{0,12} ?(?:오류|에러|실패)\s?:\s?\S)"
)
_LOOSE: Final = re.compile(
    rf"(?:{_STRICT.pattern})"
    r"|E {3,7}(?!Use -v|At index|\?|[+\-] )\S"
    r"|[^\n]{0,480}?(?:"
    rf"(?<![\w.(]){_EXCEPTION}"
    r"|(?<![\w/.\-])FAILED: \S"
    r"|(?<![\w/.\-])(?:ERROR|FATAL|CRITICAL)(?:[\]|:]\s?\S|\s[\-|\[]|\s{1,8}[a-zA-Z])"
    r"|(?<![\w.])(?:exit(?:ed)?(?: with)?(?: code| status)|[Ee]xit(?: code| status)"
    r"|return_?code)\W{1,4}(?:code )?-?[1-9]\d{0,4}(?!\d|\s[a-z])"
    r"|: (?:[Nn]o such file or directory|[Pp]ermission denied|command not found"
    r"|not found\s{0,4}\Z|[Cc]onnection refused)"
    r"|\"(?:error|error_message|errorMessage|err)\"\s{0,4}:\s{0,4}\"[^\"]"
    r"|(?<!\d)(?<!of )[1-9]\d{0,5} (?:of \d{1,6} )?(?:\w{1,20} )?(?:failed|errors?"
    r"|failures?)(?= in |,? \d|, |\)|\.\s| =|\.?\s{0,4}\Z)"
    r"|(?:오류|에러)(?:가|이)? ?발생(?!하지|할|시|하면)|(?:에|을|를|이|가) 실패"
    r"(?:했|하였|함|됨)|실패(?:했습니다|하였습니다)"
    r")"
)
_NO_ERROR: Final = re.compile(
    r"(?i)(?<![\w.])(?:0|no|zero|without(?: any)?) (?:errors?|failures?|exceptions?"
    r"|failed)(?!\w)"
    r"|(?:error|err|exception|failures?)\"?\s{0,4}[:=]\s{0,4}(?:null|none|false|nil"
    r"|0|\"\"|''|\[\]|\{\})(?!\w)"
    r"|(?:오류|에러|실패)(?:는|가)?\s?:?\s?(?:0|없)|(?:오류|에러)가 발생하지"
)
_SOURCE: Final = re.compile(
    r"\s{0,12}\d{1,6}(?:→|\t|\s{0,4}[|│])|\s{0,12}\d{1,6}\s{2}\S"
    r"|\s{0,40}(?:\S{1,160}[:\-]\d{1,6}[:\-])?[+\-]?\s{0,60}(?:raise|except|import"
    r"|from|class|def|throw|catch|return"
    r"|assert|if|elif|else|for|while|with|try|case|rescue|self|this|const|let|var"
    r"|print|console"
    r"|logg?(?:er|ing)?|public|private|fn|func|defp?|//|#|/?\*(?!\* \()|@|\"\"\"|\{:error)"
    r"(?![A-Za-z])(?!: )"
    r"|[^\n]{0,200}(?:\.(?:error|errors|exception|fatal)\(|\b(?:raise|throw new"
    r"|except|catch|pytest\.raises\()\s?\(?\w{0,60}(?:Error|Exception))"
)


def failure_lines(text: str, *, output: bool) -> tuple[Span, ...]:
    """At most 20 lines that tell an error, the first ten and the last ten, none twice.

    `output` = the text is what a tool gave back; elsewhere the line must begin as an error does.
    """
    lines = _distinct(text, output=output)
    first = list(islice(lines, _FIRST))
    return (*first, *deque(lines, maxlen=_LAST))


def _distinct(text: str, *, output: bool) -> Iterator[Span]:
    rule = _LOOSE if output else _STRICT
    seen: set[str] = set()
    reached = 0
    places = sorted(found.span() for words in _TRIGGERS for found in words.finditer(text))
    for start, end in places:
        if start < reached:
            continue
        line = _line(text, start, end, reached)
        reached = line.end
        words = text[line.start : line.end]
        if not rule.match(_NO_ERROR.sub("", words)) or _SOURCE.match(words):
            continue
        span = clipped(text, line.start, line.end)
        key = text[span.start : span.end]
        if span.start < span.end and key not in seen:
            seen.add(key)
            yield span


def _line(text: str, start: int, end: int, reached: int) -> Span:
    """The line around a trigger; of a long line what stands around the trigger."""
    first = max(reached, start - LONGEST)
    for edge in _EDGE.finditer(text, first, start):
        first = edge.end()
    stop = _EDGE.search(text, end, end + _REACH)
    last = stop.start() if stop else min(len(text), end + LONGEST)
    return Span(first, last)
