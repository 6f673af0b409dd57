"""What a model is asked, as a value, and ways to ask that reach no model."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from typing import NoReturn

from memory_core.errors import NotAsked
from memory_core.messages import ChatMessage
from memory_core.texts import _


@dataclass(frozen=True, slots=True)
class Prompt:
    """The messages of one request, and the most tokens its answer may take."""

    messages: tuple[ChatMessage, ...]
    max_tokens: int

    def digest(self, source: str) -> str:
        """A name for this question to this `source`, on every machine and in every run the same."""
        sent = [message.to_openai() for message in self.messages]
        return hashlib.sha256(json.dumps([source, self.max_tokens, sent]).encode()).hexdigest()


Complete = Callable[[Prompt], str]
"""Returns the whole text of a model's answer. It raises where there is none."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A `Complete` that takes known answers from `answers` (by digest) and adds new ones.

    An answer that `is_usable` refuses is handed on and not kept, so that it can be asked anew.
    """

    complete: Complete
    answers: MutableMapping[str, str]
    source: str
    """Whose answers these are: address and model, as one text."""
    is_usable: Callable[[str], bool]

    def __call__(self, prompt: Prompt) -> str:
        digest = prompt.digest(self.source)
        answer = self.answers.get(digest)
        if answer is None:
            answer = self.complete(prompt)
            if self.is_usable(answer):
                self.answers[digest] = answer
        return answer


class UntilFailure:
    """A `Complete` that, once asking has failed, raises that failure without asking again.

    A replay has hundreds of call points behind each other: an endpoint that is down, or refuses
    the key, should be asked at one of them. Make a new one to try again.
    """

    def __init__(self, complete: Complete) -> None:
        self._complete = complete
        self._failure: Exception | None = None

    def __call__(self, prompt: Prompt) -> str:
        if self._failure is not None:
            raise self._failure.with_traceback(None)
        try:
            return self._complete(prompt)
        except Exception as error:
            self._failure = error
            raise


def refuse(prompt: Prompt) -> NoReturn:  # noqa: ARG001 - a `Complete` takes a prompt
    """A `Complete` that asks nobody: behind `Recorded`, only known answers are used."""
    raise NotAsked(_("the model has not been asked for this summary yet"))
