"""`fact`: where one fact stands at every call, and what would have kept it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, Unpack

import click

from memory_core.commands.arguments import (
    chosen_config,
    chosen_session,
    config_option,
    json_option,
    note,
    on_one_line,
    preset_option,
    print_json,
    progressing,
    session_file,
    session_option,
    shortened,
)
from memory_core.commands.asking import (
    ModelOptions,
    chosen_summarizer,
    model_options,
    tell_failures,
)
from memory_core.config import MemoryConfig
from memory_core.errors import InvalidConfig, NotSaid
from memory_core.loss import (
    Form,
    Index,
    Lifeline,
    Remedy,
    Span,
    Subject,
    Use,
    follow,
    lifeline,
    remedies,
)
from memory_core.replay import Replay
from memory_core.replay import replay as replay_session
from memory_core.texts import _

LONGEST: Final = 80
"""Characters of the text that are printed."""
MOST_SAID: Final = 12
"""Messages that say it and are printed; --json has all."""


@click.command(
    help=_(
        "Follow an item (an id, path, date, amount, name) or any words through a session: in which "
        "form they stand at which calls and why, and whether they stood where the session used "
        "them again. --remedies looks for the smallest change of each setting that keeps them "
        "where a use first failed, or at --at, and tells the tokens it costs.\n\n"
        "Calls are numbered from 1, messages (#) from 0."
    )
)
@session_file
@click.argument("text")
@session_option
@click.option(
    "--at",
    type=int,
    metavar="CALL_INDEX",
    help=_("Message index of a call point, as `replay` prints it."),
)
@preset_option
@config_option
@click.option("--remedies", "heals", is_flag=True, help=_("The settings that would keep it."))
@model_options
@json_option
def fact(
    *,
    file: Path,
    text: str,
    session: str | None,
    at: int | None,
    preset: str,
    config_file: Path | None,
    heals: bool,
    as_json: bool,
    **model: Unpack[ModelOptions],
) -> None:
    """Print the lifeline of one fact."""
    config = chosen_config(preset, config_file)
    if heals:
        _check_summarizer(config)
    chosen = chosen_session(file, session)
    summarizer = chosen_summarizer(config, model)
    with progressing(_("reading")) as progress:
        index = Index(chosen.messages, progress=progress)
    subject = follow(index, text)
    with progressing(_("replaying")) as progress:
        result = replay_session(chosen.messages, config, summarizer=summarizer, progress=progress)
    life = lifeline(result, index, subject)
    asked = None if at is None else _span_at(life, result, at)
    missed = at if at is not None else _first_missed(life)
    found = _remedies(result, index, subject, life, missed) if heals else ()
    if as_json:
        about = {"session": chosen.id, "config": config.changed()}
        place = {} if asked is None else {"at": {"message": at, "form": asked.form}}
        healing = {"remedies_at": missed, "remedies": [_healed(one) for one in found]}
        print_json({**about, **_lived(life), **place, **(healing if heals else {})})
    else:
        _print(life)
        if asked is not None:
            click.echo(_("at #{at}: {form}").format(at=at, form=asked.form))
        _print_remedies(found, missed)
    tell_failures(result.plans)


def _check_summarizer(config: MemoryConfig) -> None:
    if config.summarizer == "model":
        raise InvalidConfig(
            _(
                "--remedies replays the session dozens of times and does not ask a model that "
                "often: leave it out, or choose another summarizer"
            )
        )


def _span_at(life: Lifeline, result: Replay, at: int) -> Span:
    call = result.plan_at(at).ordinal
    for span in life.spans:
        if span.first <= call <= span.last:
            return span
    raise NotSaid(
        _("{text!r} is first said in #{said}, after the call at #{at}").format(
            text=life.text[:LONGEST], said=life.said[0], at=at
        )
    )


def _remedies(
    result: Replay, index: Index, subject: Subject, life: Lifeline, at: int | None
) -> tuple[Remedy, ...]:
    """What keeps it at a call point; where there is nothing to keep, a note says why."""
    if at is None:
        note(_("no use failed: nothing to change; --at asks for any call"))
        return ()
    if _span_at(life, result, at).form is not Form.GONE:
        note(_("it stands in the window of the call at #{at}: nothing to change").format(at=at))
        return ()
    with progressing(_("trying settings")) as progress:
        found = remedies(result, index, subject, at, progress=progress)
    if not found:
        note(_("no single setting keeps it at #{at}").format(at=at))
    return found


def _first_missed(life: Lifeline) -> int | None:
    """The first message that needed it in vain."""
    return next((use.at for use in life.uses if not use.is_met), None)


def _lived(life: Lifeline) -> dict[str, Any]:
    """A lifeline as plain JSON data; calls from 1, messages from 0."""
    return {
        "text": life.text,
        "said": life.said,
        "spans": [
            {**asdict(span), "first": span.first + 1, "last": span.last + 1} for span in life.spans
        ],
        "uses": [
            {"call": use.call + 1, "message": use.at, "form": use.form, "met": use.is_met}
            for use in life.uses
        ],
    }


def _healed(remedy: Remedy) -> dict[str, Any]:
    return {
        "field": remedy.field,
        "value": remedy.value,
        "form": remedy.form,
        "extra_tokens": remedy.extra_tokens,
        "extra_share": remedy.extra_share,
    }


def _print(life: Lifeline) -> None:
    said = " ".join(f"#{index}" for index in life.said[:MOST_SAID])
    more = len(life.said) - MOST_SAID
    if more > 0:
        said += " " + _("and {n:,} more").format(n=more)
    click.echo(_("{text}: said in {said}").format(text=shortened(life.text, LONGEST), said=said))
    if not life.spans:
        click.echo(_("  no call comes after that"))
    for span in life.spans:
        calls = _calls(span)
        where = f"#{span.message}"
        click.echo(f"  {calls:<16} {span.form:<9} {where:>6}  {on_one_line(span.reason)}")
    for use in life.uses:
        click.echo(_use(use))


def _calls(span: Span) -> str:
    if span.first == span.last:
        return _("call {first}").format(first=span.first + 1)
    return _("calls {first}-{last}").format(first=span.first + 1, last=span.last + 1)


def _use(use: Use) -> str:
    told = _("needed at call {call} (#{at}): met, {form}")
    if not use.is_met:
        told = _("needed at call {call} (#{at}): lost")
    return told.format(call=use.call + 1, at=use.at, form=use.form)


def _print_remedies(found: Sequence[Remedy], at: int | None) -> None:
    if found:
        click.echo(
            _("what keeps it at #{at}, each alone, and the tokens of all calls up to there").format(
                at=at
            )
        )
    for one in found:
        change = f"{one.field} = {json.dumps(one.value)}"
        cost = _("{tokens:+,} tokens ({share:+.1f} %), then {form}").format(
            tokens=one.extra_tokens, share=100 * one.extra_share, form=one.form
        )
        click.echo(f"  {change:<34} {cost}")
