"""tau-bench result files: a list of runs, each with its trajectory as chat messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from memory_core.sessions.chat_messages import chat_fields, is_chat_list
from memory_core.sessions.format import Reading, Record
from memory_core.sessions.session import Origin, Session, Skipped
from memory_core.sessions.sourced import Gathered, as_session
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
            found = _gathered(record)
            skipped += found.skipped
            if found.messages:
                sessions.append(_run(record, found))
            elif not found.skipped:
                skipped.append(Skipped(_("no messages"), line=record.line, record=record.position))
        return Reading(tuple(sessions), len(sessions), skipped=tuple(skipped))


def _gathered(record: Record) -> Gathered:
    found = Gathered()
    for index, value in enumerate(as_list(record.fields.get("traj"))):
        place = _place(record, index)
        found.add(
            chat_fields(value, place=place, line=record.line),
            place=place,
            position=record.position,
            origin=Origin(line=record.line),
        )
    return found


def _run(record: Record, found: Gathered) -> Session:
    run = record.fields
    task, trial = run.get("task_id", record.position), run.get("trial")
    return as_session(
        found.messages,
        id=f"task-{task}" if not trial else f"task-{task}-trial-{trial}",
        format=NAME,
    )


def _place(record: Record, index: int) -> str:
    return _("run {run}: traj[{index}]").format(run=record.position, index=index)
