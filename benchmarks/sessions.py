"""Seeded sessions to measure with: user turns and tool rounds with JSON, a third in Korean."""

from __future__ import annotations

import json
import random

from memory_core.messages import ChatMessage

_WORDS = [
    "order",
    "flight",
    "status",
    "update",
    "check",
    "price",
    "total",
    "error",
    "retry",
    "cache",
    "index",
    "module",
    "path",
]
_KOREAN = [
    "주문",
    "번호",
    "확인",
    "배송",
    "상태",
    "변경",
    "요청",
    "결제",
    "금액",
    "오류",
    "다시",
    "시도",
    "일정",
    "안내",
    "고객",
    "센터",
]


def session(messages: int, *, seed: int = 7, characters: int = 900) -> list[ChatMessage]:
    """A history of about `messages` messages; `characters` = mean length of a tool result."""
    rng = random.Random(seed)
    history = [ChatMessage(role="system", content="You are a careful agent. 항상 확인하세요.")]
    number = 0
    while len(history) < messages:
        words = _KOREAN if rng.random() < 0.3 else _WORDS
        history.append(ChatMessage(role="user", content=_prose(rng, words, 30)))
        for _ in range(rng.randint(2, 4)):
            number += 1
            history += _round(rng, words, number, characters)
        history.append(ChatMessage(role="assistant", content=_prose(rng, words, 40)))
    return history[:messages]


def _round(rng: random.Random, words: list[str], number: int, characters: int) -> list[ChatMessage]:
    arguments = json.dumps({"query": _prose(rng, words, 4), "page": number})
    call = {"id": f"call_{number}", "function": {"name": "lookup", "arguments": arguments}}
    rows = [
        {"id": f"ORD-{rng.randint(1000, 9999)}", "note": _prose(rng, words, 8), "n": rng.random()}
        for _ in range(max(1, rng.randint(characters // 2, 3 * characters // 2) // 80))
    ]
    return [
        ChatMessage.model_validate({"role": "assistant", "content": None, "tool_calls": [call]}),
        ChatMessage(
            role="tool",
            tool_call_id=f"call_{number}",
            content=json.dumps({"rows": rows}, ensure_ascii=False),
        ),
    ]


def _prose(rng: random.Random, words: list[str], count: int) -> str:
    return " ".join(rng.choice(words) for _ in range(count)) + f" #{rng.randint(1, 10**6)}."
