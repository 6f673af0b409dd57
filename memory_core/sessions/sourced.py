"""Messages with the place they came from, built so that an error names that place."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, cast

from pydantic import ValidationError

from memory_core.errors import SessionError
from memory_core.messages import ChatMessage, clean_text, role_of
from memory_core.sessions.session import Origin, Session, Skipped
from memory_core.sessions.values import as_object, as_text
from memory_core.texts import _

_TITLE_LENGTH: Final = 80
_TEXT_FIELDS: Final = ("id", "name", "original_role", "tool_call_id")


@dataclass(frozen=True, slots=True)
class Sourced:
    """A message and where it came from."""

    message: ChatMessage
    origin: Origin


@dataclass(slots=True)
class Gathered:
    """The messages of a file as they come in, and what was left out for want of a role."""

    messages: list[Sourced] = field(default_factory=list[Sourced])
    skipped: list[Skipped] = field(default_factory=list[Skipped])

    def add(self, fields: Mapping[str, Any], *, place: str, position: int, origin: Origin) -> None:
        """Take the message `fields` describe, from the record at `position`; as `sourced`."""
        if reason := role_problem(fields, place=place):
            self.skipped.append(Skipped(reason, line=origin.line, record=position))
        else:
            self.messages.append(sourced(fields, place=place, origin=origin))


def role_problem(fields: Mapping[str, Any], *, place: str) -> str:
    """Why nobody said the message `fields` describe; "" where its role is a name."""
    role = fields.get("role")
    if isinstance(role, str) and role:
        return ""
    if "role" not in fields:
        return _("{place} has no role").format(place=place)
    return _("{place}: role: {role} is no name").format(place=place, role=shortened(repr(role)))


def sourced(fields: Mapping[str, Any], *, place: str, origin: Origin) -> Sourced:
    """The message `fields` describe, and its origin with the role it has there if unknown here.

    Raises `SessionError` naming place, field and line.
    """
    if reason := role_problem(fields, place=place):
        raise SessionError(reason, line=origin.line)
    message = _build(fields, place=place, line=origin.line)
    if role_of(fields["role"]) is None:
        origin = replace(origin, unknown_role=clean_text(fields["role"]))
    return Sourced(message, origin)


def _build(fields: Mapping[str, Any], *, place: str, line: int | None) -> ChatMessage:
    try:
        return ChatMessage.model_validate(_tolerated(fields))
    except ValidationError as error:
        deepest = max(error.errors(include_url=False), key=lambda problem: len(problem["loc"]))
        field = ".".join(str(step) for step in deepest["loc"] if "[" not in str(step))
        reason = _("{place}: {field}: {problem}")
        text = reason.format(place=place, field=field or _("value"), problem=deepest["msg"])
        raise SessionError(text, line=line) from None


def _tolerated(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers as texts and metadata of any shape, as real files have them."""
    kept = dict(fields)
    for name in _TEXT_FIELDS:
        if isinstance(kept.get(name), int | float):
            kept[name] = str(kept[name])
    if "metadata" in kept and not isinstance(kept["metadata"], dict):
        found = kept.pop("metadata")
        if found is not None:
            kept["metadata"] = {"metadata": found}
    if isinstance(kept.get("content"), list):
        kept["content"] = [typed(part) for part in kept["content"]]
    return kept


def typed(part: object) -> object:
    """A content part with its type, where it has none."""
    if not isinstance(part, dict) or as_text(cast("object", part.get("type"))):
        return cast("object", part)
    fields = as_object(cast("object", part))
    return {**fields, "type": "text" if isinstance(fields.get("text"), str) else "unknown"}


def as_session(
    messages: Iterable[Sourced],
    *,
    id: str,  # noqa: A002
    format: str,  # noqa: A002
    title: str = "",
    model: object = None,
    tools: object = None,
) -> Session:
    """A session of `messages`; its title is the first user text unless one is given."""
    kept = tuple(messages)
    return Session(
        id=id,
        format=format,
        messages=tuple(item.message for item in kept),
        origins=tuple(item.origin for item in kept),
        title=title or title_of(kept),
        model=as_text(model) or None,
        tools=json.dumps(tools, ensure_ascii=False) if tools else "",
    )


def title_of(messages: Iterable[Sourced]) -> str:
    """The beginning of the first user text, rather one that is no `<tagged>` context."""
    texts = [item.message.text for item in messages if item.message.role == "user"]
    spoken = [text for text in texts if text.strip()]
    own = (text for text in spoken if not text.lstrip().startswith("<"))
    return shortened(next(own, spoken[0] if spoken else ""))


def shortened(text: str) -> str:
    """`text` on one line, cut at 80 characters."""
    line = " ".join(text[: _TITLE_LENGTH * 4].split())
    return line if len(line) <= _TITLE_LENGTH else line[: _TITLE_LENGTH - 1] + "…"


def id_of(fields: Mapping[str, Any], names: Iterable[str], *, position: int) -> str:
    """The first of the named fields that holds an id, else one made from the position.

    An id of digits alone would read as an index, so it gets a prefix.
    """
    for name in names:
        found = fields.get(name)
        if isinstance(found, int) or (isinstance(found, str) and found.strip()):
            text = str(found).strip()
            return f"session-{text}" if text.isdecimal() else text
    return f"session-{position}"
