"""What is no answer is a failure with a reason, which shows neither key nor request."""

from __future__ import annotations

import logging
import socket

import pytest

from memory_core.endpoint import Endpoint, completing
from memory_core.endpoint.refusing import LONGEST_EXCERPT
from memory_core.errors import EndpointError
from tests.endpoint.asking import KEY, OK, OK_TEXT, PROMPT, SECRET_TEXT, asking, failure
from tests.endpoint.model_server import (
    Asked,
    Endless,
    Raw,
    Refused,
    Reply,
    Streamed,
    Whole,
)


@pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 405, 413, 422])
def test_a_refusal_that_stays_is_not_tried_again(status: int) -> None:
    with asking(Refused(status, "no, thank you")) as asked:
        error = failure(asked)
    assert len(asked.server.asked) == 1
    assert error.status == status
    assert str(status) in str(error)
    assert "no, thank you" in str(error)


def test_a_used_up_quota_is_not_a_rate_limit() -> None:
    with asking(Refused(429, code="insufficient_quota")) as asked:
        failure(asked)
    assert len(asked.server.asked) == 1


def test_an_endpoint_that_is_not_there_is_named() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{probe.getsockname()[1]}/v1"
        slept: list[float] = []
        complete = completing(Endpoint(base_url=address), sleep=slept.append)
        with pytest.raises(EndpointError, match=address):
            complete(PROMPT)
    assert sum(slept) > 0


@pytest.mark.parametrize(
    "reply",
    [
        Raw("data: {not json\n\n"),
        Raw("data: [1, 2]\n\n"),
        Raw('data: {"choices": [{"delta": {"content": 5}}]}\n\n'),
        Raw("<html>Welcome</html>", content_type="text/html"),
        Raw("{}", content_type="application/json"),
        Raw('{"choices": "none"}', content_type="application/json"),
    ],
)
def test_what_is_no_answer_is_said_to_be_none(reply: Reply) -> None:
    with asking(reply) as asked:
        assert "no answer of chat completions" in str(failure(asked))
    assert len(asked.server.asked) == 1


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Whole(None), "no text"),
        (Whole(" \n"), "no text"),
        (Raw('{"choices": []}', content_type="application/json"), "no text"),
        (Streamed([]), "no text"),
        (Streamed([], finish="length"), "used up its 50 tokens"),
        (Streamed(["half a"], finish="content_filter"), "content filter"),
        (Endless(text="가" * 9_000), "far longer"),
    ],
)
def test_an_answer_that_is_none_is_a_failure_with_a_reason(reply: Reply, said: str) -> None:
    with asking(reply) as asked:
        assert said in str(failure(asked))
    assert len(asked.server.asked) == 1


def test_a_parameter_that_the_model_refuses_is_left_out_from_then_on() -> None:
    def answer(asked: Asked) -> Reply:
        if "max_tokens" in asked.body:
            said = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
            return Refused(400, said, param="max_tokens", code="unsupported_parameter")
        if "temperature" in asked.body:
            return Refused(400, "Unsupported value", param="temperature")
        return OK

    with asking(answer=answer) as asked:
        assert [asked.complete(PROMPT), asked.complete(PROMPT)] == [OK_TEXT, OK_TEXT]
    assert len(asked.server.asked) == 4
    assert asked.server.asked[-1].body["max_completion_tokens"] == 50
    assert "max_tokens" not in asked.server.asked[-1].body
    assert asked.slept == []


def test_a_model_that_refuses_every_form_is_not_asked_for_ever() -> None:
    with asking(Refused(400, "bad value", param="max_tokens")) as asked:
        failure(asked)
    assert len(asked.server.asked) == 2


@pytest.mark.parametrize(
    ("said", "shows"),
    [
        ("The model `small` does not exist", True),
        ("long " * 2_000, True),
        ("long " * 20_000, False),
        (f"wrong key {KEY}", False),
        (f"wrong key {KEY[:8]}***", False),
        (f"cannot read: {SECRET_TEXT}", False),
        ("bad input: " + "x" * 60, False),
    ],
)
def test_what_an_endpoint_says_is_quoted_only_without_key_and_request(
    said: str, *, shows: bool
) -> None:
    with asking(Refused(400, said)) as asked:
        text = str(failure(asked))
    assert (said.strip()[:40] in text) == shows
    assert len(text) < LONGEST_EXCERPT + 100
    assert "\n" not in text


def test_a_key_is_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with asking(Refused(401, f"Incorrect API key provided: {KEY}")) as asked:
        failure(asked)
    assert KEY not in caplog.text
    assert SECRET_TEXT not in caplog.text
