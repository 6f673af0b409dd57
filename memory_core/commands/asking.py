"""The model that writes summaries: the options that name it, and the summariser they make."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TypedDict, TypeVar

import click

from memory_core.commands.arguments import note
from memory_core.config import MemoryConfig
from memory_core.errors import InvalidConfig
from memory_core.plan import Plan
from memory_core.prompt import UntilFailure
from memory_core.summarizing import Summarizer
from memory_core.summarizing.folding import FoldingSummarizer
from memory_core.texts import _, ngettext

Command = TypeVar("Command", bound=Callable[..., None])


class ModelOptions(TypedDict):
    """What `model_options` adds to a command."""

    endpoint: str | None
    endpoint_model: str | None
    key_variable: str | None


def model_options(command: Command) -> Command:
    """Add the options that name a model for summaries."""
    for option in (
        click.option(
            "--key-variable",
            metavar="NAME",
            help=_("Environment variable that holds its key. Default: OPENAI_API_KEY, if set."),
        ),
        click.option(
            "--endpoint-model",
            metavar="NAME",
            help=_("The model that writes summaries there. Default: gpt-4o-mini."),
        ),
        click.option(
            "--endpoint",
            metavar="URL",
            help=_(
                "OpenAI-compatible address of a model, such as http://localhost:11434/v1. It is "
                "sent messages where the config's summarizer is `model`."
            ),
        ),
    ):
        command = option(command)
    return command


def chosen_summarizer(config: MemoryConfig, options: ModelOptions) -> Summarizer | None:
    """What asks the model for the config's summaries, None where the config asks none."""
    new_summarizer = chosen_model(config, options)
    return new_summarizer() if new_summarizer else None


def chosen_model(config: MemoryConfig, options: ModelOptions) -> Callable[[], Summarizer] | None:
    """What makes a summariser that asks the model, one for each replay; None as above."""
    address = options["endpoint"]
    if config.summarizer != "model":
        if address is not None:
            note(
                _("--endpoint is not used: the config's summarizer is {name}").format(
                    name=config.summarizer
                )
            )
        return None
    if address is None:
        raise InvalidConfig(
            _("the config's summarizer is a model: say where it is with --endpoint URL")
        )
    from memory_core.endpoint import completing, endpoint_from_environment  # slow to import

    endpoint = endpoint_from_environment(
        os.environ,
        key_variable=options["key_variable"],
        base_url=address,
        model=options["endpoint_model"],
    )
    note(
        _("summaries: {model} at {address}").format(model=endpoint.model, address=endpoint.base_url)
    )
    return lambda: FoldingSummarizer(
        UntilFailure(completing(endpoint)), language=config.summary_heading
    )


def tell_failures(plans: Sequence[Plan]) -> None:
    """Say how often no summary came, and why at last; where none came, end with exit code 1."""
    failures = [plan.failure for plan in plans if plan.failure]
    if not failures:
        return
    note(
        ngettext(
            "no summary at {n} call: {reason}",
            "no summary at {n} calls, at last: {reason}",
            len(failures),
        ).format(n=len(failures), reason=failures[-1])
    )
    if all(plan.summary is None for plan in plans):
        click.get_current_context().exit(1)
