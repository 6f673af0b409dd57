"""What several commands take: a session file, one session of it, a config."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import click

from memory_core.config import MemoryConfig, read_config
from memory_core.library import Shelf, preset_folder, read_shelf
from memory_core.presets import ARTICLE
from memory_core.replay import Progress
from memory_core.sessions import load_file, pick
from memory_core.sessions.session import Loaded, Session
from memory_core.texts import _, ngettext

ROLES_SHOWN: Final = 5

session_file = click.argument("file", type=click.Path(path_type=Path))
session_option = click.option(
    "--session",
    metavar="INDEX|ID",
    help=_("Which session of the file: 0-based index or id. Default: the first."),
)
config_option = click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path),
    help=_("A JSON file with the fields of MemoryConfig that differ from the preset."),
)
preset_option = click.option(
    "--preset",
    metavar="NAME",
    default=ARTICLE,
    help=_("The preset to start from (see `presets`). Default: the article's numbers."),
)
json_option = click.option("--json", "as_json", is_flag=True, help=_("Print JSON."))


def on_one_line(text: str) -> str:
    """`text` with everything escaped that would break a line or steer a terminal."""
    return "".join(one if one.isprintable() else repr(one)[1:-1] for one in text)


def shortened(text: str, longest: int) -> str:
    """`text` on one line, with an ellipsis where more characters than `longest` were left out."""
    return on_one_line(text if len(text) <= longest else f"{text[: longest - 1]}…")


def percent(ratio: float | None) -> str:
    """A share from 0 to 1; a dash where there is none."""
    return "-" if ratio is None else f"{100 * ratio:.1f} %"


def note(text: str) -> None:
    """A line on standard error, whatever the text holds."""
    click.echo(on_one_line(text), err=True)


@contextmanager
def progressing(label: str) -> Generator[Progress, None, None]:
    """A bar as far along as what it yields is told, on standard error where that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    with click.progressbar(length=100, label=label, file=sys.stderr) as bar:
        yield lambda done, total: bar.update(done * 100 // total - bar.pos)


def print_json(data: Any) -> None:
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def shelf() -> Shelf:
    """All presets of this person."""
    return read_shelf(preset_folder(os.environ))


def chosen_config(preset: str, file: Path | None) -> MemoryConfig:
    """The preset, with the fields that the file names in place of its own."""
    config = shelf().pick(preset).config
    if file is None:
        return config
    given = read_config(file)
    return config.model_copy(update={name: getattr(given, name) for name in given.model_fields_set})


def loaded(file: Path) -> Loaded:
    """The sessions of a file; records that could not be read are named on standard error."""
    result = load_file(file)
    for skipped in result.report.skipped:
        where = f"{file}:{skipped.line}" if skipped.line is not None else str(file)
        note(_("{where}: skipped: {reason}").format(where=where, reason=skipped.reason))
    return result


def chosen_session(file: Path, wanted: str | None) -> Session:
    """The session asked for; where the file has several and none was named, the first."""
    sessions = loaded(file).sessions
    if wanted is None and len(sessions) > 1:
        note(
            ngettext(
                "{file}: {n} session; showing 0 ({id}). Choose with --session.",
                "{file}: {n} sessions; showing 0 ({id}). Choose with --session.",
                len(sessions),
            ).format(file=file, n=len(sessions), id=sessions[0].id)
        )
    chosen = pick(sessions, wanted)
    if chosen.unknown_roles:
        _note_unknown_roles(file, chosen)
    return chosen


def _note_unknown_roles(file: Path, session: Session) -> None:
    found = session.unknown_roles
    line = ngettext(
        "{file}: {n:,} message has a role that is not known and is read as a user's: {roles}",
        "{file}: {n:,} messages have roles that are not known and are read as a user's: {roles}",
        len(found),
    )
    names = list(dict.fromkeys(found.values()))
    shown = ", ".join(map(repr, names[:ROLES_SHOWN])) + (", …" if names[ROLES_SHOWN:] else "")
    note(line.format(file=file, n=len(found), roles=shown))
