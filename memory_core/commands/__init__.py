"""The command line: look at sessions and at the windows a config would give them."""

from __future__ import annotations

import re
import sys
from io import TextIOWrapper

import click

from memory_core.commands.arguments import on_one_line
from memory_core.commands.audit import audit
from memory_core.commands.check import check
from memory_core.commands.fact import fact
from memory_core.commands.formats import formats
from memory_core.commands.lint import lint
from memory_core.commands.loss import loss
from memory_core.commands.presets import presets
from memory_core.commands.replay import replay
from memory_core.commands.window import window
from memory_core.errors import PlaygroundError
from memory_core.texts import _


class Commands(click.Group):
    """Shows every error of the library as one line and exit code 2, every command with its aim."""

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """Add a command; in the list of all it is told by its help up to the first mark."""
        cmd.short_help = cmd.short_help or re.split(r"[.:;](?:\s|$)", cmd.help or "")[0]
        super().add_command(cmd, name)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise
        except (PlaygroundError, OSError) as error:
            raise _Refused(on_one_line(str(error))) from error


class _Refused(click.ClickException):
    exit_code = 2


@click.group(
    cls=Commands,
    help=_(
        "See what a model would still see of a recorded agent session.\n\n"
        "FILE is a session in any known format (see `formats`); it is detected by content. Results "
        "go to standard output, notes and progress to standard error."
    ),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(
    package_name="memory-playground",
    message="%(package)s %(version)s",
    help=_("Print the version."),
)
def main() -> None:
    """The group of all commands."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal that cannot show a character shows its escape instead of failing.
            stream.reconfigure(errors="backslashreplace")


for _command in (lint, replay, window, loss, fact, check, audit, presets, formats):
    main.add_command(_command)
