"""The pipeline of one call as a strip of seven stages; a click lists the messages of a stage."""

from __future__ import annotations

import time
from typing import Any, Final

from memory_core.plan import Plan
from memory_core.replay import Replay
from memory_core.stages import Stage, StageName, remark, stages
from memory_core.texts import _, ngettext
from pages.ui import changes
from pages.ui.parts import part

STRIP: Final = "strip"
SHORTEST: Final = 0.1
"""Milliseconds below which a time is not told."""

_part = part("strip", '<div class="frame"><ol class="strip"></ol><p class="told"></p></div>')


def strip(replay: Replay, plan: Plan, *, key: str = STRIP) -> None:
    """All stages of a call: tokens, messages, time, and the change to the stage before.

    It sends `stage` with the place of the one clicked, from 0, to `changes.act`.
    """
    _part(
        key=key,
        data=strip_data(stages(replay, plan, clock=time.perf_counter)),
        height="content",
        on_action_change=lambda: changes.act(key),
    )


def strip_data(found: tuple[Stage, ...]) -> dict[str, Any]:
    """The strip in words and shares, the longest bar 1."""
    most = max(1, *(one.tokens for one in found))
    pairs = zip((None, *found), found, strict=False)
    return {
        "label": _("The pipeline of this call, stage by stage"),
        "hint": _("Point at a stage to read what it does and what it did here."),
        "boxes": [_box(stage, before, most) for before, stage in pairs],
    }


def _box(stage: Stage, before: Stage | None, most: int) -> dict[str, Any]:
    name, explained = _words()[stage.name]
    return {
        "name": name,
        "told": f"{explained} {remark(stage)}",
        "tokens": _tokens(stage.tokens, "{n:,}"),
        "messages": _messages(stage.messages, "{n:,}"),
        "change": _change(stage, before),
        "time": "" if stage.name is StageName.RECORDED else _time(stage.milliseconds),
        "share": round(stage.tokens / most, 4),
    }


def _tokens(number: int, form: str) -> str:
    shown = form.format(n=number)
    return ngettext("{shown} token", "{shown} tokens", abs(number)).format(shown=shown)


def _messages(number: int, form: str) -> str:
    shown = form.format(n=number)
    return ngettext("{shown} message", "{shown} messages", abs(number)).format(shown=shown)


def _change(stage: Stage, before: Stage | None) -> list[str]:
    if before is None:
        return []
    tokens, messages = stage.tokens - before.tokens, stage.messages - before.messages
    told = [_tokens(tokens, "{n:+,}")] if tokens else []
    told += [_messages(messages, "{n:+,}")] if messages else []
    return [part.replace("-", "\N{MINUS SIGN}") for part in told] or [_("no change")]


def _time(milliseconds: float | None) -> str:
    if milliseconds is None:
        return _("not measured")
    if milliseconds < SHORTEST:
        return _("under {ms} ms").format(ms=SHORTEST)
    return _("{ms:,.1f} ms").format(ms=milliseconds)


def _words() -> dict[StageName, tuple[str, str]]:
    return {
        StageName.RECORDED: (
            _("recorded"),
            _("Everything before this call, as it stands in the file."),
        ),
        StageName.REPAIRED: (
            _("repaired"),
            _(
                "The whole history (raw): calls and results that belong together stand together, "
                "as providers ask."
            ),
        ),
        StageName.PRUNED: (_("pruned"), _("Old tool outputs over the threshold are shortened.")),
        StageName.COUNTED: (
            _("remaining"),
            _(
                "What earlier calls left of it, with the summary so far, overhead and the room for "
                "the reply: this is compared with the trigger."
            ),
        ),
        StageName.SUMMARISED: (
            _("windowed"),
            _(
                "Above the trigger messages older than the window leave at this call, and a "
                "summary, where one is switched on, takes their place."
            ),
        ),
        StageName.WINDOWED: (
            _("fitted"),
            _("What the budget still cannot hold is shortened or dropped at this call."),
        ),
        StageName.ASSEMBLED: (
            _("assembled"),
            _("The request as it is sent; what is kept free for the reply is no part of it."),
        ),
    }
