"""CPU and bytes of the film of a long session, beside the replay whose film it is.

    python -m benchmarks.films

"Shown" is what the page draws: at most 180 messages by 800 calls. "Whole" is every message at
every call. All figures are medians of process CPU time in one run; read the ratios.
"""

from __future__ import annotations

from typing import Any, Final

from benchmarks.replays import cpu
from benchmarks.sessions import session
from memory_core.config import MemoryConfig
from memory_core.film import film
from memory_core.gauge import Gauge
from memory_core.messages import ChatMessage
from memory_core.replay import draft, tape_of
from pages.ui.picture import png

MESSAGES: Final = 10_000
SETTINGS: Final[dict[str, dict[str, Any]]] = {
    "budget 4,000, the article": {},
    "budget 2,000, no summaries": {"max_token_budget": 2_000, "summarizer": "none"},
    "budget 200,000, 200 pins": {
        "max_token_budget": 200_000,
        "pins": tuple(range(0, MESSAGES, MESSAGES // 200)),
    },
}


def main() -> None:
    """Measure one session under several configs."""
    history = session(MESSAGES, characters=310)
    for name, settings in SETTINGS.items():
        measure(name, history, MemoryConfig.model_validate(settings))


def measure(name: str, history: list[ChatMessage], config: MemoryConfig) -> None:
    """Print the replay without its summaries, and the film shown and whole."""
    gauge, tape = Gauge(config), tape_of(history)
    done = draft(history, config, gauge=gauge, tape=tape)
    base = cpu(lambda: draft(history, config, gauge=gauge, tape=tape), rounds=3)
    print(f"{name}: {len(history):,} messages, {len(done.plans):,} calls")
    print(f"  replay, counts known   {base:8.1f} ms")
    every: dict[str, int] = {"most_messages": len(history), "most_calls": len(done.plans)}
    for word, limits in (("shown", {}), ("whole", every)):
        made = film(done, **limits)
        spent = cpu(lambda limits=limits: film(done, **limits), rounds=3)
        packing = cpu(lambda made=made: png(made.cells), rounds=3)
        rows, columns = made.cells.shape
        print(
            f"  film {word}, {rows:6,} x {columns:5,} {spent:8.1f} ms  {spent / base:5.2f} of it; "
            f"packing {packing:6.1f} ms, {len(png(made.cells)):8,} bytes"
        )


if __name__ == "__main__":
    main()
