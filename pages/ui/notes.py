"""A model's summaries as one visitor has them: the endpoint, the answers, the asking."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from memory_core.config import MemoryConfig
from memory_core.endpoint import Endpoint, completing
from memory_core.endpoint.address import tidied
from memory_core.errors import Cancelled
from memory_core.gauge import Gauge
from memory_core.messages import ChatMessage
from memory_core.prompt import Complete, Prompt, Recorded, UntilFailure, refuse
from memory_core.replay import replay
from memory_core.summarizing.cleaning import holds_facts
from memory_core.summarizing.folding import FoldingSummarizer, fold_of
from memory_core.summarizing.request import SummaryRequest
from memory_core.summarizing.transcript import Sizes
from memory_core.texts import _
from pages.ui.failing import told

DEFAULT_MODEL: Final = Endpoint.model_fields["model"].default
END_SECONDS: Final = 1.0
"""The longest a cancel waits; asking ends within a tenth of that, planning a little later."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """What was open when a model was asked: the file's hash, its session, and the config."""

    digest: str
    session: str
    config: MemoryConfig
    name: str = field(compare=False)
    """The session as a person knows it."""


@dataclass
class Notes:
    """What a visitor set and what was answered; `answers` are by the digest of their prompt."""

    base_url: str = ""
    model: str = DEFAULT_MODEL
    key_variable: str = ""
    answers: dict[str, str] = field(default_factory=dict[str, str])
    asking: Asking | None = None
    occasion: Occasion | None = None
    """What it is, or was, asked for."""

    @property
    def source(self) -> str:
        """Who answers: address and model."""
        return f"{tidied(self.base_url)} {self.model.strip()}"

    def looking(self, config: MemoryConfig) -> FoldingSummarizer:
        """The summariser that takes only what was answered, and asks nobody."""
        return self.summarizer(config, refuse)

    def prompts(self, request: SummaryRequest, config: MemoryConfig) -> list[str]:
        """The very prompts of a summary, as far as the answers to the earlier ones are known."""
        found: list[str] = []
        fold = fold_of(request, language=config.summary_heading, sizes=Sizes())
        while fold.prompt is not None:
            found.append(_written(fold.prompt))
            answer = self.answers.get(fold.prompt.digest(self.source))
            if answer is None:
                break
            fold = fold.answered(answer)
        return found

    def summarizer(self, config: MemoryConfig, complete: Complete) -> FoldingSummarizer:
        """One that asks `complete` for what was not answered."""
        recorded = Recorded(complete, self.answers, self.source, holds_facts)
        return FoldingSummarizer(recorded, language=config.summary_heading)


class Asking:
    """Asks a model for all summaries of a session, in a thread of its own.

    It ends early when it is stopped, or `is_wanted` no longer holds; answers that came stay.
    """

    def __init__(
        self,
        notes: Notes,
        endpoint: Endpoint,
        messages: tuple[ChatMessage, ...],
        config: MemoryConfig,
        *,
        calls: int,
        is_wanted: Callable[[], bool],
    ) -> None:
        self.calls = calls
        """About how often the model will be asked."""
        self.answered = 0
        self.failure = ""
        """Why it ended early, in words; "" where it did not."""
        self._stop = threading.Event()
        self._is_wanted = is_wanted
        self._complete = UntilFailure(completing(endpoint, cancelled=self._is_over))
        self._summarize = notes.summarizer(config, self._counted)
        self._messages = messages
        self._config = config
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether it still asks."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """End it, mostly at once."""
        self._stop.set()
        self._thread.join(END_SECONDS)

    def _is_over(self) -> bool:
        return self._stop.is_set() or not self._is_wanted()

    def _counted(self, prompt: Prompt) -> str:
        answer = self._complete(prompt)
        self.answered += 1
        return answer

    def _run(self) -> None:
        with told(self._fail):
            # A gauge of its own: the page counts with its own at the same time.
            found = replay(
                self._messages,
                self._config,
                summarizer=self._summarize,
                gauge=Gauge(self._config),
                progress=self._look,
            )
            failures = [plan.failure for plan in found.plans if plan.failure]
            self.failure = failures[0] if failures else ""

    def _look(self, _done: int, _total: int) -> None:
        if self._is_over():
            raise Cancelled(_("Called off. Summaries that were written stay."))

    def _fail(self, reason: str) -> None:
        self.failure = reason


def _written(prompt: Prompt) -> str:
    return "\n\n".join(f"[{message.role}]\n{message.text}" for message in prompt.messages)
