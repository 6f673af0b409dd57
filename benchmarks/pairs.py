"""How many windows break a call from its result: ours, LangChain's `trim_messages`, plain slices.

    python -m benchmarks.pairs

The same generated sessions for all: parallel calls, repeated ids, orphans, missing results.
A window is one call point of one session under one budget.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import langchain_core.messages as langchain

from benchmarks.turns import to_langchain
from memory_core.config import MemoryConfig
from memory_core.messages import ChatMessage
from memory_core.replay import call_points, replay
from memory_core.tokens.counting import text_counter
from memory_core.tokens.framing import message_tokens
from tests.checks import broken_pairs

WINDOWS = 12_000
COUNT = text_counter("gpt-5")


def generated(rng: random.Random) -> list[ChatMessage]:
    """One session; a sixth of its tool rounds are damaged."""
    history: list[dict[str, Any]] = [{"role": "system", "content": "You are an agent."}]
    for turn in range(rng.randint(3, 12)):
        history.append({"role": "user", "content": f"task {turn} " + "word " * rng.randint(1, 40)})
        for step in range(rng.randint(0, 3)):
            history += _round(rng, turn, step)
        history.append({"role": "assistant", "content": "done " * rng.randint(1, 20)})
    return [ChatMessage.model_validate(message) for message in history]


def _round(rng: random.Random, turn: int, step: int) -> list[dict[str, Any]]:
    same = rng.random() < 0.1
    ids = ["again" if same else f"c{turn}_{step}_{slot}" for slot in range(rng.randint(1, 4))]
    calls = [{"id": one, "function": {"name": "run", "arguments": "{}"}} for one in ids]
    results = [
        {"role": "tool", "tool_call_id": one, "content": "out " * rng.randint(1, 120)}
        for one in ids
    ]
    if rng.random() < 1 / 6:
        rng.choice([results.pop, results.clear, lambda: results.append(results[0])])()
    return [{"role": "assistant", "content": None, "tool_calls": calls}, *results]


def sliced(messages: Sequence[ChatMessage], size: int) -> list[ChatMessage]:
    """The system message and the newest `size`, as the first article prints it."""
    return [messages[0], *messages[1:][-size:]]


def trimmed(messages: Sequence[ChatMessage], budget: int) -> list[ChatMessage]:
    """LangChain's window of the same history."""
    given = [to_langchain(message, index) for index, message in enumerate(messages)]
    by_id = {str(index): message for index, message in enumerate(messages)}

    def count(some: Sequence[langchain.BaseMessage]) -> int:
        return sum(message_tokens(by_id[str(one.id)], COUNT) for one in some)

    kept = langchain.trim_messages(
        given, max_tokens=budget, token_counter=count, include_system=True
    )
    return [by_id[str(one.id)] for one in kept]


def main() -> None:
    """Count until enough windows were seen."""
    rng, windows = random.Random(11), 0
    broken = {"ours": 0, "trim_messages": 0, "newest messages": 0}
    while windows < WINDOWS:
        history = generated(rng)
        budget, size = rng.randint(100, 1500), rng.randint(1, 12)
        config = MemoryConfig.model_validate(
            {"max_token_budget": budget, "sliding_window_size": size}
        )
        result = replay(history, config)
        for plan, at in zip(result.plans, call_points(history), strict=True):
            windows += 1
            broken["ours"] += bool(broken_pairs(result.window(plan)))
            broken["trim_messages"] += bool(broken_pairs(trimmed(history[:at], budget)))
            broken["newest messages"] += bool(broken_pairs(sliced(history[:at], size)))
    for name, count in broken.items():
        print(f"{name:<16} {count:>6} of {windows:,} windows broken ({count / windows:.1%})")


if __name__ == "__main__":
    main()
