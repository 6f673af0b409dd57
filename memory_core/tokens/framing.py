"""The tokens of a whole message: content, calls, images and the frame around them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final, cast

from memory_core.messages import ChatMessage, Part
from memory_core.tokens.counting import TokenCounter

MESSAGE_TOKENS: Final = 3
"""The frame of every message besides its role, as OpenAI's published recipe counts it."""

NAME_TOKENS: Final = 1
CALL_TOKENS: Final = 3
"""The frame of one tool call. No recipe is published: it is taken to be that of a message."""

IMAGE_TOKENS: Final = 765
"""OpenAI's cost of a 1024 by 1024 image in high detail."""

_DATA_URI: Final = re.compile(r"data:[^;,\s]{0,100}(?:;[^;,\s]{0,100}){0,5},[A-Za-z0-9+/=_%-]*")
_BLOB: Final = re.compile(r"[A-Za-z0-9+/=_\-\r\n]{256,}")


def message_tokens(
    message: ChatMessage,
    count: TokenCounter,
    *,
    image_tokens: int = IMAGE_TOKENS,
    keep_thinking: bool = False,
) -> int:
    """Tokens of `message` as it is sent; the tokens of a request are the sum over its messages.

    Recorded thinking counts only if it is sent. A part of unknown kind counts by its JSON text,
    binary data left out.
    """
    total = MESSAGE_TOKENS + count(message.role)
    content = message.content
    if isinstance(content, str):
        total += count(content)
    elif content:
        for part in content:
            total += _part_tokens(
                part, count, image_tokens=image_tokens, keep_thinking=keep_thinking
            )
    if message.name is not None:
        total += NAME_TOKENS + count(message.name)
    for call in message.tool_calls:
        total += CALL_TOKENS + count(call.name) + count(call.arguments)
    return total


def _part_tokens(part: Part, count: TokenCounter, *, image_tokens: int, keep_thinking: bool) -> int:
    if part.is_text:
        return count(part.text)
    if part.is_image:
        return image_tokens
    if part.is_thinking and not keep_thinking:
        return 0
    fields = _without_binary(part.to_dict())
    return count(json.dumps(fields, ensure_ascii=False, skipkeys=True, default=repr))


def _without_binary(value: object) -> object:
    if isinstance(value, str):
        plain = _DATA_URI.sub("", value) if "data:" in value else value
        return "" if _BLOB.fullmatch(plain) else plain
    if isinstance(value, Mapping):
        fields = cast("Mapping[object, object]", value)
        return {key: _without_binary(item) for key, item in fields.items()}
    if isinstance(value, list | tuple):
        return [_without_binary(item) for item in cast("list[object]", value)]
    return value
