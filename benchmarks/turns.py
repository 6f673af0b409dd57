"""CPU of one turn of the running manager, beside encoding the new messages and beside
LangChain's `trim_messages` with counts cached by message id.

    python -m benchmarks.turns

The full history is passed every time: one list that grows, as an agent keeps it. Compacting turns
are told apart from the others. All figures are medians of process CPU time in one run; read the
ratios.
"""

from __future__ import annotations

import asyncio
import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import langchain_core.messages as langchain
from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolCall,
    ToolMessage,
)

from benchmarks.sessions import session
from memory_core.config import MemoryConfig
from memory_core.manager import AgentMemoryManager
from memory_core.messages import ChatMessage
from memory_core.replay import call_points
from memory_core.tokens.counting import text_counter
from memory_core.tokens.framing import message_tokens
from memory_core.tokens.vocabulary import encoder

TURNS = 120
WINDOWED = {"max_token_budget": 8000, "sliding_window_size": 10}
UNLIMITED = {"max_token_budget": 10**9, "prune_when": "never"}
SCENARIOS = {
    "budget 8,000, window 10, the article's pruning": WINDOWED,
    "no limit, nothing pruned": UNLIMITED,
}


def cpu(work: Callable[[], object]) -> float:
    """Milliseconds of process CPU time."""
    start = time.process_time_ns()
    work()
    return (time.process_time_ns() - start) / 1e6


async def manager_turns(history: Sequence[ChatMessage], settings: Mapping[str, object]) -> None:
    """Run the last turns of a history as an agent does, inside a running event loop."""
    manager = AgentMemoryManager(MemoryConfig.model_validate(settings))
    points = call_points(history)[-TURNS - 1 :]
    base = statistics.median(_encoding(history, points))
    given = list(history[: points[0]])
    await manager.prepare_context_window(None, given)
    plain: list[float] = []
    compacting: list[float] = []
    for at in points[1:]:
        given += history[len(given) : at]
        start = time.process_time_ns()
        await manager.prepare_context_window(None, given)
        spent = (time.process_time_ns() - start) / 1e6
        report = manager.report
        assert report is not None
        (compacting if report.receipt else plain).append(spent)
    print(f"  encode the new messages         {base:8.3f} ms")
    print(f"  manager, nothing compacted      {_median(plain)}  {_ratio(plain, base)}")
    print(f"  manager, compacting             {_median(compacting)}  (n={len(compacting)})")
    RESULTS[len(history), str(settings["max_token_budget"])] = statistics.median(plain)


def _encoding(history: Sequence[ChatMessage], points: Sequence[int]) -> list[float]:
    """What encoding the new messages of each turn costs; a pass of its own, as cold as ours."""
    encode = encoder("o200k_base").encode_ordinary
    spent: list[float] = []
    for start, end in pairwise(points):
        new = [text for message in history[start:end] for text in _texts(message)]
        spent.append(cpu(lambda new=new: [encode(text) for text in new]))
    return spent


def _texts(message: ChatMessage) -> list[str]:
    return [message.text, *(call.arguments for call in message.tool_calls)]


def _median(values: Sequence[float]) -> str:
    return f"{statistics.median(values):8.3f} ms" if values else "    none    "


def _ratio(values: Sequence[float], base: float) -> str:
    return f"{statistics.median(values) / base:6.2f} times encoding (n={len(values)})"


def trim_turns(history: Sequence[ChatMessage], settings: Mapping[str, object]) -> None:
    """LangChain's trimming of the full history, each message counted once."""
    count = text_counter("gpt-5")
    converted = [to_langchain(message, index) for index, message in enumerate(history)]
    counts = {
        str(one.id): message_tokens(message, count)
        for one, message in zip(converted, history, strict=True)
    }

    def counter(messages: Sequence[BaseMessage]) -> int:
        return sum(counts[str(message.id)] for message in messages)

    def trim() -> object:
        return langchain.trim_messages(
            converted, max_tokens=8000, token_counter=counter, strategy="last", include_system=True
        )

    spent = statistics.median(cpu(trim) for _ in range(9))
    ours = RESULTS[len(history), str(settings["max_token_budget"])]
    print(f"  trim_messages, counts cached    {spent:8.3f} ms  {spent / ours:6.1f} times ours")


def to_langchain(message: ChatMessage, index: int) -> AnyMessage:
    """The same message as LangChain takes it; its id is the index."""
    name = str(index)
    if message.is_system:
        return SystemMessage(content=message.text, id=name)
    if message.role == "user":
        return HumanMessage(content=message.text, id=name)
    if message.role == "tool":
        call_id = message.tool_call_id or ""
        return ToolMessage(content=message.text, tool_call_id=call_id, id=name)
    calls: list[ToolCall] = [
        {"name": call.name, "args": {}, "id": call.id} for call in message.tool_calls
    ]
    return AIMessage(content=message.text, tool_calls=calls, id=name)


RESULTS: dict[tuple[int, str], float] = {}


def main() -> None:
    """Measure both sizes with a limit of 8,000 tokens and without one."""
    gc.freeze()
    for size in (1_000, 10_000):
        # A seed of its own for each run: a text counted before would cost nothing.
        for seed, (name, settings) in enumerate(SCENARIOS.items(), start=size):
            print(f"{size:,} messages, {name}")
            history = session(size, seed=seed)
            asyncio.run(manager_turns(history, settings))
            trim_turns(history, settings)
    for budget in (WINDOWED["max_token_budget"], UNLIMITED["max_token_budget"]):
        growth = RESULTS[10_000, str(budget)] / RESULTS[1_000, str(budget)]
        print(f"growth from 1,000 to 10,000 messages at budget {budget}: {growth:.2f} times")


if __name__ == "__main__":
    main()
