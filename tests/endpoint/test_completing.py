"""Asking a real server on this machine: answers, retries, an end to waiting."""

from __future__ import annotations

import threading
import traceback
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from memory_core.endpoint.refusing import LONGEST_WAIT
from memory_core.errors import Cancelled, EndpointError
from tests.endpoint.asking import KEY, OK, OK_TEXT, PROMPT, asking, failure
from tests.endpoint.model_server import (
    Endless,
    Refused,
    Reply,
    Silent,
    Streamed,
    Whole,
)


@pytest.mark.parametrize(
    "reply",
    [
        OK,
        Streamed(OK.pieces, finish=None),
        Streamed(OK.pieces, closes_with=""),
        Streamed(OK.pieces, closes_with=": ping\n\nevent: end\ndata:\n\ndata: [DONE]\n\n"),
        Whole(OK_TEXT),
        Streamed(OK.pieces, finish="length"),
        Whole(OK_TEXT, finish="length"),
    ],
)
def test_an_answer_comes_back_whole_streamed_or_not(reply: Reply) -> None:
    with asking(reply) as asked:
        assert asked.complete(PROMPT) == OK_TEXT
    assert asked.slept == []


def test_the_request_is_one_of_chat_completions() -> None:
    with asking(OK) as asked:
        asked.complete(PROMPT)
    (sent,) = asked.server.asked
    assert sent.path == "/v1/chat/completions"
    assert sent.headers["Authorization"] == f"Bearer {KEY}"
    assert sent.body == {
        "model": "small",
        "messages": [message.to_openai() for message in PROMPT.messages],
        "max_tokens": 50,
        "temperature": 0,
        "stream": True,
    }


def test_without_a_key_none_is_sent() -> None:
    with asking(OK, key=None) as asked:
        asked.complete(PROMPT)
    assert "Authorization" not in asked.server.asked[0].headers


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
def test_a_failure_that_passes_is_tried_again(status: int) -> None:
    with asking(Refused(status), OK) as asked:
        assert asked.complete(PROMPT) == OK_TEXT
    assert len(asked.server.asked) == 2
    assert 1 <= sum(asked.slept) <= 2


def test_a_failure_that_stays_is_tried_as_often_as_the_endpoint_says_with_growing_waits() -> None:
    with asking(Refused(500), attempts=4) as asked:
        error = failure(asked)
    assert len(asked.server.asked) == 4
    assert error.status == 500
    assert "asked 4 times" in str(error)
    assert 7 <= sum(asked.slept) <= 10


def _dated(seconds: int) -> dict[str, str]:
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)
    later = now + timedelta(seconds=seconds)
    return {
        "Retry-After": format_datetime(later, usegmt=True),
        "Date": format_datetime(now, usegmt=True),
    }


@pytest.mark.parametrize(
    ("headers", "least", "most"),
    [
        ({"Retry-After": "7"}, 7, 7),
        ({"Retry-After": "0"}, 0, 0),
        ({"Retry-After": "2.5"}, 2.5, 2.5),
        ({"Retry-After": "-3"}, 1, 2),
        ({"Retry-After": "soon"}, 1, 2),
        ({"Retry-After": "nan"}, 1, 2),
        (_dated(9), 9, 9),
        (_dated(-9), 1, 2),
    ],
)
def test_a_rate_limit_is_waited_out_for_as_long_as_was_asked(
    headers: dict[str, str], least: float, most: float
) -> None:
    with asking(Refused(429, headers=headers), OK) as asked:
        assert asked.complete(PROMPT) == OK_TEXT
    assert least <= sum(asked.slept) <= most


@pytest.mark.parametrize("seconds", ["61", "86400", "inf"])
def test_a_wait_that_is_too_long_ends_it_and_is_named(seconds: str) -> None:
    with asking(Refused(429, headers={"Retry-After": seconds})) as asked:
        assert "asks to wait" in str(failure(asked))
    assert float(seconds) > LONGEST_WAIT
    assert asked.slept == []


def test_silence_is_a_timeout_and_tried_again() -> None:
    with asking(Silent(), OK, timeout_seconds=0.3) as asked:
        assert asked.complete(PROMPT) == OK_TEXT


def test_an_answer_that_drips_is_a_timeout_too() -> None:
    with asking(Endless(seconds=0.02), timeout_seconds=0.3, attempts=1) as asked:
        assert "longer than 0.3 seconds" in str(failure(asked))


@pytest.mark.parametrize(
    "reply",
    [
        Streamed(OK.pieces, is_cut=True),
        Streamed(OK.pieces, finish=None, closes_with=""),
        Streamed(
            OK.pieces,
            finish=None,
            closes_with='data: {"error": {"message": "overloaded"}}\n\ndata: [DONE]\n\n',
        ),
    ],
)
def test_half_an_answer_is_never_an_answer(reply: Reply) -> None:
    with asking(reply) as asked:
        failure(asked)
    assert len(asked.server.asked) == 3
    with asking(reply, OK) as asked:
        assert asked.complete(PROMPT) == OK_TEXT


@pytest.mark.parametrize("looks", [0, 1, 2, 3])
def test_it_can_be_called_off_before_between_and_during_attempts(looks: int) -> None:
    left = [False] * looks
    replies = [Refused(500), Endless(seconds=0.01)]
    with asking(*replies, cancelled=lambda: not left or left.pop()) as asked:
        with pytest.raises(Cancelled):
            asked.complete(PROMPT)
        assert len(asked.server.asked) <= 2


@pytest.mark.parametrize("reply", [Silent(), Endless(seconds=0.01)])
def test_called_off_while_the_endpoint_is_silent_or_drips_it_ends_at_once(reply: Reply) -> None:
    called_off = threading.Event()
    with asking(reply, cancelled=called_off.is_set, timeout_seconds=600) as asked:
        timer = threading.Timer(0.2, called_off.set)
        timer.start()
        with pytest.raises(Cancelled):
            asked.complete(PROMPT)
        timer.join()
        assert len(asked.server.asked) == 1


@pytest.mark.parametrize(
    "proxy",
    [
        "http://kim:{secret}@127.0.0.1:1",
        "http://kim:{secret}@[::1",
        "http://kim:{secret}@a\u2488b:1",
        "socks5://kim:{secret}@127.0.0.1:1",
        "none://kim:{secret}@127.0.0.1:1",
        "http://kim:{secret}@127.0.0.1:port",
    ],
)
def test_the_password_of_a_proxy_is_in_no_error(
    proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", "")
    monkeypatch.setenv("HTTP_PROXY", proxy.format(secret="hunter2-and-more"))
    with asking(OK, attempts=1) as asked:
        error = failure(asked)
        assert "hunter2" not in "".join(traceback.format_exception(error))
        assert asked.server.asked == []


def test_a_refused_connection_is_told_as_the_machine_tells_it() -> None:
    with asking(OK) as asked:
        address = asked.server.base_url
    with pytest.raises(EndpointError, match=f"no answer from {address}: Connection refused"):
        asked.complete(PROMPT)
