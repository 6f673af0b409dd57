"""Who a message is from, and what a person reads of it."""

from __future__ import annotations

from collections import Counter
from typing import Final

from memory_core.messages import ChatMessage
from memory_core.texts import _

LONGEST_NAME: Final = 60
LONGEST_TITLE: Final = 160
TIMES: Final = "\N{MULTIPLICATION SIGN}"


def who(message: ChatMessage, *, tool: str = "") -> str:
    """Role and names of a message, each with how often it is called, cut where they are long."""
    calls = Counter(call.name for call in message.tool_calls if not message.name)
    named = tool or message.name or ""
    names = [named] if named and named not in calls else []
    names += [name if n == 1 else f"{name} {TIMES}{n}" for name, n in calls.items() if name]
    parts = [message.original_role or message.role, *names]
    return _short(" ".join(_short(part, LONGEST_NAME) for part in parts), LONGEST_TITLE)


def spoken(message: ChatMessage) -> str:
    """What a person reads of a message: its text, a word for each image, then its calls."""
    pieces = [message.text] if message.text else []
    return "\n".join([*pieces, *unspoken(message)])


def unspoken(message: ChatMessage) -> list[str]:
    """What stands in for images and calls."""
    images = [_("[image]") for part in message.parts if part.is_image]
    return images + [f"{call.name}({call.arguments})" for call in message.tool_calls]


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
