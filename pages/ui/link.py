"""What the address bar carries: a sample's name or a file's hash, config and call point."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import urlencode, urlsplit

from memory_core.config import MemoryConfig, parse_config
from memory_core.errors import InvalidConfig
from memory_core.presets import ARTICLE, PRESETS
from memory_core.texts import _

LONGEST: Final = 8000
"""Characters of all parameters together: longer addresses are cut or refused on their way."""

_HASH: Final = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class Link:
    """A view that can be shared; it never holds paths or texts of a session.

    `session` is the 0-based place of the session in its file.
    """

    sample: str = ""
    upload: str = ""
    session: int = 0
    config: MemoryConfig = field(default_factory=MemoryConfig)
    preset: str = ""
    """The built-in preset that the config started from; "" = it is told by its values."""
    at: int | None = None
    fact: int | None = None
    """The number of the item that is followed, in the order in which the session says them."""


@dataclass(frozen=True, slots=True)
class Address:
    """A link as text, and what it could not hold: "" where it holds all."""

    url: str
    missing: str


def link_of(link: Link) -> dict[str, str]:
    """The query parameters of a link; what is as usual is left out.

    Where they would be too long, the pins are left out, or the whole config: `without` names it.
    """
    found = _written(link)
    shorter = {
        "pins": replace(link, config=link.config.model_copy(update={"pins": ()})),
        "config": replace(link, config=MemoryConfig()),
    }
    for what, rest in shorter.items():
        if len(urlencode(found)) <= LONGEST:
            break
        found = {**_written(rest), "without": what}
    return found


def address_of(page: str, link: Link) -> Address:
    """The address that opens a link on the page at `page`."""
    parameters = link_of(link)
    place = page if urlsplit(page).path else f"{page}/"
    without = parameters.get("without", "")
    return Address(f"{place}?{urlencode(parameters)}", _too_long(link.config).get(without, ""))


def parse_link(parameters: Mapping[str, str]) -> tuple[Link, list[str]]:
    """The link in query parameters, and what in them could not be read."""
    problems: list[str] = []
    preset = _preset(parameters.get("preset", ""), problems)
    link = Link(
        sample=parameters.get("sample", ""),
        upload=_hash(parameters.get("upload", ""), problems),
        session=_number("session", parameters, problems) or 0,
        config=_config(parameters, preset, problems),
        preset=preset,
        at=_number("at", parameters, problems),
        fact=_number("fact", parameters, problems),
    )
    if "without" in parameters:
        what = {"pins": _("pins"), "config": _("config")}.get(parameters["without"])
        problems.append(
            _("The link was too long for its {what}, which it leaves out.").format(what=what)
            if what
            else _("The link leaves out something unknown.")
        )
    return link, problems


def _written(link: Link) -> dict[str, str]:
    changed = link.config.changed()
    preset = link.preset if link.preset in PRESETS and link.preset != ARTICLE else ""
    # Beside a preset the config is always named, so that the figures stay if the preset changes.
    config = json.dumps(changed, ensure_ascii=False) if changed or preset else ""
    parameters = {
        "sample": link.sample,
        "upload": link.upload,
        "session": str(link.session) if link.session else "",
        "preset": preset,
        "config": config,
        "at": "" if link.at is None else str(link.at),
        "fact": "" if link.fact is None else str(link.fact),
    }
    return {name: value for name, value in parameters.items() if value}


def _too_long(config: MemoryConfig) -> dict[str, str]:
    pins = _("The link cannot hold {n:,} pins: it opens without them.")
    return {
        "pins": pins.format(n=len(config.pins)),
        "config": _("The link cannot hold so long a config: it opens without it."),
    }


def _config(parameters: Mapping[str, str], preset: str, problems: list[str]) -> MemoryConfig:
    if "config" in parameters:
        try:
            return parse_config(parameters["config"], source=_("config of the link"))
        except InvalidConfig as error:
            problems.append(str(error))
    return PRESETS[preset or ARTICLE].config


def _preset(name: str, problems: list[str]) -> str:
    if not name or name in PRESETS:
        return name
    problems.append(_("There is no preset {name!r} in this app.").format(name=name))
    return ""


def _hash(text: str, problems: list[str]) -> str:
    if not text or _HASH.fullmatch(text):
        return text
    problems.append(
        _("{name!r} of the link is no file's hash: {text!r}.").format(name="upload", text=text)
    )
    return ""


def _number(name: str, parameters: Mapping[str, str], problems: list[str]) -> int | None:
    text = parameters.get(name, "")
    if text.isascii() and text.isdecimal() and len(text) <= 9:
        return int(text)
    if text:
        reason = _("{name!r} of the link is not a number: {text!r}.")
        problems.append(reason.format(name=name, text=text))
    return None
