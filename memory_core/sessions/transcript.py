"""The lines of a Claude Code transcript as a tree, and the replies their parts make."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

from memory_core.errors import SessionError
from memory_core.sessions.content_blocks import said_in, split_message
from memory_core.sessions.session import Origin, Skipped
from memory_core.sessions.sourced import Sourced, sourced
from memory_core.sessions.usages import anthropic_usage, largest
from memory_core.sessions.values import as_list, as_object, as_text

_MARKED: Final = {"isCompactSummary": "compact_summary", "isMeta": "meta"}


@dataclass(frozen=True, slots=True)
class Line:
    """One user or assistant line: its message, and its place in the file and in the tree."""

    message: dict[str, Any]
    uuid: str
    origin: Origin
    position: int
    marks: dict[str, Any]

    @property
    def reply_id(self) -> str:
        """The id that all parts of one reply share; "" for a user line."""
        return as_text(self.message.get("id")) if self.message["role"] == "assistant" else ""

    @property
    def blocks(self) -> list[Any]:
        content = self.message.get("content")
        return as_list(content) or ([content] if content else [])

    def values(self, kind: str, name: str) -> set[str]:
        """The texts under `name` in the blocks of a kind."""
        blocks = [as_object(block) for block in self.blocks]
        found = [block.get(name) for block in blocks if block.get("type") == kind]
        return {value for value in found if isinstance(value, str)}


@dataclass(frozen=True, slots=True)
class Told:
    """The messages of some lines, and the lines that could not be read."""

    messages: tuple[Sourced, ...]
    skipped: tuple[Skipped, ...]


@dataclass(slots=True)
class Tree:
    """Which record follows which, over all types of records."""

    parents: dict[str, str] = field(default_factory=dict[str, str])

    def path_to(self, leaf: str, *, root: str) -> set[str] | None:
        """The uuids from `leaf` up to `root`, or None if they are not connected."""
        path: set[str] = set()
        uuid = leaf
        while uuid and uuid not in path:
            path.add(uuid)
            if uuid == root:
                return path
            uuid = self.parents.get(uuid, "")
        return None


def line_of(record_fields: dict[str, Any], *, position: int, line: int | None) -> Line | None:
    """The line a record is, or None if it carries no message."""
    message, kind = record_fields.get("message"), record_fields.get("type")
    if kind not in ("user", "assistant") or not isinstance(message, dict):
        return None
    record = as_text(record_fields.get("uuid"))
    when = as_text(record_fields.get("timestamp")) or None
    return Line(
        message={"role": kind, **cast("dict[str, Any]", message)},
        uuid=record,
        origin=Origin(line=line, record=record, timestamp=when),
        position=position,
        marks={mark: True for name, mark in _MARKED.items() if record_fields.get(name) is True},
    )


def tell(lines: Iterable[Line]) -> Told:
    """The messages of `lines`: parts of one reply merged where it began, tool results behind it."""
    replies: dict[str, list[Line]] = {}
    groups: list[list[Line]] = []
    for line in lines:
        if line.reply_id in replies:
            replies[line.reply_id].append(line)
            continue
        groups.append([line])
        if line.reply_id:
            replies[line.reply_id] = groups[-1]
    messages: list[Sourced] = []
    skipped: list[Skipped] = []
    for group in groups:
        try:
            messages += (
                _reply(group) if group[0].message["role"] == "assistant" else _user(group[0])
            )
        except SessionError as error:
            skipped += [
                Skipped(error.reason, line=line.origin.line, record=line.position) for line in group
            ]
    return Told(tuple(messages), tuple(skipped))


def active_lines(lines: Sequence[Line], *, tree: Tree, boundary: str) -> list[Line]:
    """Those of `lines`, all behind the compaction `boundary`, that lead to the last of them.

    Parallel calls branch the tree: the other parts of a reply on the path, and the results of its
    calls, belong to it as well. Without a path every line counts.
    """
    path = tree.path_to(lines[-1].uuid, root=boundary) if lines else None
    if path is None:
        return list(lines)
    replies = {line.reply_id for line in lines if line.uuid in path} - {""}
    calls = {
        call for line in lines if line.reply_id in replies for call in line.values("tool_use", "id")
    }
    return [
        line
        for line in lines
        if line.uuid in path
        or line.reply_id in replies
        or line.values("tool_result", "tool_use_id") & calls
    ]


def _reply(group: Sequence[Line]) -> list[Sourced]:
    first = group[0]
    usages = [usage for line in group if (usage := anthropic_usage(line.message.get("usage")))]
    origin = Origin(
        line=first.origin.line,
        record=first.origin.record,
        timestamp=first.origin.timestamp,
        usage=largest(usages),
    )
    fields = {
        "role": "assistant",
        "id": first.reply_id or first.uuid or None,
        **said_in(block for line in group for block in line.blocks),
    }
    return [sourced(fields, place="message", origin=origin)]


def _user(line: Line) -> list[Sourced]:
    spoken = {"role": line.message["role"], "content": line.message.get("content")}
    told = split_message({**spoken, "id": line.uuid or None, "metadata": line.marks})
    return [sourced(fields, place="message", origin=line.origin) for fields in told]
