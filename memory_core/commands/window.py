"""`window`: the exact messages of one call point."""

from __future__ import annotations

from pathlib import Path

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
from memory_core.manager import compress
from memory_core.messages import ChatMessage
from memory_core.replay import call_points
from memory_core.replay import replay as replay_session
from memory_core.report import Report
from memory_core.texts import _


@click.command(
    help=_(
        "Print the messages that would have been sent at one call point, in OpenAI chat form, with "
        "the report and the summary. --at takes a message index that `replay` prints."
    )
)
@session_file
@session_option
@click.option("--at", type=int, help=_("Message index of the call point. Default: the last."))
@config_option
@click.option(
    "--fresh", is_flag=True, help=_("As one compaction, with no memory of earlier calls.")
)
@json_option
def window(
    *,
    file: Path,
    session: str | None,
    at: int | None,
    config_file: Path | None,
    fresh: bool,
    as_json: bool,
) -> None:
    """Print one window."""
    config = chosen_config(config_file)
    messages = chosen_session(file, session).messages
    points = call_points(messages)
    result = replay_session(messages, config, until=points[-1] if at is None else at)
    report = result.report(result.plans[-1])
    if fresh:
        report = compress(messages[: report.plan.at], config)
    if as_json:
        print_json(
            {
                "messages": [
                    _sent(message, keep=config.keep_thinking) for message in report.messages
                ],
                "report": report.to_dict(),
                "summary": report.summary,
            }
        )
        return
    _print(report)


def _print(report: Report) -> None:
    for message in report.messages:
        calls = " ".join(f"{call.name}({call.arguments})" for call in message.tool_calls)
        click.echo(f"── {message.role} {message.name or message.tool_call_id or ''}".rstrip())
        click.echo("\n".join(part for part in (message.text, calls) if part))
    note(
        _("{total:,} tokens of {raw:,}; {n} messages").format(
            total=report.total_tokens, raw=report.plan.raw_tokens, n=len(report.messages)
        )
    )


def _sent(message: ChatMessage, *, keep: bool) -> dict[str, object]:
    return message.to_openai(keep_thinking=keep)
