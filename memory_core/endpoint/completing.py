"""Asking an endpoint: attempts, waits between them, and an end to both."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from concurrent.futures import wait
from typing import Final

import httpx
from anyio.from_thread import start_blocking_portal
from tenacity import (
    RetryCallState,
    Retrying,
    retry_if_exception_type,
    stop_after_attempt,
    wait_exponential_jitter,
)

from memory_core.endpoint.address import Endpoint
from memory_core.endpoint.reading import Broken, read_answer
from memory_core.endpoint.refusing import LONGEST_WAIT, Passing, read_refusal
from memory_core.errors import Cancelled, EndpointError
from memory_core.prompt import Complete, Prompt
from memory_core.texts import _, ngettext

INSTEAD: Final[Mapping[str, str | None]] = {
    "max_tokens": "max_completion_tokens",
    "temperature": None,
}
"""What to send where a model refuses a parameter: another one with the same value, or nothing."""

LOOK_SECONDS: Final = 0.125
"""Longest time between two looks at whether the answer is still wanted."""

Sleep = Callable[[float], None]


def completing(
    endpoint: Endpoint,
    *,
    sleep: Sleep = time.sleep,
    cancelled: Callable[[], bool] | None = None,
) -> Complete:
    """What asks `endpoint`: each prompt is one answer, whole, or an `EndpointError`.

    Failures that may pass (no connection, silence, 408, 409, 425, 429, 5xx, a broken stream) are
    tried again `endpoint.attempts` times in all, after a wait that doubles or that the endpoint
    asked for. `cancelled` is looked at eight times a second, also while the endpoint is silent;
    then the connection is closed and `Cancelled` is raised. No error tells the key, a piece of
    the request, or the proxy of this machine.
    """
    return _Asking(endpoint, sleep=sleep, cancelled=cancelled).complete


class _Asking:
    """Remembers which parameters the model refuses, so that it is told so once only."""

    def __init__(
        self, endpoint: Endpoint, *, sleep: Sleep, cancelled: Callable[[], bool] | None
    ) -> None:
        self._endpoint = endpoint
        self._sleep = sleep
        self._cancelled = cancelled
        self._names: dict[str, str | None] = {}
        self._wait = wait_exponential_jitter(initial=1, max=LONGEST_WAIT / 2, jitter=1)

    def complete(self, prompt: Prompt) -> str:
        retrying = Retrying(
            retry=retry_if_exception_type(Passing),
            stop=stop_after_attempt(self._endpoint.attempts),
            wait=self._pause,
            sleep=self._rest,
            reraise=True,
        )
        try:
            return retrying(self._attempt, prompt)
        except Passing as error:
            said = ngettext(
                "{reason}; asked {n} time. Try again later.",
                "{reason}; asked {n} times. Try again later.",
                self._endpoint.attempts,
            ).format(reason=error, n=self._endpoint.attempts)
            raise EndpointError(said, status=error.status) from error

    def _pause(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.wait if isinstance(error, Passing) else None
        return self._wait(state) if asked is None else asked

    def _rest(self, seconds: float) -> None:
        while seconds > 0:
            self._look()
            self._sleep(min(seconds, LOOK_SECONDS))
            seconds -= LOOK_SECONDS
        self._look()

    def _look(self) -> None:
        if self._cancelled is not None and self._cancelled():
            raise Cancelled(_("asking the model was called off"))

    def _attempt(self, prompt: Prompt) -> str:
        self._look()
        address = self._endpoint.base_url
        try:
            return self._answer(prompt)
        except httpx.TimeoutException:
            raise self._too_slow() from None
        except Broken as error:
            raise Passing(f"{address}: {error}") from None
        except httpx.RequestError as error:
            reason = _("no answer from {address}: {reason}")
            raise Passing(reason.format(address=address, reason=_why(error))) from None
        except (httpx.InvalidURL, ValueError, OSError, ImportError) as error:
            reason = _("{address} cannot be asked ({kind}): check it, and the proxy that is set")
            raise EndpointError(reason.format(address=address, kind=type(error).__name__)) from None

    def _answer(self, prompt: Prompt) -> str:
        """One attempt, looked at while it runs; leaving early closes its connection."""
        end = time.monotonic() + self._endpoint.timeout_seconds
        with start_blocking_portal() as portal:
            answer = portal.start_task_soon(self._ask, prompt)
            while not wait([answer], timeout=LOOK_SECONDS).done:
                self._look()
                if time.monotonic() > end:
                    raise self._too_slow()
            return answer.result()

    async def _ask(self, prompt: Prompt) -> str:
        """Asks, and asks anew only without a parameter that was refused."""
        async with httpx.AsyncClient(timeout=self._endpoint.timeout_seconds) as client:
            while True:
                async with client.stream(
                    "POST",
                    f"{self._endpoint.base_url}/chat/completions",
                    headers=self._headers(),
                    json=self._body(prompt),
                ) as response:
                    if response.is_success:
                        return await read_answer(response, max_tokens=prompt.max_tokens)
                    refusal = await read_refusal(response)
                refused = [name for name in INSTEAD.keys() - self._names if refusal.names(name)]
                if not refused:
                    raise refusal.error(self._endpoint, prompt)
                self._names |= {name: INSTEAD[name] for name in refused}

    def _too_slow(self) -> Passing:
        return Passing(
            _("{address} took longer than {n:g} seconds").format(
                address=self._endpoint.base_url, n=self._endpoint.timeout_seconds
            )
        )

    def _headers(self) -> dict[str, str]:
        headers = {"Accept": "text/event-stream, application/json"}
        if self._endpoint.key is not None:
            headers["Authorization"] = f"Bearer {self._endpoint.key.get_secret_value()}"
        return headers

    def _body(self, prompt: Prompt) -> dict[str, object]:
        asked: dict[str, object] = {"max_tokens": prompt.max_tokens, "temperature": 0}
        renamed = {self._names.get(name, name): value for name, value in asked.items()}
        return {
            "model": self._endpoint.model,
            "messages": [message.to_openai() for message in prompt.messages],
            "stream": True,
            **{name: value for name, value in renamed.items() if name is not None},
        }


def _why(error: httpx.RequestError) -> str:
    """What the machine says of a connection that failed: foreign texts may hold anything."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ConnectionError) and cause.errno:
            return os.strerror(cause.errno)
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror
        cause = cause.__cause__ or cause.__context__
    if isinstance(error, httpx.ProxyError):
        return _("the proxy refused")
    return _("the connection broke off")
