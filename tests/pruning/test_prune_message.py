"""Promises about a shortened message: its text is cut, everything else stays."""

from __future__ import annotations

from typing import Any

from memory_core.messages import ChatMessage
from memory_core.pruning import prune_message
from memory_core.tokens.counting import text_counter
from memory_core.tokens.framing import message_tokens

COUNT = text_counter("gpt-5")
LINES = "".join(f"line {n}: 값은 {n * 3}\n" for n in range(80))
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBO"}}


def tool(content: object, **fields: object) -> ChatMessage:
    return ChatMessage.model_validate(
        {"role": "tool", "tool_call_id": "c1", "content": content, **fields}
    )


def pruned(message: ChatMessage, threshold: int = 150) -> ChatMessage | None:
    return prune_message(
        message, threshold=threshold, unit="characters", style="head_tail", number=5, count=COUNT
    )


def test_only_the_content_of_a_message_changes() -> None:
    message = tool(LINES, name="read", metadata={"cost": 1}, latency=0.3)
    shortened = pruned(message)
    assert shortened is not None
    assert len(shortened.text) == 150
    assert shortened.text.endswith("[#5]")
    assert shortened.model_dump() == {**message.model_dump(), "content": shortened.content}
    assert message.text == LINES


def test_text_parts_become_one_and_images_stay_in_order() -> None:
    parts: list[dict[str, Any]] = [
        IMAGE,
        {"type": "text", "text": LINES},
        {"type": "note", "body": "kept"},
        {"type": "text", "text": LINES},
        IMAGE,
    ]
    message = tool(parts)
    shortened = pruned(message)
    assert shortened is not None
    assert [part.type for part in shortened.parts] == ["image_url", "text", "note", "image_url"]
    assert len(shortened.text) == 150
    assert f"Total Length {2 * len(LINES) + 1} chars" in shortened.text
    assert message_tokens(shortened, COUNT) < message_tokens(message, COUNT)


def test_many_short_texts_that_together_are_cheap_stay() -> None:
    message = tool([{"type": "text", "text": "a"} for _ in range(90)])
    assert len(message.text) > 150
    assert pruned(message) is None


def test_a_message_without_a_text_over_the_threshold_stays() -> None:
    for content in (None, "", "short", [], [IMAGE], [{"type": "text", "text": "short"}, IMAGE]):
        assert pruned(tool(content)) is None


def test_a_shortened_message_stays_as_it_is() -> None:
    for content in (LINES, [{"type": "text", "text": LINES}, IMAGE]):
        shortened = pruned(tool(content))
        assert shortened is not None
        assert pruned(shortened) is None
        assert pruned(shortened, threshold=100) is None


def test_an_orphan_result_rendered_as_a_user_message_is_shortened_too() -> None:
    shortened = pruned(ChatMessage(role="user", content="(result without a call)\n" + LINES))
    assert shortened is not None
    assert shortened.text.startswith("(result without a call)")
