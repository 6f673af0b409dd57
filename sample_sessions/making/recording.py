"""Play a script with real tools and keep the conversation as OpenAI Chat Completions messages."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence

from sample_sessions.making.scripts import Step

Message = Mapping[str, object]
Tool = Callable[[Mapping[str, object]], str]


def record(
    name: str, system: str, script: Sequence[Step], tools: Mapping[str, Tool]
) -> list[Message]:
    """The messages of a script; `name` makes the call ids differ from another session's."""
    messages: list[Message] = [{"role": "system", "content": system}]
    for step in script:
        if step.user is not None:
            messages.append({"role": "user", "content": step.user})
        else:
            messages.extend(_play(step, name, len(messages), tools))
    return messages


def _play(step: Step, name: str, position: int, tools: Mapping[str, Tool]) -> Iterator[Message]:
    calls = [
        {
            "id": _call_id(name, position, index),
            "type": "function",
            "function": {
                "name": call.tool,
                "arguments": json.dumps(call.arguments, ensure_ascii=False),
            },
        }
        for index, call in enumerate(step.call)
    ]
    if not calls:
        yield {"role": "assistant", "content": step.say}
        return
    yield {"role": "assistant", "content": step.say or None, "tool_calls": calls}
    results = [
        {
            "role": "tool",
            "tool_call_id": calls[index]["id"],
            "name": call.tool,
            "content": tools[call.tool](call.arguments),
        }
        for index, call in enumerate(step.call)
    ]
    yield from (results[index] for index in step.answered or range(len(results)))


def _call_id(name: str, position: int, index: int) -> str:
    """An id in the provider's form that is the same at every making."""
    return f"call_{hashlib.sha256(f'{name} {position} {index}'.encode()).hexdigest()[:16]}"


def as_json(messages: Sequence[Message]) -> bytes:
    """A file's bytes, one message per line, so that two makings can be compared line by line.

    A lone surrogate has no UTF-8 form; the backslash form that stands for it is valid JSON.
    """
    lines = ",\n".join(json.dumps(message, ensure_ascii=False) for message in messages)
    return f"[\n{lines}\n]\n".encode(errors="backslashreplace")
