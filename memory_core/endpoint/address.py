"""Where a model is asked, under which name, with which key and how patiently."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final
from urllib.parse import urlsplit

import httpx
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    StrictInt,
    ValidationError,
    field_validator,
)

from memory_core.errors import EndpointError
from memory_core.texts import _

DEFAULT_MODEL: Final = "gpt-4o-mini"
URL_VARIABLE: Final = "OPENAI_BASE_URL"
KEY_VARIABLE: Final = "OPENAI_API_KEY"
LONGEST_ADDRESS: Final = 2000
"""Characters."""


class Endpoint(BaseModel):
    """An endpoint that speaks OpenAI's chat completions, as its clients are given one.

    `base_url` is what stands before `/chat/completions` and mostly ends in `/v1`. The key is in no
    text this value ever gives, refusals of a bad one included.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    base_url: str
    model: str = DEFAULT_MODEL
    key: SecretStr | None = None
    timeout_seconds: Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)] = 60.0
    """The longest silence, and the longest that one answer may go on."""
    attempts: Annotated[StrictInt, Field(ge=1, le=10)] = 3

    @field_validator("base_url")
    @classmethod
    def _read_url(cls, value: str) -> str:
        url = tidied(value)
        if not _is_address(url):
            raise ValueError(_("give an address such as http://localhost:11434/v1"))
        parts = urlsplit(url)
        if "@" in parts.netloc or parts.query or parts.fragment:
            raise ValueError(_("leave out user, password, query and fragment of the address"))
        return url

    @field_validator("model")
    @classmethod
    def _read_model(cls, value: str) -> str:
        if not value.strip() or not value.isprintable():
            raise ValueError(_("give the name of a model on one line"))
        return value.strip()

    @field_validator("key")
    @classmethod
    def _read_key(cls, value: SecretStr | None) -> SecretStr | None:
        text = value.get_secret_value().strip() if value is not None else ""
        if not all("!" <= character <= "~" for character in text):
            raise ValueError(_("a key is one line of letters, digits and signs without spaces"))
        return SecretStr(text) if text else None


def tidied(address: str) -> str:
    """A typed address as an `Endpoint` holds it: without slashes at its end, and space around."""
    return address.strip().rstrip("/")


def _is_address(url: str) -> bool:
    if not url.isprintable() or " " in url or len(url) > LONGEST_ADDRESS:
        return False
    try:
        read, parts = httpx.URL(url), urlsplit(url)
        # One library refuses empty labels, the other what no name may hold.
        is_named = bool((parts.hostname or "").encode("idna")) and parts.port != 0
        return is_named and read.scheme in ("http", "https")
    except (httpx.InvalidURL, ValueError):
        return False


def endpoint_from_environment(
    environ: Mapping[str, str], *, key_variable: str | None = None, **overrides: Any
) -> Endpoint:
    """The endpoint that OPENAI_BASE_URL and OPENAI_API_KEY name; `overrides` are its fields.

    An override that is None counts as not given. `key_variable` names another variable, which then
    has to be set; without it a missing key means an endpoint that needs none. Raises
    `EndpointError` naming field and reason, never the value.
    """
    if key_variable is not None and not environ.get(key_variable):
        raise EndpointError(
            _("the environment variable {name} is not set: it should hold the key").format(
                name=key_variable
            )
        )
    fields = {
        "base_url": environ.get(URL_VARIABLE),
        "key": environ.get(key_variable or KEY_VARIABLE),
        **{name: value for name, value in overrides.items() if value is not None},
    }
    if not fields["base_url"]:
        raise EndpointError(
            _("no address of a model: set {name} or give one, such as {example}").format(
                name=URL_VARIABLE, example="http://localhost:11434/v1"
            )
        )
    try:
        return Endpoint.model_validate(fields)
    except ValidationError as error:
        reasons = [
            f"{item['loc'][0]}: {item['msg'].removeprefix('Value error, ')}"
            for item in error.errors(include_url=False, include_input=False, include_context=False)
        ]
        raise EndpointError(
            _("not a usable endpoint: {reasons}").format(reasons="; ".join(reasons))
        ) from None
