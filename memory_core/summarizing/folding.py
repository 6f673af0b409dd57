"""The summariser that asks a model: each message is sent once, joined to the summary before."""

from __future__ import annotations

from dataclasses import dataclass, replace

from memory_core.config import SummaryHeading
from memory_core.prompt import Complete, Prompt
from memory_core.summarizing.cleaning import cleaned
from memory_core.summarizing.clip import clip
from memory_core.summarizing.prompting import prompt_for
from memory_core.summarizing.request import SummaryRequest
from memory_core.summarizing.transcript import Sizes, chunk_from


@dataclass(frozen=True, slots=True)
class Fold:
    """How far a request has been answered: `text` stands for its first `done` new messages."""

    request: SummaryRequest
    language: SummaryHeading
    sizes: Sizes
    text: str
    done: int
    prompt: Prompt | None
    """What to ask next; None at the end."""
    end: int
    """How many new messages the answer to `prompt` will stand for."""

    def answered(self, answer: str) -> Fold:
        """The fold after a model's answer; at its end, with no text, where that holds no fact."""
        known = {one.index for one in self.request.behind}
        text = clip(cleaned(answer, known), self.request.cap, self.request.count)
        if not text:
            return replace(self, text="", prompt=None)
        return fold_of(
            self.request, language=self.language, sizes=self.sizes, text=text, done=self.end
        )


def fold_of(
    request: SummaryRequest,
    *,
    language: SummaryHeading,
    sizes: Sizes,
    text: str | None = None,
    done: int = 0,
) -> Fold:
    """The fold of a request, begun anew or where `text` stands for its first `done` messages."""
    text = request.previous if text is None else text
    chunk = chunk_from(request.new, done, sizes=sizes, count=request.count)
    while not chunk.text and chunk.end < len(request.new):
        chunk = chunk_from(request.new, chunk.end, sizes=sizes, count=request.count)
    prompt = (
        prompt_for(chunk.text, previous=text, cap=request.cap, language=language)
        if chunk.text
        else None
    )
    return Fold(request, language, sizes, text, done, prompt, chunk.end)


class FoldingSummarizer:
    """A folding `Summarizer`: joins the previous summary with what is new by asking a model.

    Make one for each conversation. It remembers how far it has come: where a later chunk fails, or
    the summary is not taken, the next request goes on from there and sends no answered message
    again. `language` is what the model is asked in; sizes are tokens by the request's counter.
    """

    def __init__(
        self,
        complete: Complete,
        *,
        language: SummaryHeading,
        chunk_tokens: int = Sizes().chunk_tokens,
        message_tokens: int = Sizes().message_tokens,
    ) -> None:
        self._complete = complete
        self._language: SummaryHeading = language
        self._sizes = Sizes(chunk_tokens, message_tokens)
        self._last: Fold | None = None

    def __call__(self, request: SummaryRequest) -> str:
        fold = self._begun(request)
        while fold.prompt is not None:
            fold = fold.answered(self._complete(fold.prompt))
            if fold.text:
                self._last = fold
        return clip(fold.text, request.cap, request.count)

    def _begun(self, request: SummaryRequest) -> Fold:
        last = self._last
        if last is None or not _goes_on(last, request):
            return fold_of(request, language=self._language, sizes=self._sizes)
        return fold_of(
            request, language=self._language, sizes=self._sizes, text=last.text, done=last.done
        )


def _goes_on(last: Fold, request: SummaryRequest) -> bool:
    """True where a request repeats, and maybe extends, one that was answered up to `last`."""
    answered, asked = last.request.new[: last.done], request.new[: last.done]
    return last.request.previous == request.previous and tuple(answered) == tuple(asked)
