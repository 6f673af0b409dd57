"""The player: a session's calls as a film that can be played, scrubbed and opened."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from memory_core.film import CODES, Film
from memory_core.plan import Plan, State
from memory_core.reasons import in_short
from memory_core.replay import Replay
from memory_core.texts import _
from pages.ui import cached, changes
from pages.ui.message_cards import who
from pages.ui.parts import part
from pages.ui.states import LOOKS, state_name

_part = part("player")


def player(replay: Replay, plan: Plan, *, key: str = "player") -> None:
    """Show the film of a replay at a call, with the buttons that move it.

    It sends `call`, and `cell` with {call: number from 1, message: index}, to `changes.act`.
    """
    shown = cached.pictured(replay)
    data = {
        "call": plan.ordinal + 1,
        "calls": len(replay.plans),
        "png": base64.b64encode(shown.png).decode(),
        "columns": len(shown.film.calls),
        "recorded": shown.film.recorded,
        **_rows(replay, shown.film),
        "states": _states(shown.film),
        "words": _words(replay, shown.film),
    }
    _part(key=key, data=data, height="content", on_action_change=lambda: changes.act(key))


def _rows(replay: Replay, film: Film) -> dict[str, Any]:
    """By row: message index, place of its name in `who`, and call numbers from 1, 0 for never.

    `gone` has only the rows that stayed in sight when they left: until which call.
    """
    names: list[str] = []
    for index, tool in zip(film.messages, film.tools, strict=True):
        message = replay.messages[int(index)]
        names.append(who(message, tool="" if message.name else tool))
    unique = {name: place for place, name in enumerate(dict.fromkeys(names))}
    return {
        "messages": film.messages.tolist(),
        "who": list(unique),
        "names": [unique[name] for name in names],
        "shortened": (film.shortened + 1).tolist(),
        "left": (film.left + 1).tolist(),
        "gone": {
            int(row): int(film.gone[row]) + 1 for row in np.flatnonzero(film.gone != film.left)
        },
    }


def _states(film: Film) -> list[tuple[str, str, str, bool]]:
    """By code, from 1: glyph, word, colour, and whether the film has it."""
    has = np.unique(film.cells).tolist()
    return [
        (LOOKS[state].glyph, state_name(state), LOOKS[state].colour, code in has)
        for state, code in CODES.items()
    ]


def _words(replay: Replay, film: Film) -> dict[str, Any]:
    return {
        "player": _("The calls of the session as a film"),
        "first": _("First call"),
        "back": _("One call back"),
        "play": _("Play"),
        "pause": _("Pause"),
        "forth": _("One call on"),
        "last": _("Last call"),
        "speed": _("Speed: {speed} a step"),
        "range": _("Call"),
        "label": _("Call {call} of {calls}"),
        "spoken": _("call {call} of {calls}"),
        "film": _(
            "Film: what every message is at every call. Left and right change the call, up and "
            "down the message, Enter opens it."
        ),
        "x": _("call"),
        "y": _("message"),
        "hint": _hint(replay, film),
        "cell": _("Message #{message} {who} at call {call}: {state}"),
        "unknown": _("Message #{message} {who} is not recorded yet at call {call}."),
        "reasons": [in_short(state) for state in State],
    }


def _hint(replay: Replay, film: Film) -> str:
    hint = _(
        "Each row is a message, each column a call: point at one to read it, click to open it."
    )
    if film.recorded > len(film.messages):
        about = film.recorded / len(film.messages)
        hint += " " + _("A row shows one of about {n:,.1f} messages.").format(n=about)
    if len(replay.plans) > len(film.calls):
        about = len(replay.plans) / len(film.calls)
        hint += " " + _("A column shows the last of about {n:,.1f} calls.").format(n=about)
    return hint
