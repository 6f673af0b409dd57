"""JSON values read by the shape one hopes for: anything else counts as empty."""

from __future__ import annotations

from typing import Any, cast


def as_object(value: object) -> dict[str, Any]:
    """The object, or {} for a value of another kind."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """The list, or [] for a value of another kind."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def as_text(value: object) -> str:
    """The text, or "" for a value of another kind."""
    return value if isinstance(value, str) else ""
