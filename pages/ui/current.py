"""What a visitor has open: file, session, config, call point; kept in Streamlit's session state.

One direction: state → widget → callback → state. No other file touches it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Final

import streamlit as st

from memory_core.config import MemoryConfig
from memory_core.presets import Preset
from memory_core.sessions.session import Loaded, Session
from memory_core.texts import _, ngettext
from pages.ui import cached
from pages.ui.link import Address, Link, address_of, link_of, parse_link
from pages.ui.presets import shelf
from pages.ui.samples import read_sample, samples

_KEY: Final = "current"
_DRAWN: Final = "drawn"
_FRAMED: Final = "framed"


@dataclass(frozen=True, slots=True)
class Opened:
    """A file that was read; `digest` is its content hash."""

    name: str
    digest: str
    loaded: Loaded
    is_sample: bool

    @property
    def label(self) -> str:
        return samples()[self.name].label if self.is_sample else self.name


@dataclass(frozen=True, slots=True)
class Current:
    """Everything a visitor chose; `at` None = the last call point."""

    opened: Opened
    session: Session
    config: MemoryConfig = field(default_factory=MemoryConfig)
    preset: str = "article"
    """What the config started from: the name of a built-in or saved preset."""
    deleted: Preset | None = None
    """The saved preset that was deleted last, until that is undone."""
    at: int | None = None
    focus: int | None = None
    """The message that is looked at: the list opens the page it is on, and marks it."""
    page: int | None = None
    """The page of the message list, from 1; None = the one with the newest messages."""
    fact: int | str | None = None
    """What is followed through the session: the number of an item, or any words."""
    upload: Opened | None = None
    """The last file that was uploaded, open or not."""
    refused: int = 0
    """Files that could not be opened: each of them leaves the uploader empty again."""
    awaited: Link | None = None
    """A link to somebody's own file, until that file is here."""
    problem: str = ""

    @property
    def position(self) -> int:
        """The place of the open session in its file, from 0."""
        return self.opened.loaded.sessions.index(self.session)


def get() -> Current:
    """What is open: at the first run of a visit, what the link says."""
    if _KEY not in st.session_state:
        st.session_state[_KEY] = _from_link()
    return st.session_state[_KEY]


def put(now: Current) -> None:
    """From here on this is what is open."""
    st.session_state[_KEY] = now


def show(key: str, value: object) -> None:
    """Let the widget `key`, drawn next, show `value`."""
    st.session_state[key] = value


def chosen(key: str) -> Any:
    """What the visitor chose in the widget `key`; raises `KeyError` where it is not drawn."""
    return st.session_state[key]


def is_framed(now: Current) -> bool:
    """Whether the sidebar on the screen shows the config that is in force."""
    return st.session_state.get(_FRAMED) == now.config


def mark_framed(now: Current) -> None:
    """The sidebar shows this config from here on."""
    st.session_state[_FRAMED] = now.config


def is_drawn(now: Current) -> bool:
    """Whether the page on the screen is of the session that is open, or there is none yet."""
    return st.session_state.get(_DRAWN) == (now.opened.digest, now.session.id)


def mark_drawn(now: Current) -> None:
    """The page on the screen is of this session from here on."""
    st.session_state[_DRAWN] = (now.opened.digest, now.session.id)


def write_link() -> None:
    """Bring the address bar up to date, so that reloading or sharing it shows the same."""
    wanted = link_of(_link(get()))
    if st.query_params.to_dict() != wanted:
        st.query_params.from_dict(wanted)


def address() -> Address:
    """The address of what is open on the page that is drawn, to be sent to others."""
    return address_of(st.context.url or "", _link(get()))


def with_file(now: Current, opened: Opened) -> Current:
    """`opened` in place of the open file: where a link awaits it, at the place it names."""
    if now.awaited and now.awaited.upload == opened.digest:
        return _at_place(replace(now, awaited=None), opened, now.awaited)
    awaited = None if opened.is_sample else now.awaited
    return _at_place(replace(now, awaited=awaited), opened, Link())


def sample(name: str) -> Opened:
    """A sample as an opened file; `name` is one of `samples()`."""
    data = read_sample(name)
    found = cached.loaded(data, name=f"{name}.json")
    return Opened(name, cached.digest_of(data), found, is_sample=True)


def _link(now: Current) -> Link:
    link = now.awaited or Link(
        sample=now.opened.name if now.opened.is_sample else "",
        upload="" if now.opened.is_sample else now.opened.digest,
        session=now.position,
        at=now.at,
        fact=now.fact if isinstance(now.fact, int) else None,
    )
    return replace(link, config=now.config, preset=now.preset)


def _at_place(now: Current, opened: Opened, link: Link) -> Current:
    sessions, problem = opened.loaded.sessions, ""
    if link.session >= len(sessions):
        problem = ngettext(
            "The link asks for session {wanted:,}, but the file holds {n:,} session, from 0 on: "
            "the first is shown.",
            "The link asks for session {wanted:,}, but the file holds {n:,} sessions, from 0 on: "
            "the first is shown.",
            len(sessions),
        ).format(wanted=link.session, n=len(sessions))
    return replace(
        now,
        opened=opened,
        session=sessions[0 if problem else link.session],
        at=None if problem else link.at,
        focus=None,
        page=None,
        fact=None if problem else link.fact,
        problem=problem,
    )


def _from_link() -> Current:
    names = list(samples())
    link, problems = parse_link(st.query_params.to_dict())
    if link.sample and link.sample not in names:
        problems.append(_("There is no sample {name!r}.").format(name=link.sample))
    opened = sample(link.sample if link.sample in names else names[0])
    start = Current(
        opened,
        opened.loaded.sessions[0],
        link.config,
        preset=link.preset or shelf().like(link.config),
        awaited=link if link.upload else None,
    )
    now = start if link.upload else _at_place(start, opened, link)
    return replace(now, problem=" ".join([*problems, now.problem]).strip())
