"""CPU of replaying a whole session: the plans alone, and with all summaries.

    python -m benchmarks.replays

Beside them: encoding the session once, which any exact counter has to do. "Counts cached" means
that a replay before it has measured every message, as when a person moves a control.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable

from benchmarks.sessions import session
from memory_core.config import MemoryConfig
from memory_core.gauge import Gauge
from memory_core.messages import ChatMessage
from memory_core.replay import replay
from memory_core.summarizing import ExtractiveSummarizer
from memory_core.tokens.vocabulary import encoder

SETTINGS = {
    "budget 4,000, the article": {},
    "budget 16,000, pruned over 1,000 tokens": {
        "max_token_budget": 16_000,
        "tool_pruning_threshold": 1_000,
        "threshold_unit": "tokens",
    },
    "budget 2,000, windowed at every call": {
        "max_token_budget": 2_000,
        "window_when": "every_call",
    },
}


def cpu(work: Callable[[], object], *, rounds: int = 5) -> float:
    """Median milliseconds of process CPU time."""
    spent: list[float] = []
    for _ in range(rounds):
        start = time.process_time_ns()
        work()
        spent.append((time.process_time_ns() - start) / 1e6)
    return statistics.median(spent)


def main() -> None:
    """Measure one session under several configs."""
    history = session(1_000, characters=310)
    encoding = encoder("o200k_base")
    texts = [message.text for message in history]
    texts += [call.arguments for message in history for call in message.tool_calls]
    base = cpu(lambda: [encoding.encode_ordinary(text) for text in texts])
    raw = replay(history, MemoryConfig()).plans[-1].raw_tokens
    print(f"{len(history):,} messages, {raw:,} tokens; encoding them once {base:7.1f} ms")
    for name, settings in SETTINGS.items():
        measure(name, history, MemoryConfig.model_validate(settings), base)


def measure(name: str, history: list[ChatMessage], config: MemoryConfig, base: float) -> None:
    """Print the plans alone and with summaries, first and again."""
    gauge = Gauge(config)
    silent = config.model_copy(update={"summarizer": "none"})
    replay(history, silent, gauge=gauge)
    gc.freeze()
    plans = cpu(lambda: replay(history, silent, gauge=gauge))
    first = cpu(lambda: replay(history, config, gauge=gauge), rounds=3)
    summarizer = ExtractiveSummarizer()
    result = replay(history, config, gauge=gauge, summarizer=summarizer)
    again = cpu(lambda: replay(history, config, gauge=gauge, summarizer=summarizer), rounds=3)
    compactions = len(result.planner.receipts)
    print(f"{name}: {len(result.plans)} call points, {compactions} compactions")
    print(f"  plans only                  {plans:8.1f} ms  {plans / base:6.2f} times encoding")
    print(f"  with all summaries          {first:8.1f} ms  {first / base:6.2f} times encoding")
    print(f"  the same, statistics kept   {again:8.1f} ms  {again / base:6.2f} times encoding")


if __name__ == "__main__":
    main()
