"""What a model is asked, as a value, and ways to ask that reach no model."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from typing import NoReturn

from memory_core.errors import EndpointError, NotAsked
from memory_core.messages import ChatMessage
from memory_core.texts import _


@dataclass(frozen=True, slots=True)
class Prompt:
    """The messages of one request, and the most tokens its answer may take."""

    messages: tuple[ChatMessage, ...]
    max_tokens: int

    def digest(self, model: str) -> str:
        """A name for this question to this model, the same on every machine and in every run."""
        sent = [message.to_openai() for message in self.messages]
        return hashlib.sha256(json.dumps([model, self.max_tokens, sent]).encode()).hexdigest()


Complete = Callable[[Prompt], str]
"""Returns the whole text of a model's answer. It raises where there is none."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A `Complete` that takes known answers from `answers` (by digest) and adds new ones."""

    complete: Complete
    answers: MutableMapping[str, str]
    model: str

    def __call__(self, prompt: Prompt) -> str:
        digest = prompt.digest(self.model)
        known = self.answers.get(digest)
        if known is None:
            known = self.answers[digest] = self.complete(prompt)
        return known


class UntilFailure:
    """A `Complete` that, once its endpoint has failed, raises that failure without asking again.

    A replay has hundreds of call points behind each other: an endpoint that is down, or refuses
    the key, should be asked at one of them. Make a new one to try again.
    """

    def __init__(self, complete: Complete) -> None:
        self._complete = complete
        self._reason = ""
        self._status: int | None = None

    def __call__(self, prompt: Prompt) -> str:
        if self._reason:
            raise EndpointError(self._reason, status=self._status)
        try:
            return self._complete(prompt)
        except EndpointError as error:
            self._reason, self._status = str(error), error.status
            raise


def refuse(prompt: Prompt) -> NoReturn:  # noqa: ARG001 - a `Complete` takes a prompt
    """A `Complete` that asks nobody: behind `Recorded`, only known answers are used."""
    raise NotAsked(_("the model has not been asked for this summary yet"))
