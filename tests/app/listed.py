"""The message list as tests look at it: its cards, and what leads to one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from streamlit.testing.v1 import AppTest

from tests.app.opening import cards

ROOMY: Final = '{"max_token_budget": 100000}'
"""A config under which everything fits."""


def focused(app: AppTest, index: int | None) -> AppTest:
    """The app after a click that leads to a message."""
    app.session_state["current"] = replace(app.session_state["current"], focus=index)
    return app.run()


def ids(app: AppTest) -> list[str]:
    return [card["id"] for card in cards(app)]


def card_of(app: AppTest, index: int) -> dict[str, Any]:
    return next(card for card in cards(app) if card["id"] == str(index))


def labels(card: dict[str, Any]) -> list[str]:
    return [block["label"] for block in card["blocks"]]


def pieces(card: dict[str, Any], *kinds: str) -> list[str]:
    return [span[1] for block in card["blocks"] for span in block["spans"] if span[0] in kinds]


def exchange(name: str = "read", result: str = "ok") -> list[dict[str, object]]:
    call = {"id": "c", "type": "function", "function": {"name": name, "arguments": '{"a": 1}'}}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": result},
    ]
