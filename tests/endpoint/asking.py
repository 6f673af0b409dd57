"""A server, what asks it, and what its failures must never show."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from memory_core.endpoint import Endpoint, completing
from memory_core.errors import EndpointError
from memory_core.messages import ChatMessage
from memory_core.prompt import Complete, Prompt
from tests.endpoint.model_server import (
    Answer,
    ModelServer,
    Reply,
    Streamed,
    in_turn,
    running,
)

KEY = "not-a-real-key-4711"
SECRET_TEXT = "주문 ORD-2024-117의 배송지는 아무에게도 말하지 마세요"
PROMPT = Prompt(
    (
        ChatMessage(role="system", content="Keep facts. 사실을 남기세요."),
        ChatMessage(role="user", content=f"{SECRET_TEXT} 🔬 " + "x" * 300),
    ),
    max_tokens=50,
)
OK = Streamed(["- [#1] 주문 ", "ORD-2024-117 🔬\n", "- [#2] done"])
OK_TEXT = "- [#1] 주문 ORD-2024-117 🔬\n- [#2] done"


@dataclass
class Asking:
    """A server, what asks it, and how long that waited."""

    server: ModelServer
    complete: Complete
    slept: list[float] = field(default_factory=list[float])


@contextmanager
def asking(
    *replies: Reply,
    cancelled: Callable[[], bool] | None = None,
    answer: Answer | None = None,
    **fields: Any,
) -> Generator[Asking]:
    with running(answer or in_turn(*replies)) as server:
        endpoint = Endpoint.model_validate(
            {"base_url": server.base_url, "model": "small", "key": KEY, **fields}
        )
        slept: list[float] = []
        yield Asking(server, completing(endpoint, sleep=slept.append, cancelled=cancelled), slept)


def failure(asked: Asking) -> EndpointError:
    """The error of asking; nothing of it, its causes included, shows key or request."""
    with pytest.raises(EndpointError) as raised:
        asked.complete(PROMPT)
    shown = "".join(traceback.format_exception(raised.value))
    assert KEY not in shown
    assert SECRET_TEXT not in shown
    return raised.value
