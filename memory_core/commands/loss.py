"""`loss`: what a config loses of a session, and what of it was needed again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, TypeVar, Unpack

import click

from memory_core.commands.arguments import (
    chosen_config,
    chosen_session,
    config_option,
    json_option,
    note,
    on_one_line,
    percent,
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
from memory_core.loss import Index, Loss, LostItem, Round, Share, lost_items, measure, needs_of
from memory_core.replay import replay as replay_session
from memory_core.texts import _, ngettext

MOST_ITEMS: Final = 10
"""Lost items that are printed; --json has all."""
_Name = TypeVar("_Name", bound=str)

LONGEST: Final = 60
"""Characters of an item on its line."""


@click.command(
    help=_(
        "Measure what the windows of a config keep of what the session needed again: ids, paths, "
        "dates, amounts and names that the assistant used at least 4 messages after they were last "
        "said. For an agent read the needed items kept and the tool calls with all they need, for "
        "a chat the words and the rare words: never one figure alone.\n\n"
        "It is a lower bound: the session is replayed as recorded. Calls are numbered from 1, "
        "messages (#) from 0. --json lists all lost items."
    )
)
@session_file
@session_option
@preset_option
@config_option
@model_options
@json_option
def loss(
    *,
    file: Path,
    session: str | None,
    preset: str,
    config_file: Path | None,
    as_json: bool,
    **model: Unpack[ModelOptions],
) -> None:
    """Print the figures and the items that were lost and needed most often."""
    config = chosen_config(preset, config_file)
    chosen = chosen_session(file, session)
    summarizer = chosen_summarizer(config, model)
    with progressing(_("reading")) as progress:
        index = Index(chosen.messages, progress=progress)
    with progressing(_("replaying")) as progress:
        result = replay_session(chosen.messages, config, summarizer=summarizer, progress=progress)
    with progressing(_("measuring")) as progress:
        found = measure(result, index, needs_of(index), progress=progress)
    lost = lost_items(found, index)
    if as_json:
        about = {"session": chosen.id, "config": config.changed()}
        items = [item.to_dict() for item in lost]
        print_json({**about, **found.to_dict(), "lost_items": items})
        note(_bound())
    else:
        head = ngettext("{session}: {n:,} call", "{session}: {n:,} calls", found.calls)
        click.echo(on_one_line(head.format(session=chosen.id, n=found.calls)))
        _print(found)
        _print_lost(lost)
        click.echo(_bound())
    tell_failures(result.plans)


def _bound() -> str:
    return _(
        "lower bound: the session is replayed as recorded; an agent that had lost something would "
        "have gone on otherwise"
    )


def _print(found: Loss) -> None:
    if found.is_agent:
        _print_items(found)
    recall = percent(found.word_recall)
    click.echo(f"{_('words kept, mean of all calls'):<30} {'':>18} {recall:>8}")
    _print_shares({_("rare words kept"): found.rare_words})
    if not found.is_agent:
        _print_items(found)
    _print_shares({_("items still there at the end"): found.salience})
    _print_shares({_("rules still there at the end"): found.rule_survival})
    _print_group(_("needed items kept, by messages since they were last said"), found.by_gap)
    _print_group(_("needed items kept, by kind"), found.by_kind)
    _print_rounds(found.rounds)
    thirds = ", ".join(f"{third} {count:,}" for third, count in found.places.items())
    stand = _("needed items stand, by third of the window: {thirds}").format(thirds=thirds)
    back = _(
        "to get lost items back, each source once: {refetch:,} tokens of tool calls, {asked:,} of "
        "what somebody says again"
    ).format(refetch=found.refetch_tokens, asked=found.question_tokens)
    click.echo(f"\n{stand}\n{back}\n")


def _print_items(found: Loss) -> None:
    _print_shares({_("needed items kept"): found.needs})
    if found.is_agent:
        _print_shares({_("tool calls with all they need"): found.actions})


def _print_shares(shares: Mapping[_Name, Share], *, indent: str = "") -> None:
    for name, share in shares.items():
        click.echo(f"{indent + name:<30} {_counts(share):>18} {percent(share.ratio):>8}")


def _print_group(title: str, shares: Mapping[_Name, Share]) -> None:
    click.echo(f"\n{title}")
    _print_shares(shares, indent="  ")


def _counts(share: Share) -> str:
    return _("{kept:,} of {of:,}").format(kept=share.kept, of=share.of)


def _print_rounds(rounds: Sequence[Round]) -> None:
    if not rounds:
        return
    title = ngettext(
        "{n} compaction, and what it left",
        "{n} compactions, and what the first, the middle and the last left",
        len(rounds),
    )
    click.echo(f"\n{title.format(n=len(rounds))}")
    heads = (_("items said so far"), _("words"), _("needed until the next"))
    click.echo(f"  {'':<28} {heads[0]:>27} {heads[1]:>8} {heads[2]:>27}")
    for number in sorted({0, (len(rounds) - 1) // 2, len(rounds) - 1}):
        one = rounds[number]
        call = _("{number}, call {call}").format(number=number + 1, call=one.call + 1)
        items, needs = (
            f"{_counts(share):>18} {percent(share.ratio):>8}" for share in (one.said, one.needs)
        )
        click.echo(f"  {call:<28} {items} {percent(one.words):>8} {needs}")


def _print_lost(lost: Sequence[LostItem]) -> None:
    if not lost:
        click.echo(_("nothing that was needed is lost") + "\n")
        return
    title = ngettext(
        "{n} lost item was needed", "{n} lost items were needed, these most often", len(lost)
    )
    click.echo(title.format(n=len(lost)))
    click.echo(_("  times  last said    gap  first lost at call  kind      item"))
    for item in lost[:MOST_ITEMS]:
        need = item.first.need
        click.echo(
            f"  {item.times:>5} {f'#{need.last}':>10} {need.gap:>6} {need.call + 1:>19}"
            f"  {item.kind:<8}  {shortened(item.text, LONGEST)}"
        )
    click.echo()
