"""`presets`: the configs with a name, built-in and saved."""

from __future__ import annotations

import click

from memory_core.commands.arguments import note, on_one_line, shelf
from memory_core.texts import _


@click.command(
    help=_(
        "List the presets, those saved in the app too; with NAME, print that preset's config as "
        "JSON, the way --config reads it."
    )
)
@click.argument("name", required=False)
def presets(*, name: str | None) -> None:
    """Print a line per preset, or one preset."""
    found = shelf()
    if name is not None:
        click.echo(found.pick(name).config.portable())
        return
    for problem in found.problems:
        note(on_one_line(problem))
    width = max(len(one) for one in found.presets)
    for key, preset in found.presets.items():
        label = "" if preset.label == key else f"{preset.label}: "
        click.echo(on_one_line(f"{key:<{width}}  {label}{preset.story}"))
