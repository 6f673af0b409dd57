"""Figures come at once, and the exact ones follow."""

from __future__ import annotations

import pytest

from memory_core.config import MemoryConfig
from memory_core.messages import ChatMessage
from memory_core.replay import replay
from pages.ui.waiting import SHORT
from tests.app.opening import chat, figures, opened, upload


def talk(messages: int) -> list[ChatMessage]:
    """A session without tools in which everything has to be summarised again and again."""
    return [
        ChatMessage(role=role, content=f"{role} {number}: order ORD-{number} at 10:{number % 60}")
        for number in range(messages // 2)
        for role in ("user", "assistant")
    ]


@pytest.mark.parametrize("messages", [SHORT, SHORT + 2])
def test_the_page_ends_with_the_exact_figures_after_every_change(messages: int) -> None:
    history = talk(messages)
    data = chat(*[{"role": one.role, "content": one.text} for one in history])
    app = upload(opened(), "talk.json", data)
    for budget in (4_000, 500):
        if budget != 4_000:
            app.number_input(key="max_token_budget").set_value(budget).run()
        last = replay(history, MemoryConfig(max_token_budget=budget)).plans[-1]
        assert figures(app)["Sent / budget"] == f"{last.parts.sent:,} / {budget:,}"
        assert len(app.metric) == 6
        assert not any("Estimates" in one.value for one in app.markdown)
        assert not app.exception
        assert not app.error
