"""Claude Code transcripts: the whole session, and what is active after its last compaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from memory_core.sessions.format import Reading, Record
from memory_core.sessions.session import Session
from memory_core.sessions.sourced import Sourced, as_session, id_of, shortened
from memory_core.sessions.transcript import Line, Tree, active_lines, line_of, tell
from memory_core.texts import _

NAME: Final = "claude-code"
_TITLES: Final = ("summary", "aiTitle", "customTitle")


class ClaudeCode:
    """Lines with `type`, `uuid`, `parentUuid` and, for users and assistants, a `message`."""

    label = "Claude Code transcript"
    description = _("`projects/**/*.jsonl`; also the active context after the last compaction")
    live = True

    def detect(self, head: Sequence[Record]) -> bool:
        return any(
            line_of(record.fields, position=0, line=None) is not None
            or {"type", "uuid", "sessionId"}.issubset(record.fields)
            for record in head
        )

    def read(self, records: Iterable[Record]) -> Reading:
        transcript = _Transcript()
        for record in records:
            transcript.add(record)
        lines = transcript.main_lines()
        whole = tell(lines)
        return Reading(
            transcript.sessions(whole.messages),
            len(lines) - len(whole.skipped),
            dict(transcript.ignored),
            whole.skipped,
        )


@dataclass(slots=True)
class _Transcript:
    lines: list[Line] = field(default_factory=list[Line])
    aside: list[Line] = field(default_factory=list[Line])
    tree: Tree = field(default_factory=Tree)
    boundary: str = ""
    compacted_at: int | None = None
    about: dict[str, Any] = field(default_factory=dict[str, Any])
    title: str = ""
    model: str | None = None
    ignored: Counter[str] = field(default_factory=Counter[str])

    def add(self, record: Record) -> None:
        fields = record.fields
        uuid, parent = fields.get("uuid"), fields.get("parentUuid")
        if isinstance(uuid, str):
            if uuid in self.tree.parents:
                self.ignored["duplicate"] += 1
                return
            self.tree.parents[uuid] = parent if isinstance(parent, str) else ""
        line = line_of(fields, position=record.position, line=record.line)
        if line is None:
            self._learn(fields)
        elif fields.get("isSidechain") is True:
            self.aside.append(line)
        else:
            self.lines.append(line)
            self._describe(fields, line)

    def _learn(self, fields: dict[str, Any]) -> None:
        kind, subtype = fields.get("type"), fields.get("subtype")
        self.ignored[f"{kind}/{subtype}" if isinstance(subtype, str) else str(kind)] += 1
        if subtype == "compact_boundary":
            self.boundary = str(fields.get("uuid") or "")
            self.compacted_at = len(self.lines)
        for name in _TITLES:
            if isinstance(fields.get(name), str):
                self.title = shortened(fields[name])

    def _describe(self, fields: dict[str, Any], line: Line) -> None:
        self.about = {name: fields[name] for name in ("sessionId", "session_id") if name in fields}
        model = line.message.get("model")
        if isinstance(model, str) and not model.startswith("<"):
            self.model = model

    def main_lines(self) -> list[Line]:
        """The lines of the main agent; a sub-agent's own file holds no others than its own."""
        if not self.lines:
            self.lines, self.aside = self.aside, []
        if self.aside:
            self.ignored["sidechain"] += len(self.aside)
            self.aside = []
        return self.lines

    def sessions(self, whole: Sequence[Sourced]) -> tuple[Session, ...]:
        if not whole:
            return ()
        id_ = id_of(self.about, self.about, position=0)
        sessions = [as_session(whole, id=id_, format=NAME, title=self.title, model=self.model)]
        if self.compacted_at is not None:
            behind = self.lines[self.compacted_at :]
            active = tell(active_lines(behind, tree=self.tree, boundary=self.boundary)).messages
            if active:
                title = _("active context after the last compaction")
                made = as_session(
                    active, id=f"{id_}:active", format=NAME, title=title, model=self.model
                )
                sessions.append(made)
        return tuple(sessions)
