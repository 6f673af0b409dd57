"""What a visitor has open: file, session, config, call point; the only reader of session state.

One direction: state → widget → callback → state. A callback that fails changes nothing but
`problem`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Final

import streamlit as st
from pydantic import ValidationError

from memory_core.config import MemoryConfig, describe
from memory_core.errors import PlaygroundError, SessionError
from memory_core.presets import PRESETS
from memory_core.replay import Replay
from memory_core.sessions import pick
from memory_core.sessions.session import Loaded, Session
from memory_core.texts import _
from pages.ui import cached
from pages.ui.link import Link, link_of, parse_link
from pages.ui.samples import read_sample, sample_names

_KEY: Final = "current"
UPLOAD: Final = "upload"
SAMPLE: Final = "sample"
SESSION: Final = "session"
CALL: Final = "call"
CHART: Final = "chart"


@dataclass(frozen=True, slots=True)
class Opened:
    """A file that was read; `digest` is its content hash."""

    name: str
    digest: str
    loaded: Loaded
    is_sample: bool

    @property
    def label(self) -> str:
        return self.name.replace("_", " ") if self.is_sample else self.name


@dataclass(frozen=True, slots=True)
class Current:
    """Everything a visitor chose; `at` None = the last call point."""

    opened: Opened
    session: Session
    config: MemoryConfig = field(default_factory=MemoryConfig)
    at: int | None = None
    upload: Opened | None = None
    """The last file that was uploaded, open or not."""
    awaited: Link | None = None
    """A link to somebody's own file, until that file is here."""
    problem: str = ""

    @property
    def replay(self) -> Replay:
        return cached.replayed(self.opened.digest, self.session, self.config)


def get() -> Current:
    """What is open: at the first run of a visit, what the link says."""
    if _KEY not in st.session_state:
        st.session_state[_KEY] = _from_link()
    return st.session_state[_KEY]


def show(key: str, value: object) -> None:
    """Let the widget `key`, drawn next, show `value`."""
    st.session_state[key] = value


def write_link() -> None:
    """Bring the address bar up to date, so that reloading or sharing it shows the same."""
    now = get()
    link = now.awaited or Link(
        sample=now.opened.name if now.opened.is_sample else "",
        upload="" if now.opened.is_sample else now.opened.digest,
        session=now.session.id if len(now.opened.loaded.sessions) > 1 else "",
        config=now.config,
        at=now.at,
    )
    wanted = link_of(link)
    if st.query_params.to_dict() != wanted:
        st.query_params.from_dict(wanted)


def set_field(name: str, key: str) -> None:
    """Take one config field from the widget `key`; a value the config refuses changes nothing."""
    set_config({name: st.session_state[key]})


def set_pins(key: str) -> None:
    """Take the pins from the text of the widget `key`: numbers or ids, parted by commas."""
    items = [item.strip() for item in str(st.session_state[key]).split(",")]
    set_config({"pins": tuple(int(item) if item.isdecimal() else item for item in items if item)})


def set_config(changes: dict[str, Any]) -> None:
    """Change fields of the config together."""
    now = get()
    try:
        config = MemoryConfig.model_validate({**now.config.model_dump(), **changes})
    except ValidationError as error:
        _put(replace(now, problem=describe(error)))
        return
    _put(replace(now, config=config, problem=""))


def reset_config() -> None:
    """Back to the preset that everyone starts with."""
    _put(replace(get(), config=PRESETS["article"].config, problem=""))


def open_chosen() -> None:
    """Open the sample, or the uploaded file, that the widget `SAMPLE` names."""
    now, name = get(), str(st.session_state[SAMPLE])
    opened = now.upload if now.upload and name == now.upload.digest else _sample(name)
    _put(_with_file(now, opened))


def take_upload() -> None:
    """Open the file that was uploaded; what cannot be read leaves everything as it was."""
    now, file = get(), st.session_state[UPLOAD]
    if file is None:
        return
    data: bytes = file.getvalue()
    try:
        found = cached.loaded(data, name=file.name)
    except SessionError as error:
        _put(replace(now, problem=str(error)))
        return
    opened = Opened(file.name, cached.digest_of(data), found, is_sample=False)
    _put(replace(_with_file(now, opened), upload=opened))


def choose_session() -> None:
    """Open another session of the same file."""
    now = get()
    session = now.opened.loaded.sessions[int(st.session_state[SESSION])]
    _put(replace(now, session=session, at=None, problem=""))


def go_to_call(shift: int = 0) -> None:
    """Go to the call that the widget `CALL` shows, or `shift` calls further."""
    _go(int(st.session_state[CALL]) - 1 + shift)


def go_to_point() -> None:
    """Go to the call whose mark was clicked in the chart."""
    points = st.session_state[CHART]["selection"]["points"]
    if points:
        _go(int(points[0]["x"]) - 1)


def _go(ordinal: int) -> None:
    now = get()
    plans = now.replay.plans
    _put(replace(now, at=plans[min(max(ordinal, 0), len(plans) - 1)].at, problem=""))


def _put(now: Current) -> None:
    st.session_state[_KEY] = now


def _with_file(now: Current, opened: Opened) -> Current:
    session, at, awaited = opened.loaded.sessions[0], None, now.awaited
    if awaited and awaited.upload == opened.digest:
        session, at, awaited = (
            pick(opened.loaded.sessions, awaited.session or None),
            awaited.at,
            None,
        )
    elif opened.is_sample:
        awaited = None
    return replace(now, opened=opened, session=session, at=at, awaited=awaited, problem="")


def _sample(name: str) -> Opened:
    data = read_sample(name)
    return Opened(
        name, cached.digest_of(data), cached.loaded(data, name=f"{name}.json"), is_sample=True
    )


def _from_link() -> Current:
    names = sample_names()
    link, problems = parse_link(st.query_params.to_dict())
    if link.sample and link.sample not in names:
        problems.append(_("There is no sample {name!r}.").format(name=link.sample))
    opened = _sample(link.sample if link.sample in names else names[0])
    try:
        session = pick(opened.loaded.sessions, (link.sample and link.session) or None)
    except PlaygroundError as error:
        problems.append(str(error))
        session = opened.loaded.sessions[0]
    return Current(
        opened=opened,
        session=session,
        config=link.config,
        at=None if link.upload else link.at,
        awaited=link if link.upload else None,
        problem="; ".join(problems),
    )
