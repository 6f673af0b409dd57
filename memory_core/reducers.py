"""How state changes: overwrite, append, merge, and the reducer for messages.

Every reducer is a pure function of (what is there, what comes): deterministic, inputs untouched.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from memory_core.errors import AnchorRemoved, UnknownMessage
from memory_core.messages import ChatMessage, as_message

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RemoveMessage:
    """In an update for `add_messages`: take out the message of this id."""

    id: str


MessageUpdate = ChatMessage | Mapping[str, Any] | RemoveMessage


def overwrite(left: object, right: T) -> T:  # noqa: ARG001 - the shape of a reducer
    """What comes replaces what is there."""
    return right


def append(left: Sequence[T], right: Sequence[T]) -> list[T]:
    """What comes stands behind what is there."""
    return [*left, *right]


def merge(left: Mapping[str, T], right: Mapping[str, T]) -> dict[str, T]:
    """Keys that come replace keys that are there; other keys stay."""
    return {**left, **right}


def add_messages(
    left: Sequence[ChatMessage | Mapping[str, Any]],
    right: MessageUpdate | Sequence[MessageUpdate],
) -> list[ChatMessage]:
    """`left` with `right` applied in order: append, replace by id, remove by id.

    Raises `AnchorRemoved` where the leading system message would go or change its role, and
    `UnknownMessage` where the id to remove is not there.
    """
    messages = [as_message(message) for message in left]
    updates = [right] if isinstance(right, ChatMessage | Mapping | RemoveMessage) else right
    for update in updates:
        after = _updated(messages, update)
        if messages and messages[0].is_system and not _keeps_anchor(messages[0], after):
            raise AnchorRemoved(
                "the update would remove the system message the conversation stands on"
            )
        messages = after
    return messages


def _updated(messages: list[ChatMessage], update: MessageUpdate) -> list[ChatMessage]:
    if isinstance(update, RemoveMessage):
        kept = [message for message in messages if message.id != update.id]
        if len(kept) == len(messages):
            raise UnknownMessage(f"no message has the id {update.id!r}")
        return kept
    new = as_message(update)
    if new.id is None or all(message.id != new.id for message in messages):
        return [*messages, new]
    return [new if message.id == new.id else message for message in messages]


def _keeps_anchor(anchor: ChatMessage, messages: Sequence[ChatMessage]) -> bool:
    return bool(messages) and messages[0].is_system and messages[0].id == anchor.id
