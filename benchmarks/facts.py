"""How fast facts and statements are found, in millions of bytes (UTF-8) a second of process CPU.

    python -m benchmarks.facts [SESSION_FILE ...]

By default: the files of `sample_sessions`, those of the folder `PLAYGROUND_SHARED` (../shared),
and generated sessions and texts. Each row is the best of three runs.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks.sessions import session
from memory_core.errors import SessionError
from memory_core.facts import message_facts, statements
from memory_core.messages import ChatMessage
from memory_core.sessions import load_file

RUNS = 3
GENERATED = {
    "prose with rules": "Never deploy on Fridays, and keep it under 5 MB. The rest went well. ",
    "Korean prose": "금요일에는 배포하지 마세요. 나머지는 월요일에 하기로 했습니다. ",
    "log with errors": "2026-03-12 10:00:00 INFO ok\nKeyError: 'TEA-OLD'\n",
    "shell script": "$ git status && make test\nnothing to commit\n",
    "plain words": "the quick brown fox and the lazy dog go on and on ",
}


def files() -> Iterator[Path]:
    """The session files to measure with."""
    if len(sys.argv) > 1:
        yield from map(Path, sys.argv[1:])
        return
    yield from sorted(Path("sample_sessions").glob("*.json"))
    shared = Path(os.environ.get("PLAYGROUND_SHARED", "../shared")) / "sessions"
    if shared.is_dir():
        yield from sorted(path for path in shared.iterdir() if path.is_file())


def rows() -> Iterator[tuple[str, list[ChatMessage]]]:
    """A name and the messages of each row."""
    for file in files():
        try:
            loaded = load_file(file).sessions
        except SessionError:
            continue
        yield file.name, [message for one in loaded for message in one.messages]
    if len(sys.argv) == 1:
        yield "generated session", session(2_000)
        for name, text in GENERATED.items():
            content = text * (1_000_000 // len(text))
            yield name, [ChatMessage(role="user", content=content)]


def size(messages: Sequence[ChatMessage]) -> float:
    """Millions of bytes of text and arguments."""
    texts = (
        text for one in messages for text in (one.text, *(c.arguments for c in one.tool_calls))
    )
    return sum(len(text.encode()) for text in texts) / 1e6


def seconds(work: Callable[[ChatMessage, int], object], messages: Sequence[ChatMessage]) -> float:
    """The best of some runs, in process CPU time."""
    spent: list[float] = []
    for _ in range(RUNS):
        start = time.process_time()
        for index, message in enumerate(messages):
            work(message, index)
        spent.append(time.process_time() - start)
    return max(1e-9, min(spent))


def main() -> None:
    """Print a line per file and generated text."""
    print(f"{'':<46}{'MB':>7}{'facts':>8}{'statements':>12}{'together':>10}  MB/s")
    total = facts_total = statements_total = 0.0
    for name, messages in rows():
        amount = size(messages)
        facts, said = seconds(message_facts, messages), seconds(statements, messages)
        total, facts_total, statements_total = (
            total + amount,
            facts_total + facts,
            statements_total + said,
        )
        line(name, amount, facts, said)
    line("all", total, facts_total, statements_total)


def line(name: str, amount: float, facts: float, said: float) -> None:
    """Print the speeds of one row."""
    speeds = f"{amount / facts:8.2f}{amount / said:12.2f}{amount / (facts + said):10.2f}"
    print(f"{name[:45]:<46}{amount:7.2f}{speeds}")


if __name__ == "__main__":
    main()
