"""`audit`: what estimated token counts would miss, and the calls that were made again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import click

from memory_core.audit import Audit, Group, Verdict, reference_config, verdict_text, verdicts
from memory_core.audit import audit as audit_session
from memory_core.commands.arguments import (
    chosen_config,
    chosen_session,
    config_option,
    json_option,
    note,
    on_one_line,
    preset_option,
    print_json,
    session_file,
    session_option,
)
from memory_core.config import MemoryConfig
from memory_core.gauge import Gauge
from memory_core.models import ESTIMATORS
from memory_core.repeats import Repeat, repeated_calls
from memory_core.replay import tape_of
from memory_core.texts import _, ngettext

LONGEST: Final = 60
"""Characters of a call's arguments on its line."""


@click.command(
    help=_(
        "Compare rules of thumb for tokens (len // 3, chars / 4) with the count of the config's "
        "model: estimate / count over all and per message (median and range), by role and by kind "
        "of text, and the calls at which a trigger on the estimate would have come too late or too "
        "early. Then list the calls that were made again with the same arguments.\n\n"
        "Counted are the texts of all messages, without the frame that each one is sent in. The "
        "trigger is compared with the whole history of each call, nothing shortened."
    )
)
@session_file
@session_option
@preset_option
@config_option
@json_option
def audit(
    *, file: Path, session: str | None, preset: str, config_file: Path | None, as_json: bool
) -> None:
    """Print the audit of one session."""
    config = chosen_config(preset, config_file)
    chosen = chosen_session(file, session)
    gauge = Gauge(reference_config(config))
    found = audit_session(chosen.messages, config, gauge=gauge, tape=tape_of(chosen.messages))
    judged = verdicts(found, config)
    repeats = repeated_calls(chosen.messages, gauge)
    if as_json:
        print_json(
            {
                "session": chosen.id,
                "config": config.changed(),
                "counted": found.reference.label,
                "groups": [_group(group) for group in found.groups],
                "triggers": [_trigger(verdict, found) for verdict in judged],
                "repeated_calls": [asdict(repeat) for repeat in repeats],
            }
        )
        return
    _print_groups(found)
    click.echo()
    for verdict in judged:
        click.echo(verdict_text(verdict, config))
    _print_repeats(repeats)
    _note(found, config)


def _group(group: Group) -> dict[str, Any]:
    estimates = {
        rule: {**asdict(estimate), "ratio": group.ratio(rule)}
        for rule, estimate in group.estimates.items()
    }
    return {
        "by": group.by,
        "name": group.name,
        "messages": group.messages,
        "tokens": group.tokens,
        "estimates": estimates,
    }


def _trigger(verdict: Verdict, found: Audit) -> dict[str, Any]:
    """The verdict with message indices in place of ordinals, as `replay` names its calls."""
    at = found.raw.at
    return {
        "estimator": verdict.estimator,
        "calls": verdict.calls,
        "late_at": [at[call] for call in verdict.late],
        "early_at": [at[call] for call in verdict.early],
        "first_at": None if verdict.first is None else at[verdict.first],
        "total_at_first": verdict.total_at_first,
    }


def _print_groups(found: Audit) -> None:
    heads = "".join(f"  {rule:>26}" for rule in ESTIMATORS)
    click.echo(f"{_('estimate / count'):<18} {_('messages'):>8} {_('tokens'):>10}{heads}")
    click.echo(f"{'':38}" + f"  {_('all  median     range'):>26}" * len(ESTIMATORS))
    for group in found.groups:
        cells = "".join(
            f"  {group.ratio(rule):>6.2f} {one.median:>6.2f} {one.lowest:>7.2f}-{one.highest:.2f}"
            for rule, one in group.estimates.items()
        )
        name = group.name or _("all messages")
        click.echo(f"{name:<18} {group.messages:>8,} {group.tokens:>10,}{cells}")


def _print_repeats(repeats: Sequence[Repeat]) -> None:
    if not repeats:
        return
    click.echo()
    for one in repeats:
        line = _(
            "{times} x {tool} {arguments}: {tokens:,} tokens, {again:,} said before; at"
        ).format(
            times=len(one.calls),
            tool=one.tool,
            arguments=one.arguments[:LONGEST],
            tokens=one.tokens,
            again=one.again,
        )
        click.echo(on_one_line(" ".join([line, *(f"#{index}" for index in one.calls)])))


def _note(found: Audit, config: MemoryConfig) -> None:
    calls = len(found.raw.at)
    note(
        ngettext(
            "counted: {label}, texts without the frame of a message; {calls:,} call, trigger "
            "{trigger:,} tokens",
            "counted: {label}, texts without the frame of a message; {calls:,} calls, trigger "
            "{trigger:,} tokens",
            calls,
        ).format(label=found.reference.label, calls=calls, trigger=config.trigger_tokens)
    )
