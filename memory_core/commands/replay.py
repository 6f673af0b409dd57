"""`replay`: the window of every call point, in numbers."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from memory_core.commands.arguments import (
    chosen_config,
    chosen_session,
    config_option,
    json_option,
    note,
    print_json,
    session_file,
    session_option,
)
from memory_core.replay import Progress, Replay
from memory_core.replay import replay as replay_session
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
    points = [_point(result, number) for number in range(len(result.plans))]
    if as_json:
        print_json({"session": chosen.id, "config": config.changed(), "call_points": points})
        return
    _print(points)


def _progress(bar: Any) -> Progress:
    def show(done: int, total: int) -> None:
        bar.update(done * 100 // total - bar.pos)

    return show


def _point(result: Replay, number: int) -> dict[str, Any]:
    """The figures of one call point and the repairs that are new at it."""
    report = result.report(result.plans[number])
    known = result.plans[number - 1].repairs if number else 0
    new = result.planner.ledger.pairing.repairs[known : report.plan.repairs]
    return {**report.figures(), "repairs": [asdict(repair) for repair in new]}


def _print(points: list[dict[str, Any]]) -> None:
    click.echo(
        _("call  message      raw   window   cached  kept pruned summarised dropped  (tokens)")
    )
    for number, point in enumerate(points, 1):
        click.echo(_line(number, point))
    compactions = sum(point["receipt"] is not None for point in points)
    over = sum(point["over_budget"] for point in points)
    repairs = sum(len(point["repairs"]) for point in points)
    closing = _(
        "{calls:,} calls, {tokens:,} tokens sent in all; {compactions:,} compactions (▼), "
        "{over:,} over budget (✖), {repairs:,} repairs (⚠)"
    )
    note(
        closing.format(
            calls=len(points),
            tokens=sum(point["total_tokens"] - point["parts"]["reserve"] for point in points),
            compactions=compactions,
            over=over,
            repairs=repairs,
        )
    )


def _line(number: int, point: dict[str, Any]) -> str:
    states = point["states"]
    flags = {"▼": point["receipt"], "✖": point["over_budget"], "⚠": point["repairs"]}
    marks = "".join(f" {glyph}" for glyph, is_set in flags.items() if is_set)
    return (
        f"{number:>4}  #{point['at']:<6} {point['raw_tokens']:>9,} {point['total_tokens']:>8,}"
        f" {point['cached_prefix_tokens']:>8,} {states['kept']:>5} {states['pruned']:>6}"
        f" {states['summarised']:>10} {states['dropped']:>7}{marks}"
    )
