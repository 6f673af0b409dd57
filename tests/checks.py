"""What a provider refuses, written down independently of the library."""

from __future__ import annotations

from collections.abc import Sequence

from memory_core.messages import ChatMessage


def broken_pairs(window: Sequence[ChatMessage]) -> list[str]:
    """Calls without their result, results without their call; open calls at the end are fine."""
    faults: list[str] = []
    at = 0
    while at < len(window):
        message = window[at]
        at += 1
        if message.role == "tool":
            faults.append(f"result {message.tool_call_id!r} without its call")
            continue
        if not message.tool_calls:
            continue
        results: list[str | None] = []
        while at < len(window) and window[at].role == "tool":
            results.append(window[at].tool_call_id)
            at += 1
        calls = [call.id for call in message.tool_calls]
        faults += [f"result {one!r} of another call" for one in results if one not in calls]
        if len(set(results)) != len(results):
            faults.append("a call answered twice")
        if set(calls) != set(results) and at < len(window):
            faults.append(f"calls {calls} answered by {results} before the end")
    return faults
