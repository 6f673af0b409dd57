"""Where a model is asked: bad addresses and keys are refused, and a key is never shown."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from memory_core.endpoint import Endpoint, endpoint_from_environment
from memory_core.errors import EndpointError

KEY = "not-a-real-key-4711"
URL = "http://localhost:11434/v1"


@pytest.mark.parametrize("given", [URL, URL + "/", URL + "//", f"  {URL}/ "])
def test_an_address_may_end_in_a_slash(given: str) -> None:
    assert Endpoint(base_url=given).base_url == URL


@pytest.mark.parametrize(
    "given",
    [
        "",
        "localhost:11434",
        "ftp://localhost/v1",
        "http:///v1",
        "http://localhost:99999/v1",
        "http://localhost:0/v1",
        "http://local host/v1",
        "http://local\nhost/v1",
        "http://a..b/v1",
        "http://-a.\u2488com/v1",
        "http://[::1/v1",
        "http://[1:2]/v1",
        "http://localhost/" + "v" * 2_000,
        f"http://kim:{KEY}@localhost/v1",
        f"http://kim:{KEY}",
        f"http://localhost/v1?key={KEY}",
        f"http://localhost/v1#{KEY}",
    ],
)
def test_what_is_no_plain_address_is_refused_without_being_shown(given: str) -> None:
    with pytest.raises(ValidationError) as refused:
        Endpoint(base_url=given)
    assert KEY not in str(refused.value)


@pytest.mark.parametrize("given", [f"{KEY} {KEY}", f"{KEY}\r\nX: 1", f"{KEY}키", "\x00" + KEY])
def test_a_key_that_fits_no_header_is_refused_without_being_shown(given: str) -> None:
    with pytest.raises(EndpointError, match="key: ") as refused:
        endpoint_from_environment({"OPENAI_API_KEY": given}, base_url=URL)
    assert KEY not in str(refused.value)
    assert refused.value.__cause__ is None


def test_a_key_is_in_no_text_of_the_endpoint() -> None:
    endpoint = endpoint_from_environment({"OPENAI_API_KEY": f" {KEY}\n"}, base_url=URL)
    assert endpoint.key is not None
    assert endpoint.key.get_secret_value() == KEY
    for text in (repr(endpoint), str(endpoint), endpoint.model_dump_json(), f"{endpoint!r:>9}"):
        assert KEY not in text


def test_the_environment_names_address_and_key_and_overrides_win() -> None:
    environ = {"OPENAI_BASE_URL": URL, "OPENAI_API_KEY": KEY, "MINE": "another-key"}
    assert endpoint_from_environment(environ).model == "gpt-4o-mini"
    endpoint = endpoint_from_environment(
        environ, key_variable="MINE", base_url="https://example.org/v1", model=None, attempts=2
    )
    assert endpoint.base_url == "https://example.org/v1"
    assert endpoint.model == "gpt-4o-mini"
    assert endpoint.attempts == 2
    assert endpoint.key is not None
    assert endpoint.key.get_secret_value() == "another-key"


def test_a_local_model_needs_no_key_but_a_named_variable_has_to_be_set() -> None:
    assert endpoint_from_environment({}, base_url=URL).key is None
    with pytest.raises(EndpointError, match="MINE is not set"):
        endpoint_from_environment({}, base_url=URL, key_variable="MINE")


def test_without_an_address_it_says_how_to_give_one() -> None:
    with pytest.raises(EndpointError, match="OPENAI_BASE_URL"):
        endpoint_from_environment({})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("attempts", 0),
        ("attempts", 99),
        ("timeout_seconds", 0),
        ("timeout_seconds", float("nan")),
        ("model", " "),
        ("model", "a\nb"),
        ("nonsense", 1),
    ],
)
def test_a_bad_field_is_refused_by_name(field: str, value: Any) -> None:
    with pytest.raises(EndpointError, match=field):
        endpoint_from_environment({}, **{"base_url": URL, field: value})
