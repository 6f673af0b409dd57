"""Reading one answer of chat completions: whole, streamed, cut off, or none at all."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

import httpx
from httpx_sse import EventSource, SSEError
from pydantic import BaseModel, ConfigDict, ValidationError

from memory_core.errors import EndpointError
from memory_core.texts import _

DONE: Final = "[DONE]"
LEAST_BYTES: Final = 1_000_000
BYTES_PER_TOKEN: Final = 2_000
"""More than any server spends on a streamed token, names and padding included."""


class Broken(Exception):
    """The answer ended or went wrong on its way, so that only a part of it is here."""


class _Said(BaseModel):
    model_config = ConfigDict(extra="ignore")

    content: str | None = None


class _Choice(BaseModel):
    model_config = ConfigDict(extra="ignore")

    index: int = 0
    delta: _Said | None = None
    message: _Said | None = None
    finish_reason: str | None = None


class _Fault(BaseModel):
    model_config = ConfigDict(extra="ignore")

    message: str = ""


class _Piece(BaseModel):
    """One event of a stream, or a whole answer: the two differ only in where the text stands."""

    model_config = ConfigDict(extra="ignore")

    choices: tuple[_Choice, ...] | None = None
    error: _Fault | str | None = None


class _Bounded(httpx.AsyncByteStream):
    """The body of a response, never more than so many bytes."""

    def __init__(self, response: httpx.Response, *, most: int) -> None:
        self._response = response
        self._most = most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = self._most
        async for piece in self._response.aiter_bytes():
            left -= len(piece)
            if left < 0:
                raise EndpointError(_("the answer was far longer than was asked for"))
            yield piece


async def read_answer(response: httpx.Response, *, max_tokens: int) -> str:
    """The text of a successful response, streamed or not.

    Raises `Broken` where the answer stopped on its way, `EndpointError` where asking again would
    not help: no text, a text held back, one without end, something else than an answer.
    """
    kind = response.headers.get("content-type", "").lower()
    body = _Bounded(response, most=LEAST_BYTES + BYTES_PER_TOKEN * max_tokens)
    # Without its charset: JSON and events are UTF-8, and a made-up one fails in many ways.
    bounded = httpx.Response(200, headers={"content-type": kind.split(";")[0]}, stream=body)
    pieces = _streamed(bounded) if "text/event-stream" in kind else _whole(bounded)
    texts: list[str] = []
    finish: str | None = None
    async for choice in pieces:
        said = choice.delta or choice.message
        texts.append((said.content if said else None) or "")
        finish = choice.finish_reason or finish
    return _complete("".join(texts), finish, max_tokens)


async def _streamed(response: httpx.Response) -> AsyncIterator[_Choice]:
    has_ended = False
    try:
        async for event in EventSource(response).aiter_sse():
            if event.data.strip() == DONE:
                has_ended = True
                break
            choice = _choice(event.data) if event.data.strip() else None
            if choice is not None:
                has_ended = has_ended or choice.finish_reason is not None
                yield choice
    except SSEError as error:
        raise _not_an_answer() from error
    if not has_ended:
        raise Broken(_("the answer broke off before its end"))


async def _whole(response: httpx.Response) -> AsyncIterator[_Choice]:
    choice = _choice(await response.aread())
    if choice is not None:
        yield choice


def _choice(text: str | bytes) -> _Choice | None:
    """The first choice of a piece, if it has one."""
    try:
        piece = _Piece.model_validate_json(text)
    except ValidationError:
        raise _not_an_answer() from None
    if piece.error is not None:
        raise Broken(_("the endpoint reported an error instead of an answer"))
    if piece.choices is None:
        raise _not_an_answer()
    return next((choice for choice in piece.choices if choice.index == 0), None)


def _complete(text: str, finish: str | None, max_tokens: int) -> str:
    if finish == "content_filter":
        raise EndpointError(_("the endpoint's content filter held the answer back"))
    if text.strip():
        return text
    if finish == "length":
        raise EndpointError(
            _(
                "the model used up its {n:,} tokens before it answered: models that think first "
                "need a larger summary, or choose one that does not"
            ).format(n=max_tokens)
        )
    raise EndpointError(_("the model answered with no text"))


def _not_an_answer() -> EndpointError:
    return EndpointError(
        _("what came back is no answer of chat completions: check the address (mostly …/v1)")
    )
