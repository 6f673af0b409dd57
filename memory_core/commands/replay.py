"""`replay`: the window of every call point, in numbers."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any, Unpack

import click

from memory_core.commands.arguments import (
    chosen_config,
    chosen_session,
    config_option,
    json_option,
    note,
    preset_option,
    print_json,
    progressing,
    session_file,
    session_option,
)
from memory_core.commands.asking import (
    ModelOptions,
    chosen_model,
    model_options,
    tell_failures,
)
from memory_core.plan import State
from memory_core.replay import Replay
from memory_core.replay import replay as replay_session
from memory_core.techniques import Balance, balance
from memory_core.texts import _, ngettext


@click.command(
    help=_(
        "Replay a session under a config: for every call of the model, how many tokens the window "
        "would have had and what became of the messages.\n\n"
        "A line per call: raw, the tokens of the whole history before it, repaired so that a "
        "provider accepts it; window, the tokens that are sent, with what is kept free for the "
        "reply; cached, those that start like the request before; then the messages by what "
        "became of them.\n\n"
        "With --json, per call point: at (message index), raw_tokens, total_tokens, parts, "
        "over_budget, states, cached_prefix_tokens, repairs. --balance shows instead what pruning, "
        "window and summary save over all calls."
    )
)
@session_file
@session_option
@preset_option
@config_option
@click.option(
    "--balance",
    "balances",
    is_flag=True,
    help=_(
        "What each technique saves, alone and added to the others, in tokens over all calls; and "
        "the calls over budget with only it, and without it."
    ),
)
@model_options
@json_option
def replay(
    *,
    file: Path,
    session: str | None,
    preset: str,
    config_file: Path | None,
    balances: bool,
    as_json: bool,
    **model: Unpack[ModelOptions],
) -> None:
    """Print a line per call point, or the balance."""
    config = chosen_config(preset, config_file)
    chosen = chosen_session(file, session)
    new_summarizer = chosen_model(config, model)
    with progressing(_("replaying")) as progress:
        result = replay_session(
            chosen.messages,
            config,
            summarizer=new_summarizer() if new_summarizer else None,
            progress=progress,
        )
    about = {"session": chosen.id, "config": config.changed()}
    if balances:
        if new_summarizer is not None:
            note(_("--balance asks the model for the summaries without pruning, too"))
        with progressing(_("comparing")) as progress:
            found = balance(
                chosen.messages,
                config,
                gauge=result.planner.gauge,
                new_summarizer=new_summarizer,
                known=result,
                progress=progress,
            )
        if as_json:
            print_json({**about, "balance": _balance(found)})
        else:
            _print_balance(found)
        _tell_failures(found)
    else:
        points = [_point(result, number) for number in range(len(result.plans))]
        if as_json:
            print_json({**about, "call_points": points})
        else:
            _print(points)
        tell_failures(result.plans)


def _point(result: Replay, number: int) -> dict[str, Any]:
    """The figures of one call point and the repairs that are new at it."""
    report = result.report(result.plans[number])
    known = result.plans[number - 1].repairs if number else 0
    new = result.planner.ledger.pairing.repairs[known : report.plan.repairs]
    return {**report.figures(), "repairs": [asdict(repair) for repair in new]}


def _balance(found: Balance) -> dict[str, Any]:
    """The balance as plain JSON data, savings in percent of the whole history too."""
    savings = [
        {
            **asdict(one),
            "alone_percent": round(found.percent(one.alone), 2),
            "added_percent": round(found.percent(one.added), 2),
        }
        for one in found.savings
    ]
    return {**asdict(found), "savings": savings}


def _print_balance(found: Balance) -> None:
    over = _("over budget")
    heads = "   ".join(f"{head:>12} {'%':>8} {over:>14}" for head in (_("alone"), _("added")))
    click.echo(f"{_('technique'):<10} {heads}")
    for one in found.savings:
        cells = "   ".join(
            f"{tokens:>12,} {found.percent(tokens):>6.1f} % {sent.over_budget:>14,}"
            for tokens, sent in ((one.alone, one.only), (one.added, one.others))
        )
        click.echo(f"{one.technique:<10} {cells}")
    closing = _(
        "calls over budget: {now:,} instead of {over:,}; "
        "messages the last summary stands for: {represented:,}"
    )
    note(
        closing.format(
            now=found.sent.over_budget,
            over=found.whole.over_budget,
            represented=found.represented,
        )
    )
    _note_sent(found.calls, sent=found.sent.tokens, whole=found.whole.tokens)


def _note_sent(calls: int, *, sent: int, whole: int) -> None:
    """What was sent over all calls, and what would have been without any memory."""
    line = ngettext(
        "sent {sent:,} tokens in {calls:,} call instead of {whole:,}, the whole history "
        "({saved:.1f} % saved)",
        "sent {sent:,} tokens in {calls:,} calls instead of {whole:,}, the whole history at every "
        "call ({saved:.1f} % saved)",
        calls,
    )
    saved = 100 * (whole - sent) / whole if whole else 0.0
    note(line.format(calls=calls, sent=sent, whole=whole, saved=saved))


def _tell_failures(found: Balance) -> None:
    """As `tell_failures`; exit code 1 where one of the replays got no summary at all."""
    if found.failures:
        line = ngettext(
            "no summary at {n:,} call of the replays that were compared: {reason}",
            "no summary at {n:,} calls of the replays that were compared, at last: {reason}",
            found.failures,
        )
        note(line.format(n=found.failures, reason=found.reason))
    if found.unsummarised:
        click.get_current_context().exit(1)


def _print(points: list[dict[str, Any]]) -> None:
    states = "".join(f" {state:>{_width(state)}}" for state in State)
    click.echo(_("call  message      raw   window   cached ") + states)
    for number, point in enumerate(points, 1):
        click.echo(_line(number, point))
    closing = _(
        "compactions (▼): {compactions:,}; calls over budget (✖): {over:,}; "
        "repairs (⚠): {repairs:,}"
    )
    note(
        closing.format(
            compactions=sum(point["receipt"] is not None for point in points),
            over=sum(point["over_budget"] for point in points),
            repairs=sum(len(point["repairs"]) for point in points),
        )
    )
    _note_sent(
        len(points),
        sent=sum(point["total_tokens"] - point["parts"]["reserve"] for point in points),
        whole=sum(point["raw_tokens"] for point in points),
    )


def _line(number: int, point: dict[str, Any]) -> str:
    states = "".join(f" {point['states'][state]:>{_width(state)}}" for state in State)
    flags = {"▼": point["receipt"], "✖": point["over_budget"], "⚠": point["repairs"]}
    marks = "".join(f" {glyph}" for glyph, is_set in flags.items() if is_set)
    return (
        f"{number:>4}  #{point['at']:<6} {point['raw_tokens']:>9,} {point['total_tokens']:>8,}"
        f" {point['cached_prefix_tokens']:>8,} {states}{marks}"
    )


def _width(state: State) -> int:
    return max(5, len(state))
