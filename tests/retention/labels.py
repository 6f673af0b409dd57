"""The argument values that recorded calls had, and those that a label wanted them to have."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, cast

from memory_core.messages import ChatMessage
from tests.retention.needs import Labels, Values

_SHORTEST: Final = 3


def values(arguments: Any) -> Iterator[str]:
    """The strings and numbers of at least three characters anywhere in arguments."""
    if isinstance(arguments, dict):
        for one in cast("dict[str, Any]", arguments).values():
            yield from values(one)
    elif isinstance(arguments, list):
        for one in cast("list[Any]", arguments):
            yield from values(one)
    elif isinstance(arguments, str | int | float) and not isinstance(arguments, bool):
        text = str(arguments).strip()
        if len(text) >= _SHORTEST:
            yield text


def recorded_values(messages: Sequence[ChatMessage]) -> dict[int, tuple[Values, ...]]:
    """By message, the values of each of its calls as recorded."""
    return {
        at: tuple(tuple(values(_parsed(call.arguments))) for call in message.tool_calls)
        for at, message in enumerate(messages)
        if message.tool_calls
    }


def read_actions(file: Path) -> list[list[tuple[str, Values]]]:
    """For each run of a tau-bench file, the actions its label asks for, with their values."""
    runs: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    return [
        [
            (action["name"], tuple(values(action["kwargs"])))
            for action in run["info"]["task"]["actions"]
        ]
        for run in runs
    ]


def labelled_values(
    messages: Sequence[ChatMessage], actions: Sequence[tuple[str, Values]]
) -> Labels:
    """By message with a call that a label names, the values of the label most like the call."""
    found: dict[int, Values] = {}
    for at, message in enumerate(messages):
        for call in message.tool_calls:
            given = set(values(_parsed(call.arguments)))
            likely = [wanted for name, wanted in actions if name == call.name]
            if likely:
                found[at] = max(likely, key=lambda wanted: len(given & set(wanted)))
    return found


def _parsed(arguments: str) -> Any:
    try:
        return json.loads(arguments)
    except ValueError:
        return arguments
