"""`window`: the exact messages of one call point."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Unpack

import click

from memory_core.commands.arguments import (
    chosen_config,
    chosen_session,
    config_option,
    json_option,
    note,
    preset_option,
    print_json,
    session_file,
    session_option,
)
from memory_core.commands.asking import (
    ModelOptions,
    chosen_summarizer,
    model_options,
    tell_failures,
)
from memory_core.manager import compress
from memory_core.messages import ChatMessage
from memory_core.replay import call_points
from memory_core.replay import replay as replay_session
from memory_core.report import Report
from memory_core.stages import Stage, remark
from memory_core.stages import stages as stages_of
from memory_core.summarizing import SummaryRequest
from memory_core.texts import _, ngettext


@click.command(
    help=_(
        "Print the messages that would have been sent at one call point, in OpenAI chat form, with "
        "the report and the summary. --at takes a message index that `replay` prints; --stages "
        "shows what each step of the pipeline left instead of the messages."
    )
)
@session_file
@session_option
@click.option("--at", type=int, help=_("Message index of the call point. Default: the last."))
@preset_option
@config_option
@click.option(
    "--fresh", is_flag=True, help=_("As one compaction, with no memory of earlier calls.")
)
@click.option(
    "--stages",
    is_flag=True,
    help=_("Tokens, messages and time after each step; with --json beside the messages."),
)
@model_options
@json_option
def window(
    *,
    file: Path,
    session: str | None,
    at: int | None,
    preset: str,
    config_file: Path | None,
    fresh: bool,
    stages: bool,
    as_json: bool,
    **model: Unpack[ModelOptions],
) -> None:
    """Print one window."""
    if fresh and stages:
        raise click.UsageError(_("--stages shows a call of a replay: leave out --fresh"))
    config = chosen_config(preset, config_file)
    messages = chosen_session(file, session).messages
    points = call_points(messages)
    summarizer = chosen_summarizer(config, model)
    result = replay_session(
        messages,
        config,
        summarizer=_unasked if fresh else summarizer,
        until=points[-1] if at is None else at,
        clock=time.perf_counter,
    )
    report = result.report(result.plans[-1])
    if fresh:
        report = compress(messages[: report.plan.at], config, summarizer=summarizer)
    shown = stages_of(result, report.plan, clock=time.perf_counter) if stages else ()
    if as_json:
        print_json(
            {
                "messages": [
                    _sent(message, keep=config.keep_thinking) for message in report.messages
                ],
                "report": report.to_dict(),
                "summary": report.summary,
                **({"stages": [asdict(stage) for stage in shown]} if stages else {}),
            }
        )
    elif stages:
        _print_stages(shown)
    else:
        _print(report)
    tell_failures([report.plan])


def _unasked(request: SummaryRequest) -> str:  # noqa: ARG001 - a summariser takes a request
    """No summary: a replay that only looks for its call point needs none."""
    return ""


def _print(report: Report) -> None:
    for message in report.messages:
        calls = " ".join(f"{call.name}({call.arguments})" for call in message.tool_calls)
        click.echo(f"── {message.role} {message.name or message.tool_call_id or ''}".rstrip())
        click.echo("\n".join(part for part in (message.text, calls) if part))
    note(
        ngettext(
            "{total:,} tokens of {raw:,}, the whole history before this call; {n:,} message",
            "{total:,} tokens of {raw:,}, the whole history before this call; {n:,} messages",
            len(report.messages),
        ).format(total=report.total_tokens, raw=report.plan.raw_tokens, n=len(report.messages))
    )


def _print_stages(stages: Sequence[Stage]) -> None:
    click.echo(f"{_('stage'):<10} {_('tokens'):>12} {_('messages'):>9} {_('ms'):>9}")
    for stage in stages:
        took = "-" if stage.milliseconds is None else f"{stage.milliseconds:,.2f}"
        click.echo(
            f"{stage.name:<10} {stage.tokens:>12,} {stage.messages:>9,} {took:>9}  {remark(stage)}"
        )


def _sent(message: ChatMessage, *, keep: bool) -> dict[str, object]:
    return message.to_openai(keep_thinking=keep)
