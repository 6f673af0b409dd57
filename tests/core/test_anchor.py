"""The anchor: which message stands first, given, leading or changing."""

from __future__ import annotations

from typing import Any

import pytest

from memory_core.messages import ChatMessage
from memory_core.summarizing import HEADINGS
from tests.memories import HI, Recorder, memory, reported
from tests.saying import (
    shown,
    system,
    talk,
)

ANCHORS: dict[str, tuple[str | None, list[ChatMessage], list[str]]] = {
    "the given one": ("Be kind", [HI], ["system Be kind", "user hi"]),
    "a leading system message": (None, [system("Be kind"), HI], ["system Be kind", "user hi"]),
    "an equal one is not doubled": (
        "Be kind",
        [system("Be kind"), HI],
        ["system Be kind", "user hi"],
    ),
    "a different one stands before the leading one": (
        "Be brief",
        [system("Be kind"), HI],
        ["system Be brief", "system Be kind", "user hi"],
    ),
    "a leading developer message": (
        None,
        [ChatMessage(role="developer", content="Be kind"), HI],
        ["developer Be kind", "user hi"],
    ),
    "none": (None, [HI], ["user hi"]),
    "an empty prompt is none": ("", [HI], ["user hi"]),
    "a later system message is no anchor": (
        None,
        [HI, system("Be kind")],
        ["user hi", "system Be kind"],
    ),
    "an empty history": ("Be kind", [], ["system Be kind"]),
    "nothing at all": (None, [], []),
}


@pytest.mark.parametrize("rule", ANCHORS)
async def test_the_anchor_is(rule: str) -> None:
    prompt, history, window = ANCHORS[rule]
    assert shown(await memory().prepare_context_window(prompt, history)) == window


@pytest.mark.parametrize("rule", ANCHORS)
async def test_the_anchor_stands_first_after_compactions_too(rule: str) -> None:
    prompt, history, window = ANCHORS[rule]
    manager = memory(Recorder())
    sent = await manager.prepare_context_window(prompt, [*history, *talk(20)])
    assert reported(manager).receipt is not None
    anchored = bool(prompt) or bool(history and history[0].is_system)
    assert (
        (shown(sent)[0] == window[0]) if anchored else sent[0].text.startswith(HEADINGS["korean"])
    )


@pytest.mark.parametrize(
    "leading",
    [
        {"role": "system", "content": "Be kind", "id": "m-1"},
        {"role": "system", "content": [{"type": "text", "text": "Be kind"}]},
    ],
)
async def test_a_leading_message_that_says_the_same_as_the_prompt_is_not_doubled(
    leading: dict[str, Any],
) -> None:
    sent = await memory().prepare_context_window("Be kind", [leading, HI])
    assert [message.text for message in sent] == ["Be kind", "hi"]


@pytest.mark.parametrize("first", [None, "Be kind"])
async def test_a_prompt_that_changes_between_calls_loses_no_leading_system_message(
    first: str | None,
) -> None:
    manager = memory()
    await manager.prepare_context_window(first, [system("Be kind"), HI])
    sent = await manager.prepare_context_window("Be brief", [system("Be kind"), HI, *talk(1)])
    assert shown(sent)[:2] == ["system Be brief", "system Be kind"]


async def test_a_prompt_that_comes_to_equal_the_leading_message_is_not_doubled() -> None:
    manager = memory()
    await manager.prepare_context_window("Be brief", [system("Be kind"), HI])
    sent = await manager.prepare_context_window("Be kind", [system("Be kind"), HI, *talk(1)])
    assert shown(sent)[:2] == ["system Be kind", "user hi"]


async def test_a_prompt_may_change_between_calls_without_a_restart() -> None:
    manager = memory(Recorder())
    await manager.prepare_context_window("Today is Monday", talk(20))
    before = manager.summary_buffer
    sent = await manager.prepare_context_window("Today is Tuesday", [*talk(20), HI])
    assert sent[0].text == "Today is Tuesday"
    assert before == manager.summary_buffer != ""
    assert not reported(manager).is_restart
