"""Read a scripted conversation from TOML: steps of the user and of the assistant."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict

HERE: Final = Path(__file__).parent


class Call(BaseModel):
    """One tool call of a step: the tool, and its arguments beside it."""

    model_config = ConfigDict(frozen=True, extra="allow")

    tool: str

    @property
    def arguments(self) -> dict[str, object]:
        return dict(self.model_extra or {})


class Step(BaseModel):
    """What the user types, or what the assistant says with the tools it calls at once.

    `answered`: the places of the calls in the order their results arrive, where not their own.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    user: str | None = None
    say: str = ""
    call: tuple[Call, ...] = ()
    answered: tuple[int, ...] | None = None


class _Chapter(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    step: tuple[Step, ...]


def read_script(folder: str) -> tuple[Step, ...]:
    """All steps of the chapters in a folder beside this file, in the order of their names."""
    chapters = [
        _Chapter.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
        for path in sorted((HERE / folder).glob("*.toml"))
    ]
    return tuple(step for chapter in chapters for step in chapter.step)


def read_system(folder: str) -> str:
    """The system prompt of a scripted conversation."""
    return (HERE / folder / "system.md").read_text(encoding="utf-8").strip()
