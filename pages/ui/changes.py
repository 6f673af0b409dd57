"""What a visitor can change: the callbacks of all widgets.

Each changes all it means to, or nothing but `problem`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps
from typing import Any, Final, ParamSpec

import streamlit as st
from pydantic import ValidationError

from memory_core.config import MemoryConfig, describe
from memory_core.errors import InvalidConfig, PlaygroundError
from memory_core.loss import Followed, follow
from memory_core.plan import State
from memory_core.replay import call_points
from memory_core.stages import StageName
from pages.ui import cached, current, losses, seeking
from pages.ui.current import Opened
from pages.ui.failing import told
from pages.ui.fields import labels

UPLOAD: Final = "upload"
SAMPLE: Final = "sample"
SESSION: Final = "session"
CHART: Final = "chart"
PAGE: Final = "page"
STATES: Final = "states"
KINDS: Final = "kinds"
FACT: Final = "fact"
LIFELINE: Final = "lifeline"
HOME: Final = "pages/tune/compression.py"
FACT_PAGE: Final = "pages/tune/fact.py"

P = ParamSpec("P")


def change(action: Callable[P, None]) -> Callable[P, None]:
    """`action` as a callback that never raises: an error becomes the visitor's `problem`."""

    @wraps(action)
    def safe(*args: P.args, **kwargs: P.kwargs) -> None:
        with told(lambda reason: current.put(replace(current.get(), problem=reason))):
            action(*args, **kwargs)

    return safe


@change
def open_chosen() -> None:
    """Open the sample, or the uploaded file, that the widget `SAMPLE` names."""
    now, name = current.get(), str(current.chosen(SAMPLE))
    opened = now.upload if now.upload and name == now.upload.digest else current.sample(name)
    current.put(current.with_file(now, opened))


@change
def take_upload(key: str) -> None:
    """Open the file in the uploader `key`; one that cannot be read does not stay in it."""
    now, file = current.get(), current.chosen(key)
    if file is None:
        return
    data: bytes = file.getvalue()
    try:
        found = cached.loaded(data, name=file.name)
    except PlaygroundError:
        current.put(replace(now, refused=now.refused + 1))
        raise
    opened = Opened(file.name, cached.digest_of(data), found, is_sample=False)
    current.put(replace(current.with_file(now, opened), upload=opened))


@change
def choose_session() -> None:
    """Open another session of the same file."""
    now = current.get()
    session = now.opened.loaded.sessions[int(current.chosen(SESSION))]
    current.put(
        replace(now, session=session, at=None, focus=None, page=None, fact=None, problem="")
    )


@change
def go_to_point() -> None:
    """Go to the call whose mark was clicked in the chart."""
    points = current.chosen(CHART)["selection"]["points"]
    if points:
        _go(int(points[0]["x"]) - 1)


@change
def go_to_use() -> None:
    """Go to the call whose mark was clicked in the chart of a lifeline."""
    points = current.chosen(LIFELINE)["selection"]["points"]
    if points:
        _go(int(points[0]["x"]) - 1)


@change
def follow_chosen() -> None:
    """Follow what the widget `FACT` names; words that are an item are that item."""
    now, chosen = current.get(), current.chosen(FACT)
    reading = losses.book(now).reading
    if isinstance(chosen, str) and reading is not None:
        found = follow(reading.index, chosen)
        chosen = found.number if isinstance(found, Followed) else found.text
    current.put(replace(now, fact=chosen, problem=""))


@change
def act(key: str) -> None:
    """Do what was clicked in the component `key`: its trigger `action` is {name, value}.

    `call`: go to the call of that number, from 1; `message`: look at the message of that index;
    `pin`: pin it, or take its pin off; `cell`: go to the call and look at the message of {call,
    message}; `open`: the same on the page of all calls; `stage`: list the messages of that stage
    of the pipeline; `fact`: go to the call and follow the item of {item, call} on the page of
    facts; `remedy`: take over the config of that remedy, from 0.
    """
    clicked = current.chosen(key)["action"]
    if clicked is not None:
        _ACTIONS[clicked["name"]](clicked["value"])


@change
def turn_page(pages: int) -> None:
    """Show the page of messages that the widget `PAGE` names; the last of `pages` is the newest."""
    page = int(current.chosen(PAGE))
    current.put(replace(current.get(), page=None if page == pages else page, focus=None))


@change
def look_through() -> None:
    """List what the filters of the messages leave, the newest of it first seen."""
    current.put(replace(current.get(), page=None, focus=None))


def set_config(changes: Mapping[str, Any]) -> None:
    """Change config fields; raises `InvalidConfig` naming those that are refused."""
    now = current.get()
    try:
        config = MemoryConfig.model_validate({**now.config.model_dump(), **changes})
    except ValidationError as error:
        raise InvalidConfig(describe(error, names=labels())) from error
    current.put(replace(now, config=config, problem=""))


def _look_at(index: int) -> None:
    current.put(replace(current.get(), focus=index, problem=""))


def _pin(index: int) -> None:
    now = current.get()
    pins = now.config.pins
    names = [index, *(message.id for message in now.session.messages[index : index + 1])]
    kept = tuple(pin for pin in pins if pin not in names)
    set_config({"pins": kept if len(kept) < len(pins) else (*pins, index)})


def _open(cell: Mapping[str, Any]) -> None:
    _go(int(cell["call"]) - 1)
    _look_at(int(cell["message"]))


def _open_there(cell: Mapping[str, Any]) -> None:
    _open(cell)
    st.switch_page(HOME)


def _apply(place: int) -> None:
    """Take over what a search found, so that what is followed is kept."""
    found = seeking.found()
    if found is not None:
        config = found.take(place)
        current.put(replace(current.get(), config=config, problem=""))


def _follow(use: Mapping[str, Any]) -> None:
    _go(int(use["call"]) - 1)
    current.put(replace(current.get(), fact=int(use["item"])))
    st.switch_page(FACT_PAGE)


def _list_stage(place: int) -> None:
    """The messages that a stage is about: all, or those in the states it makes."""
    sent = [State.KEPT, State.PRUNED, State.PINNED, State.REPAIRED]
    about: Mapping[StageName, list[State]] = {
        StageName.REPAIRED: [State.REPAIRED],
        StageName.PRUNED: [State.PRUNED],
        StageName.SUMMARISED: [State.SUMMARISED],
        StageName.WINDOWED: [State.DROPPED],
        StageName.ASSEMBLED: sent,
    }
    current.show(STATES, about.get(list(StageName)[place], []))
    current.put(replace(current.get(), page=None, focus=None))


def _go(ordinal: int) -> None:
    now = current.get()
    points = call_points(now.session.messages)
    current.put(replace(now, at=points[min(max(ordinal, 0), len(points) - 1)], problem=""))


_ACTIONS: Final[Mapping[str, Callable[[Any], None]]] = {
    "call": lambda number: _go(int(number) - 1),
    "message": lambda index: _look_at(int(index)),
    "pin": lambda index: _pin(int(index)),
    "cell": _open,
    "stage": lambda place: _list_stage(int(place)),
    "fact": _follow,
    "open": _open_there,
    "remedy": lambda place: _apply(int(place)),
}
