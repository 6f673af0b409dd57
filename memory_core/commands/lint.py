"""`lint`: faults in the pairing of calls and results."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from memory_core.commands.arguments import (
    json_option,
    loaded,
    note,
    on_one_line,
    print_json,
)
from memory_core.errors import SessionError
from memory_core.exchanges import Fault, pair, repair
from memory_core.files import write_whole
from memory_core.reasons import fault_text, unknown_role_text
from memory_core.sessions import pick
from memory_core.sessions.session import Session
from memory_core.sessions.write import to_openai_json
from memory_core.texts import _, ngettext

UNKNOWN_ROLE: Final = "unknown_role"


@dataclass(frozen=True, slots=True)
class _Fault:
    """A fault at a message (0-based index): its code, what was done, what it is about."""

    index: int
    code: str
    told: str
    call_id: str = ""
    role: str = ""


def _explain(ctx: click.Context, option: click.Parameter, wanted: bool) -> None:  # noqa: ARG001, FBT001
    """Print a line per code, where that is asked for."""
    if not wanted:
        return
    told = {fault.value: fault_text(fault) for fault in Fault} | {UNKNOWN_ROLE: unknown_role_text()}
    width = max(map(len, told))
    for code, text in told.items():
        click.echo(f"{code:<{width}}  {text}")
    ctx.exit()


@click.command(
    help=_(
        "Check the calls and results of sessions: results without a call, calls without a result, "
        "late results, repeated or missing ids, empty messages, unknown roles. Each session is "
        "judged as a whole: a result that came too late for the next call is late here, and an "
        "orphan in `replay`.\n\n"
        "Each fault is named by a code; --codes explains them. Exit code 0 = nothing found, 1 = "
        "faults found, 2 = a file cannot be read."
    )
)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--fix",
    "fix_file",
    type=click.Path(path_type=Path),
    help=_("Write the repaired session here, as OpenAI chat JSON (one file with one session)."),
)
@click.option(
    "--session",
    metavar="INDEX|ID",
    help=_("Which session of each file: 0-based index or id. Default: all of them."),
)
@click.option(
    "--codes",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_explain,
    help=_("Say what each code means and what --fix does about it; read nothing."),
)
@json_option
@click.pass_context
def lint(
    ctx: click.Context,
    *,
    files: tuple[Path, ...],
    fix_file: Path | None,
    session: str | None,
    as_json: bool,
) -> None:
    """Print a line per fault."""
    found: list[dict[str, object]] = []
    unreadable = False
    sessions: list[Session] = []
    for file in files:
        try:
            own = loaded(file).sessions
            own = own if session is None else (pick(own, session),)
        except SessionError as error:
            note(str(error))
            unreadable = True
            continue
        sessions += own
        found += [_fault(file, one, fault) for one in own for fault in _faults(one)]
    if fix_file is not None and fix_file.resolve() in [file.resolve() for file in files]:
        raise click.UsageError(_("--fix would overwrite the file that was read"))
    if fix_file is not None and len(sessions) > 1:
        reason = _("--fix writes one session, and {n} were read; choose one with --session").format(
            n=len(sessions)
        )
        raise click.UsageError(reason)
    if as_json:
        print_json(found)
    else:
        _print(found, len(sessions))
    if fix_file is not None and not unreadable:
        _fix(fix_file, sessions[0])
    ctx.exit(2 if unreadable else min(len(found), 1))


def _faults(session: Session) -> list[_Fault]:
    paired = [
        _Fault(one.index, one.fault.value, fault_text(one.fault), call_id=one.call_id)
        for one in pair(session.messages).repairs
    ]
    unknown = [
        _Fault(index, UNKNOWN_ROLE, unknown_role_text(), role=role)
        for index, role in session.unknown_roles.items()
    ]
    return sorted([*paired, *unknown], key=lambda one: (one.index, one.code))


def _fault(file: Path, session: Session, found: _Fault) -> dict[str, object]:
    return {
        "file": str(file),
        "session": session.id,
        "message": found.index,
        "line": session.origins[found.index].line,
        "fault": found.code,
        "call_id": found.call_id,
        "role": found.role,
    }


def _print(found: list[dict[str, object]], sessions: int) -> None:
    for fault in found:
        where = ":".join(str(fault[key]) for key in ("file", "line") if fault[key] is not None)
        about = fault["call_id"] or fault["role"]
        named = f" {about}" if about else ""
        line = f"{where}: [{fault['session']}] #{fault['message']} {fault['fault']}{named}"
        click.echo(on_one_line(line))
    faults = ngettext("{n} fault", "{n} faults", len(found)).format(n=len(found))
    note(
        ngettext("{faults} in {n} session", "{faults} in {n} sessions", sessions).format(
            faults=faults, n=sessions
        )
    )


def _fix(fix_file: Path, session: Session) -> None:
    messages = repair(session.messages)
    write_whole(fix_file, to_openai_json(messages))
    for one in _faults(session):
        note(f"#{one.index}: {one.told}")
    line = ngettext("wrote {file}: {n} message", "wrote {file}: {n} messages", len(messages))
    note(line.format(file=fix_file, n=len(messages)))
