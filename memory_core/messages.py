"""Messages as values: what was said, by whom, with which tool calls."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, cast, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    field_serializer,
    field_validator,
    model_validator,
)

Role = Literal["system", "developer", "user", "assistant", "tool"]

ROLE_NAMES: Final[Mapping[str, Role]] = {
    "human": "user",
    "info": "user",
    "agent_message": "user",
    "gpt": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "gemini": "assistant",
    "bot": "assistant",
    "function_call": "assistant",
    "aimessagechunk": "assistant",
    "function": "tool",
    "observation": "tool",
    "tool_result": "tool",
}
"""Other role names seen in real session files, and the role each stands for."""

TEXT_PARTS: Final = frozenset({"text", "input_text", "output_text", "refusal"})
IMAGE_PARTS: Final = frozenset({"image", "image_url", "input_image"})
THINKING_PARTS: Final = frozenset({"thinking", "redacted_thinking", "reasoning"})


_ROLES: Final[Mapping[str, Role]] = {role: role for role in get_args(Role)}


def role_of(name: str) -> Role | None:
    """The role a name stands for, whatever its case; None for a name without a meaning here."""
    known = name.lower()
    return _ROLES.get(known) or ROLE_NAMES.get(known)


def clean_text(text: str) -> str:
    """`text` without lone surrogates: joined where they form a pair, else U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _clean(value: object) -> object:
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, Mapping):
        items = cast("Mapping[object, object]", value).items()
        return {_clean(key): _clean(item) for key, item in items}
    if isinstance(value, list | tuple):
        return [_clean(item) for item in cast("Iterable[object]", value)]
    return value


class Part(BaseModel):
    """One piece of a message's content; fields this library does not know are kept."""

    model_config = ConfigDict(frozen=True, extra="allow")

    type: str
    text: str = ""

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: object) -> object:
        if isinstance(value, str):
            return {"type": "text", "text": clean_text(value)}
        return _clean(value)

    @field_validator("text", mode="before")
    @classmethod
    def _no_text(cls, value: object) -> object:
        return "" if value is None else value

    @property
    def is_text(self) -> bool:
        return self.type in TEXT_PARTS

    @property
    def is_image(self) -> bool:
        return self.type in IMAGE_PARTS

    @property
    def is_thinking(self) -> bool:
        return self.type in THINKING_PARTS

    def to_dict(self) -> dict[str, Any]:
        """The part as plain JSON data, with `text` only where it was given."""
        return self.model_dump(exclude_unset=True)


class FunctionCall(BaseModel):
    """Name and arguments (always a JSON text, as the providers send it) of one call."""

    model_config = ConfigDict(frozen=True, extra="allow")

    name: str
    arguments: str = "{}"

    @field_validator("arguments", mode="before")
    @classmethod
    def _as_text(cls, value: object) -> object:
        if value is None:
            return "{}"
        try:
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        except (TypeError, RecursionError) as error:
            raise ValueError("arguments must be JSON: " + str(error)) from error
        return clean_text(text)


class ToolCall(BaseModel):
    """One tool call, in the shape of OpenAI Chat Completions.

    `id` may be empty: formats without ids pair calls and results by order.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    id: str = ""
    type: str = "function"
    function: FunctionCall

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: object) -> object:
        if not isinstance(value, Mapping):
            return value
        call = cast("dict[str, Any]", _clean(cast("object", value)))
        if "function" not in call and isinstance(call.get("custom"), Mapping):
            custom = cast("Mapping[str, object]", call["custom"])
            call["function"] = {"name": custom.get("name"), "arguments": custom.get("input")}
        elif "function" not in call and "name" in call:
            arguments = call.pop("arguments", call.pop("args", None))
            call["function"] = {"name": call.pop("name"), "arguments": arguments}
            call.pop("type", None)
        id_ = call.get("id") or ""
        return {**call, "id": str(id_) if isinstance(id_, int) else id_}

    @property
    def name(self) -> str:
        return self.function.name

    @property
    def arguments(self) -> str:
        return self.function.arguments


class ChatMessage(BaseModel):
    """One message of a conversation; frozen, lossless, and readable by the first article's code.

    `content` is text, parts or None. A role outside the known five is mapped, one without a meaning
    here to the user, and its own name kept in `original_role`. Unknown fields are kept. A bad value
    raises `pydantic.ValidationError` naming the field.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    role: Role
    content: str | tuple[Part, ...] | None = None
    name: str | None = None
    tool_call_id: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    id: str | None = None
    original_role: str | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: object) -> object:
        if not isinstance(value, Mapping):
            return value
        fields = dict(cast("Mapping[str, Any]", value))
        role = fields.get("role")
        if isinstance(role, str) and role and role not in _ROLES:
            fields.setdefault("original_role", role)
            fields["role"] = role_of(role) or "user"
        for name in ("tool_calls", "metadata"):
            if fields.get(name) is None:
                fields.pop(name, None)
        for name in fields.keys() - _CLEANED:
            fields[name] = _clean(fields[name])
        return fields

    @field_validator("content", mode="before")
    @classmethod
    def _read_content(cls, value: object) -> object:
        if isinstance(value, str):
            return clean_text(value)
        if isinstance(value, Mapping | bytes | bytearray):
            msg = "content must be a text, a list of parts or null"
            raise ValueError(msg)
        return value

    @field_validator("name", "tool_call_id", "id", "original_role", mode="before")
    @classmethod
    def _read_text(cls, value: object) -> object:
        return clean_text(value) if isinstance(value, str) else value

    @field_serializer("content", "tool_calls")
    def _lists(self, value: object) -> object:
        if not isinstance(value, tuple):
            return value
        items = cast("tuple[Part | ToolCall, ...]", value)
        return [item.to_dict() if isinstance(item, Part) else item.model_dump() for item in items]

    @property
    def text(self) -> str:
        """What a person can read: text parts joined by line ends, no images, no thinking."""
        if self.content is None:
            return ""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(part.text for part in self.content if part.is_text)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The content as parts, whatever its form."""
        if isinstance(self.content, str):
            return (Part(type="text", text=self.content),)
        return self.content or ()

    @property
    def said(self) -> str:
        """All a person can read of it: its text, and names and arguments of its calls."""
        texts = [self.text]
        for call in self.tool_calls:
            texts += [call.name, call.arguments]
        return "\n".join(text for text in texts if text)

    @property
    def is_system(self) -> bool:
        """True for system and developer messages: the ones a sliding window does not count."""
        return self.role in ("system", "developer")

    def to_openai(self, *, keep_thinking: bool = False) -> dict[str, Any]:
        """The message as an OpenAI Chat Completions object, by default without thinking."""
        content = self._sent_content(keep_thinking=keep_thinking)
        sent: dict[str, Any] = {"role": self.role, "content": content}
        if self.name is not None:
            sent["name"] = self.name
        if self.tool_call_id is not None:
            sent["tool_call_id"] = self.tool_call_id
        if self.tool_calls:
            sent["tool_calls"] = [call.model_dump() for call in self.tool_calls]
        return sent

    def _sent_content(self, *, keep_thinking: bool) -> str | list[dict[str, Any]] | None:
        if not isinstance(self.content, tuple):
            # Providers take null beside calls only.
            return self.content if self.content is not None or self.tool_calls else ""
        kept = [part for part in self.content if keep_thinking or not part.is_thinking]
        if all(part.is_text for part in kept):
            return "\n".join(part.text for part in kept) if kept or not self.tool_calls else None
        return [part.to_dict() for part in kept]


_CLEANED: Final = ChatMessage.model_fields.keys() - {"metadata"}
"""Fields whose own validators replace lone surrogates."""


def as_message(value: ChatMessage | Mapping[str, Any]) -> ChatMessage:
    """`value` itself if it is a message, else the message that an OpenAI chat object describes."""
    return value if isinstance(value, ChatMessage) else ChatMessage.model_validate(value)
