"""Messages as a file: the JSON list OpenAI Chat Completions reads, loading back equal."""

from __future__ import annotations

import json
from collections.abc import Iterable

from memory_core.messages import ChatMessage, clean_text


def to_openai_json(messages: Iterable[ChatMessage]) -> str:
    """A JSON list, one message per line, with every field a message has; encode it as UTF-8."""
    lines = [json.dumps(_fields(message), ensure_ascii=False) for message in messages]
    return clean_text("[\n" + ",\n".join(lines) + "\n]\n") if lines else "[]\n"


def _fields(message: ChatMessage) -> dict[str, object]:
    given = message.model_dump(mode="json", exclude_defaults=True)
    if not message.tool_calls:
        given.pop("tool_calls", None)
    return {"role": message.role, "content": None, **given}
