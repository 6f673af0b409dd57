"""What a refusal of an endpoint means, and which refusals are worth asking again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any, Final

import httpx
from pydantic import BaseModel, ConfigDict, ValidationError

from memory_core.endpoint.address import Endpoint
from memory_core.errors import EndpointError
from memory_core.prompt import Prompt
from memory_core.texts import _

PASSING: Final = frozenset({408, 409, 425, 429})
"""Statuses that may be gone at the next attempt, besides all from 500 on."""

LONGEST_WAIT: Final = 60.0
"""Seconds that an endpoint may ask to wait; where it asks for more it is not asked again."""

LONGEST_EXCERPT: Final = 160
_LONGEST_BODY: Final = 50_000
_QUOTED: Final = 24
_SHARED: Final = 6
"""Characters in a row that an error's text must not share with the request, and with the key."""


class Passing(EndpointError):
    """A failure that may be gone at the next attempt; `wait` is what the endpoint asked for."""

    def __init__(
        self, reason: str, *, status: int | None = None, wait: float | None = None
    ) -> None:
        self.wait = wait
        super().__init__(reason, status=status)


class _Details(BaseModel):
    model_config = ConfigDict(extra="ignore")

    message: str | None = None
    param: str | None = None
    code: str | int | None = None


class _Body(BaseModel):
    model_config = ConfigDict(extra="ignore")

    error: _Details | str | None = None
    message: str | None = None
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """A response that is no answer: its status, what it says, and how long it asks to wait."""

    status: int
    message: str
    param: str
    code: str
    wait: float | None

    def names(self, parameter: str) -> bool:
        """True where the request was refused because of this parameter of it."""
        is_about = self.param == parameter or f"'{parameter}'" in self.message
        return self.status in (400, 422) and is_about

    def error(self, endpoint: Endpoint, prompt: Prompt) -> EndpointError:
        """The error to raise; it holds neither the key nor a piece of the request."""
        reason = _advice(self.status).format(status=self.status, address=endpoint.base_url)
        said = _excerpt(self.message, endpoint, prompt)
        reason = f"{reason}: {said}" if said else reason
        is_passing = self.status in PASSING or self.status >= HTTPStatus.INTERNAL_SERVER_ERROR
        if not is_passing or self.code == "insufficient_quota":
            return EndpointError(reason, status=self.status)
        if self.wait is not None and self.wait > LONGEST_WAIT:
            asked = _("{reason} (it asks to wait {n:,.0f} seconds)").format(
                reason=reason, n=self.wait
            )
            return EndpointError(asked, status=self.status)
        return Passing(reason, status=self.status, wait=self.wait)


async def read_refusal(response: httpx.Response) -> Refusal:
    """The refusal in a response whose body has not been read yet."""
    details = _details(await _start(response))
    return Refusal(
        status=response.status_code,
        message=details.message or "",
        param=details.param or "",
        code=str(details.code or ""),
        wait=_asked_wait(response.headers),
    )


async def _start(response: httpx.Response) -> bytes:
    body = b""
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) > _LONGEST_BODY:
            break
    return body[:_LONGEST_BODY]


def _details(body: bytes) -> _Details:
    try:
        read = _Body.model_validate_json(body)
    except ValidationError:
        return _Details()
    if isinstance(read.error, _Details):
        return read.error
    return _Details(message=read.error or read.message or read.detail)


def _asked_wait(headers: Mapping[str, Any]) -> float | None:
    """Seconds of a Retry-After header, a number or a date; a date counts from the Date header."""
    asked = str(headers.get("retry-after", "")).strip()
    try:
        seconds = float(asked)
    except ValueError:
        seconds = _seconds_until(asked, str(headers.get("date", "")))
    return seconds if seconds is not None and seconds >= 0 else None


def _seconds_until(date: str, now: str) -> float | None:
    try:
        return (parsedate_to_datetime(date) - parsedate_to_datetime(now)).total_seconds()
    except (ValueError, TypeError):
        return None


def _advice(status: int) -> str:
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        return _("{address} refused the key ({status}): check the key and what it may use")
    if status in (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED):
        return _("{address} knows no such model or address ({status}): check both")
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return _("{address} takes no more requests for now ({status})")
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return _("{address} failed ({status})")
    if status < HTTPStatus.BAD_REQUEST:
        return _("{address} points to another address ({status}): give that one")
    return _("{address} refused the request ({status})")


def _excerpt(message: str, endpoint: Endpoint, prompt: Prompt) -> str:
    """The start of an error's text on one line, "" where it quotes key or request."""
    said = " ".join(message.split())[:LONGEST_EXCERPT]
    shown = "".join(character for character in said if character.isprintable())
    secrets = [] if endpoint.key is None else [endpoint.key.get_secret_value()]
    sent = [" ".join(one.text.split()) for one in prompt.messages]
    quotes = any(_quotes(shown, one, _SHARED) for one in secrets)
    return "" if quotes or any(_quotes(shown, one, _QUOTED) for one in sent) else shown


def _quotes(shown: str, text: str, length: int) -> bool:
    """Whether `length` characters in a row of `shown` stand in `text`, or all of a shorter one."""
    length = min(length, len(text))
    return length > 0 and any(
        shown[at : at + length] in text for at in range(len(shown) - length + 1)
    )
