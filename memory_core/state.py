"""The first article's agent state: one schema, explicit transition rules, strict validation."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Any, TypedDict

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr, ValidationError

from memory_core.messages import ChatMessage
from memory_core.reducers import add_messages, merge


class GraphAgentState(TypedDict):
    """The state of a graph; annotated fields name the reducer, the others are overwritten."""

    session_id: str
    user_id: str
    messages: Annotated[list[ChatMessage], add_messages]
    current_step: int
    max_steps: int
    scratchpad: Annotated[dict[str, Any], merge]
    is_completed: bool


class AgentStateModel(BaseModel):
    """The same state, validated on construction, assignment and `merged`; nothing is coerced."""

    model_config = ConfigDict(validate_assignment=True, extra="forbid")

    session_id: StrictStr
    user_id: StrictStr
    messages: list[ChatMessage] = Field(default_factory=list[ChatMessage])
    current_step: Annotated[StrictInt, Field(ge=0)] = 0
    max_steps: Annotated[StrictInt, Field(gt=0)] = 15
    scratchpad: dict[str, Any] = Field(default_factory=dict[str, Any])
    is_completed: StrictBool = False

    def merged(self, update: Mapping[str, Any]) -> AgentStateModel:
        """A new state with `update` applied by each field's rule; this one stays as it is.

        Raises `pydantic.ValidationError` naming field and reason, `AnchorRemoved` as
        `add_messages` does.
        """
        fields = {**dict(self), **update}
        if "messages" in update:
            with suppress(TypeError, ValidationError):  # refused below, with the field's name
                fields["messages"] = add_messages(self.messages, update["messages"])
        if isinstance(update.get("scratchpad"), Mapping):
            fields["scratchpad"] = merge(self.scratchpad, update["scratchpad"])
        return AgentStateModel.model_validate(fields)
