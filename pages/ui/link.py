"""What the address bar carries: a sample's name or a file's hash, config and call point."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from memory_core.config import MemoryConfig, parse_config
from memory_core.errors import InvalidConfig
from memory_core.texts import _

LARGEST_NUMBER: Final = 10**12
"""Above this a number field of a browser is no longer exact."""


@dataclass(frozen=True, slots=True)
class Link:
    """A view that can be shared; it never holds paths or texts of a session."""

    sample: str = ""
    upload: str = ""
    session: str = ""
    config: MemoryConfig = field(default_factory=MemoryConfig)
    at: int | None = None


def link_of(link: Link) -> dict[str, str]:
    """The query parameters of a link; what is as usual is left out."""
    changed = link.config.changed()
    parameters = {
        "sample": link.sample,
        "upload": link.upload,
        "session": link.session,
        "config": json.dumps(changed, ensure_ascii=False) if changed else "",
        "at": "" if link.at is None else str(link.at),
    }
    return {name: value for name, value in parameters.items() if value}


def parse_link(parameters: Mapping[str, str]) -> tuple[Link, list[str]]:
    """The link in query parameters, and what in them could not be read."""
    problems: list[str] = []
    config = MemoryConfig()
    try:
        config = _config(parameters.get("config", ""))
    except InvalidConfig as error:
        problems.append(str(error))
    at = parameters.get("at", "")
    if at and not (at.isascii() and at.isdecimal() and len(at) <= 9):
        problems.append(_("The call point {at!r} of the link is not a number.").format(at=at))
        at = ""
    link = Link(
        sample=parameters.get("sample", ""),
        upload=parameters.get("upload", ""),
        session=parameters.get("session", ""),
        config=config,
        at=int(at) if at else None,
    )
    return link, problems


def _config(text: str) -> MemoryConfig:
    if not text:
        return MemoryConfig()
    config = parse_config(text, source=_("config of the link"))
    for name, value in config.changed().items():
        if isinstance(value, int) and value > LARGEST_NUMBER:
            raise InvalidConfig(
                _("config of the link: {name}: {value!r} is too large to be shown").format(
                    name=name, value=value
                )
            )
    return config
