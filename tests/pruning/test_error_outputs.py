"""Promises about which outputs report a failure."""

from __future__ import annotations

import pytest

from memory_core.messages import ChatMessage
from memory_core.pruning import is_error_output


def tool(content: object = "ok", **fields: object) -> ChatMessage:
    return ChatMessage.model_validate({"role": "tool", "content": content, **fields})


@pytest.mark.parametrize(
    "message",
    [
        tool(is_error=True),
        tool(status="error"),
        tool(metadata={"is_error": True}),
        tool(error={"type": "timeout", "message": "too slow"}),
        tool([{"type": "text", "text": "no", "is_error": True}]),
        tool('{"error": "no such file"}'),
        tool(' {"data": null, "error": {"code": 4}}'),
        tool("Traceback (most recent call last):\n  File ..."),
        tool("\nTraceback (most recent call last):"),
        tool("Error: 파일이 없습니다"),
        tool("ERROR disk full"),
        tool("ValueError: bad value"),
        tool("requests.exceptions.ConnectionError: refused"),
        tool("java.lang.NullPointerException: null"),
        tool([{"type": "text", "text": "Error: x"}]),
    ],
)
def test_a_failure_is_recognised(message: ChatMessage) -> None:
    assert is_error_output(message)


@pytest.mark.parametrize(
    "message",
    [
        tool(""),
        tool(None),
        tool(is_error=False, status="success", error=None),
        tool('{"error": null, "rows": 3}'),
        tool('{"error": ""}'),
        tool('{"rows": [{"error": "inside"}]}'),
        tool('[{"error": "in a list"}]'),
        tool('{"error": broken'),
        tool('{"error": ' + "[" * 100_000),
        tool("Errors found: 0"),
        tool("ErrorBoundary.tsx"),
        tool("12 tests passed\nError handling was tested"),
        tool("a." * 500_000),
        tool("a" * 5_000_000),
    ],
)
def test_everything_else_is_not_a_failure(message: ChatMessage) -> None:
    assert not is_error_output(message)
