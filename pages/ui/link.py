"""What the address bar carries: a sample's name or a file's hash, config and call point."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from memory_core.config import MemoryConfig, parse_config
from memory_core.errors import InvalidConfig
from memory_core.texts import _


@dataclass(frozen=True, slots=True)
class Link:
    """A view that can be shared; it never holds paths or texts of a session.

    `session` is the 0-based place of the session in its file.
    """

    sample: str = ""
    upload: str = ""
    session: int = 0
    config: MemoryConfig = field(default_factory=MemoryConfig)
    at: int | None = None


def link_of(link: Link) -> dict[str, str]:
    """The query parameters of a link; what is as usual is left out."""
    changed = link.config.changed()
    parameters = {
        "sample": link.sample,
        "upload": link.upload,
        "session": str(link.session) if link.session else "",
        "config": json.dumps(changed, ensure_ascii=False) if changed else "",
        "at": "" if link.at is None else str(link.at),
    }
    return {name: value for name, value in parameters.items() if value}


def parse_link(parameters: Mapping[str, str]) -> tuple[Link, list[str]]:
    """The link in query parameters, and what in them could not be read."""
    problems: list[str] = []
    config = MemoryConfig()
    if "config" in parameters:
        try:
            config = parse_config(parameters["config"], source=_("config of the link"))
        except InvalidConfig as error:
            problems.append(str(error))
    link = Link(
        sample=parameters.get("sample", ""),
        upload=parameters.get("upload", ""),
        session=_number("session", parameters, problems) or 0,
        config=config,
        at=_number("at", parameters, problems),
    )
    return link, problems


def _number(name: str, parameters: Mapping[str, str], problems: list[str]) -> int | None:
    text = parameters.get(name, "")
    if text.isascii() and text.isdecimal() and len(text) <= 9:
        return int(text)
    if text:
        reason = _("{name!r} of the link is not a number: {text!r}.")
        problems.append(reason.format(name=name, text=text))
    return None
