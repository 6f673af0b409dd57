"""Short ways to say a history, and a counter whose sums can be done in the head."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memory_core.config import MemoryConfig
from memory_core.gauge import Gauge
from memory_core.manager import compress
from memory_core.messages import ChatMessage
from memory_core.report import Report
from memory_core.summarizing.request import Summarizer


def user(text: str, **fields: Any) -> ChatMessage:
    return ChatMessage.model_validate({"role": "user", "content": text, **fields})


def assistant(text: str | None, **fields: Any) -> ChatMessage:
    return ChatMessage.model_validate({"role": "assistant", "content": text, **fields})


def system(text: str, **fields: Any) -> ChatMessage:
    return ChatMessage.model_validate({"role": "system", "content": text, **fields})


def calling(*ids: str, text: str | None = None, names: Sequence[str] = ()) -> ChatMessage:
    """An assistant message with one call per id, all of `run` unless named."""
    named = names or ["run"] * len(ids)
    calls = [
        {"id": one, "type": "function", "function": {"name": name, "arguments": "{}"}}
        for one, name in zip(ids, named, strict=True)
    ]
    return assistant(text, tool_calls=calls)


def result(call_id: str | None, content: str | None = "ok", **fields: Any) -> ChatMessage:
    return ChatMessage.model_validate(
        {"role": "tool", "tool_call_id": call_id, "content": content, **fields}
    )


def talk(rounds: int, *, words: int = 10) -> list[ChatMessage]:
    """User and assistant in turn, two messages a round, each of so many words."""
    history: list[ChatMessage] = []
    for number in range(rounds):
        filler = "word " * (words - 2)
        history += [user(f"question {number} {filler}"), assistant(f"answer {number} {filler}")]
    return history


def settings(**fields: Any) -> MemoryConfig:
    return MemoryConfig.model_validate(fields)


def words(text: str) -> int:
    """A counter: a plain message costs its words and four for its frame, a call five."""
    return len(text.split())


def once(
    history: Sequence[ChatMessage], summarise: Summarizer | None = None, /, **fields: Any
) -> Report:
    """One compaction over the history, counted in words."""
    config = settings(**fields)
    return compress(history, config, summarizer=summarise, gauge=Gauge(config, count=words))


def sent(report: Report) -> list[int]:
    """Indices of the messages of the history that are in the window."""
    return [fate.index for fate in report.fates if fate.sent_tokens]


def shown(messages: Sequence[ChatMessage]) -> list[str]:
    """A window as lines: `user hello`, `calls a b`, `result a: ok`."""
    lines: list[str] = []
    for message in messages:
        if message.role == "tool":
            lines.append(f"result {message.tool_call_id}: {message.text}")
        elif message.tool_calls:
            lines.append(" ".join(["calls", *(call.id for call in message.tool_calls)]))
        else:
            lines.append(f"{message.role} {message.text}")
    return lines
