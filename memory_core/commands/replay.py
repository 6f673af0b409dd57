"""`replay`: the window of every call point, in numbers."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from memory_core.commands.arguments import (
    chosen_config,
    chosen_session,
    config_option,
    json_option,
    print_json,
    session_file,
    session_option,
)
from memory_core.replay import Progress
from memory_core.replay import replay as replay_session
from memory_core.report import Report
from memory_core.texts import _


@click.command(
    help=_(
        "Replay a session under a config: for every call of the model, how many tokens the window "
        "would have had and what became of the messages.\n\n"
        "With --json, per call point: at (message index), raw_tokens, total_tokens, parts, "
        "over_budget, states, cached_prefix_tokens, repairs."
    )
)
@session_file
@session_option
@config_option
@json_option
def replay(*, file: Path, session: str | None, config_file: Path | None, as_json: bool) -> None:
    """Print a line per call point."""
    config = chosen_config(config_file)
    chosen = chosen_session(file, session)
    stderr = sys.stderr
    with click.progressbar(length=100, label=_("replaying"), file=stderr) as bar:
        result = replay_session(chosen.messages, config, progress=_progress(bar))
    reports = [result.report(plan) for plan in result.plans]
    points = [
        _point(report, known=result.plans[number - 1].repairs if number else 0)
        for number, report in enumerate(reports)
    ]
    if as_json:
        print_json({"session": chosen.id, "config": config.changed(), "call_points": points})
        return
    click.echo(_("call  message      raw   window   cached  kept pruned summarised dropped"))
    for number, point in enumerate(points, 1):
        click.echo(_line(number, point))


def _progress(bar: Any) -> Progress:
    def show(done: int, total: int) -> None:
        bar.update(done * 100 // total - bar.pos)

    return show


def _point(report: Report, *, known: int) -> dict[str, Any]:
    """The report without what belongs to single messages, and with the new repairs only."""
    point = report.to_dict()
    del point["message_tokens"], point["summary"], point["restarted"]
    point["repairs"] = point["repairs"][known:]
    return point


def _line(number: int, point: dict[str, Any]) -> str:
    states = point["states"]
    flags = (" ▼" if point["receipt"] else "") + (" ✖" if point["over_budget"] else "")
    return (
        f"{number:>4}  #{point['at']:<6} {point['raw_tokens']:>9,} {point['total_tokens']:>8,}"
        f" {point['cached_prefix_tokens']:>8,} {states['kept']:>5} {states['pruned']:>6}"
        f" {states['summarised']:>10} {states['dropped']:>7}{flags}"
    )
