"""`check`: whether sessions keep enough under a config, for builds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import click

from memory_core.commands.arguments import (
    chosen_config,
    config_option,
    json_option,
    loaded,
    note,
    on_one_line,
    percent,
    preset_option,
    print_json,
)
from memory_core.config import MemoryConfig
from memory_core.errors import InvalidConfig, SessionError
from memory_core.loss import Breach, Checked, Index, Limits, Share, measure, needs_of, retention
from memory_core.loss import check as check_limits
from memory_core.replay import replay as replay_session
from memory_core.sessions.session import Session
from memory_core.texts import _, ngettext

SUFFIXES: Final = (".json", ".jsonl")
"""Files of a folder that have to be sessions; any other may be one."""


def _share_from_0_to_1(
    _context: click.Context, _parameter: click.Parameter, value: float | None
) -> float | None:
    if value is None or 0 <= value <= 1:
        return value
    raise click.BadParameter(_("{value} is not from 0 to 1").format(value=value))


@click.command(
    help=_(
        "Check, in a build, that sessions keep enough under a config. Retention is the share of "
        "needed items kept (agents) or of words kept (chats), see `loss`; tokens are those of the "
        "largest window. Sessions in which nothing was needed again are ok.\n\n"
        "Of a folder all files are read, not its hidden ones and not its folders; what is no "
        "session is named, and fails where its name ends in .json or .jsonl.\n\n"
        "Exit code 0 = all sessions hold the limits, 1 = one does not, 2 = a file cannot be read "
        "(the others are checked all the same)."
    )
)
@click.argument("path", metavar="FILE|FOLDER", type=click.Path(path_type=Path))
@preset_option
@config_option
@click.option(
    "--min-retention",
    type=float,
    metavar="X",
    callback=_share_from_0_to_1,
    help=_("The least share that has to be kept, from 0 to 1."),
)
@click.option(
    "--max-tokens",
    type=click.IntRange(min=0),
    metavar="N",
    help=_("The most tokens that a window may have."),
)
@json_option
@click.pass_context
def check(
    ctx: click.Context,
    *,
    path: Path,
    preset: str,
    config_file: Path | None,
    min_retention: float | None,
    max_tokens: int | None,
    as_json: bool,
) -> None:
    """Print a line per session."""
    config = _steady(chosen_config(preset, config_file))
    limits = Limits(min_retention, max_tokens)
    checked: list[dict[str, Any]] = []
    unread: list[dict[str, Any]] = []
    for file in _files(path):
        try:
            sessions = loaded(file).sessions
        except SessionError as error:
            if file != path and file.suffix.lower() not in SUFFIXES:
                note(_("skipped: {error}").format(error=error))
                continue
            unread.append({"file": str(file), "line": error.line, "reason": error.reason})
            _tell(f"{_('failed'):<7} {error}", as_json=as_json)
            continue
        for session in sessions:
            found = _checked(session, config, limits)
            checked.append(_row(file, session, found))
            _tell(_line(file, session, found, limits), as_json=as_json)
    if not checked and not unread:
        raise SessionError(_("there is no session in this folder"), file=path)
    if as_json:
        about = {"config": config.changed(), "limits": asdict(limits)}
        print_json({**about, "sessions": checked, "unread": unread})
    failed = sum(not row["ok"] for row in checked)
    _close(len(checked), failed, len(unread), limits)
    ctx.exit(2 if unread else min(failed, 1))


def _steady(config: MemoryConfig) -> MemoryConfig:
    """`config`, refused where two runs need not agree."""
    if config.summarizer == "model":
        raise InvalidConfig(
            _(
                "check asks no model, as a check has to repeat: choose another summarizer; "
                "`loss` measures with a model"
            )
        )
    return config


def _files(path: Path) -> Iterator[Path]:
    """The file, or the files of the folder that are not hidden; the others are named."""
    if not path.is_dir():
        yield path
        return
    for file in sorted(path.iterdir()):
        if file.name.startswith("."):
            note(_("skipped: {file}: hidden").format(file=file))
        elif file.is_dir():
            note(_("skipped: {file}: a folder").format(file=file))
        else:
            yield file


def _checked(session: Session, config: MemoryConfig, limits: Limits) -> Checked:
    index = Index(session.messages)
    result = replay_session(session.messages, config)
    return check_limits(result, measure(result, index, needs_of(index)), limits)


def _row(file: Path, session: Session, found: Checked) -> dict[str, Any]:
    return {
        "file": str(file),
        "session": session.id,
        "ok": not found.breaches,
        "breaches": found.breaches,
        "retention": retention(found.loss),
        "largest_window": found.largest,
        "loss": found.loss.to_dict(),
    }


def _line(file: Path, session: Session, found: Checked, limits: Limits) -> str:
    verdict = _("failed") if found.breaches else _("ok")
    told = {
        Breach.RETENTION: _("below {least} kept").format(least=limits.min_retention),
        Breach.TOKENS: _("above {most} tokens").format(most=limits.max_tokens),
    }
    parts = [
        *_figures(found),
        _("largest window {tokens:,} tokens").format(tokens=found.largest),
        *(told[breach] for breach in found.breaches),
    ]
    return f"{verdict:<7} {file} [{session.id}]: {', '.join(parts)}"


def _figures(found: Checked) -> tuple[str, str]:
    loss = found.loss
    if loss.is_agent:
        return (
            _("needed items kept {share}").format(share=_share(loss.needs)),
            _("tool calls with all they need {share}").format(share=_share(loss.actions)),
        )
    return (
        _("words kept {share}").format(share=percent(loss.word_recall)),
        _("rare words kept {share}").format(share=_share(loss.rare_words)),
    )


def _share(share: Share) -> str:
    told = _("{kept:,} of {of:,} ({percent})")
    return told.format(kept=share.kept, of=share.of, percent=percent(share.ratio))


def _tell(line: str, *, as_json: bool) -> None:
    """A line of the result; beside JSON it is progress."""
    click.echo(on_one_line(line), err=as_json)


def _close(sessions: int, failed: int, unread: int, limits: Limits) -> None:
    told = ngettext(
        "{n:,} session: {failed:,} failed", "{n:,} sessions: {failed:,} failed", sessions
    )
    note(told.format(n=sessions, failed=failed))
    if unread:
        told = ngettext("{n:,} file cannot be read", "{n:,} files cannot be read", unread)
        note(told.format(n=unread))
    if limits == Limits():
        note(_("no limit was given (--min-retention, --max-tokens): any session is ok"))
