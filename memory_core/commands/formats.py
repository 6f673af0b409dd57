"""`formats`: the session formats that can be read."""

from __future__ import annotations

import click

from memory_core.sessions import FORMATS
from memory_core.texts import _


@click.command(help=_("List the session formats that can be read; they are told by content."))
def formats() -> None:
    """Print a line per format."""
    width = max(len(name) for name in FORMATS)
    for name, known in FORMATS.items():
        click.echo(f"{name:<{width}}  {known.label}: {known.description}")
