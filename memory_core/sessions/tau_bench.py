"""tau-bench result files: a list of runs, each with its trajectory as chat messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from memory_core.sessions.chat_messages import is_chat_list, read_chat
from memory_core.sessions.format import Reading, Record
from memory_core.sessions.session import Origin, Session, Skipped
from memory_core.sessions.sourced import Sourced, as_session
from memory_core.sessions.values import as_list
from memory_core.texts import _

NAME: Final = "tau-bench"


class TauBench:
    """Runs with `task_id`, `trial`, `reward` and `traj`, the messages."""

    label = "tau-bench"
    description = _("A list of runs with `traj`; one session per run")
    live = False

    def detect(self, head: Sequence[Record]) -> bool:
        return any(
            "task_id" in record.fields
            and isinstance(record.fields.get("traj"), list)
            and is_chat_list(record.fields["traj"])
            for record in head
        )

    def read(self, records: Iterable[Record]) -> Reading:
        sessions: list[Session] = []
        skipped: list[Skipped] = []
        for record in records:
            session = _run(record)
            if session.messages:
                sessions.append(session)
            else:
                skipped.append(Skipped(_("no messages"), line=record.line, record=record.position))
        return Reading(tuple(sessions), len(sessions), skipped=tuple(skipped))


def _run(record: Record) -> Session:
    run = record.fields

    messages = [
        read_chat(value, place=_place(record, index), line=record.line)
        for index, value in enumerate(as_list(run.get("traj")))
    ]
    origin = Origin(line=record.line)
    task, trial = run.get("task_id", record.position), run.get("trial")
    return as_session(
        [Sourced(message, origin) for message in messages],
        id=f"task-{task}" if not trial else f"task-{task}-trial-{trial}",
        format=NAME,
    )


def _place(record: Record, index: int) -> str:
    return _("run {run}: traj[{index}]").format(run=record.position, index=index)
