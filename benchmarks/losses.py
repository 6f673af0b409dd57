"""CPU of reading what a session says, and of measuring what a config loses of it.

    python -m benchmarks.losses [SESSION_FILE ...]

Reading is told in megabytes of text per second, beside the bare `extract` over the same texts;
measuring one config in milliseconds after reading and replaying, beside that replay; "again" with
the lines of its summaries known, as when a person moves a control.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.replays import SETTINGS, cpu
from benchmarks.sessions import session
from memory_core.config import MemoryConfig
from memory_core.facts import extract
from memory_core.gauge import Gauge
from memory_core.loss import Index, measure, needs_of
from memory_core.messages import ChatMessage
from memory_core.replay import replay, tape_of
from memory_core.sessions import load_file


def main() -> None:
    """Measure a generated session of 1,000 messages, and files."""
    show("generated", session(1_000, characters=310))
    for file in sys.argv[1:]:
        show(file, load_file(file).sessions[0].messages)


def show(name: str, history: Sequence[ChatMessage]) -> None:
    """Print the figures of one session."""
    texts = [message.text for message in history]
    texts += [call.arguments for message in history for call in message.tool_calls]
    size = sum(len(text.encode()) for text in texts)
    reading = cpu(lambda: Index(history))
    bare = cpu(lambda: [extract(text) for text in texts])
    print(f"{name}: {len(history):,} messages, {size / 1e6:.2f} MB")
    print(
        f"  reading {reading:7.1f} ms = {size / reading / 1e3:.2f} MB/s"
        f"   (bare extract {size / bare / 1e3:.2f} MB/s, ratio {reading / bare:.2f})"
    )
    index = Index(history)
    needs = needs_of(index)
    gauge, tape = Gauge(MemoryConfig()), tape_of(history)
    for setting, fields in SETTINGS.items():
        config = MemoryConfig.model_validate(fields)
        result = replay(history, config, gauge=gauge, tape=tape)
        replaying = cpu(lambda config=config: replay(history, config, gauge=gauge, tape=tape))
        again = cpu(lambda result=result: measure(result, index, needs))
        first = cpu(lambda result=result: (index.lines.clear(), measure(result, index, needs)))
        print(
            f"  {setting:<42} measuring {first:6.1f} ms (again {again:5.1f} ms)"
            f"   replaying {replaying:7.1f} ms   ratio {first / replaying:.2f}"
        )


if __name__ == "__main__":
    main()
