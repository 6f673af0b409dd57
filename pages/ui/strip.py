"""The pipeline of one call as a strip of seven stages; a click lists the messages of a stage."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Final

from streamlit.components.v2 import component

from memory_core.plan import Plan
from memory_core.replay import Replay
from memory_core.stages import Stage, StageName, stages
from memory_core.texts import _, ngettext
from pages.ui import changes

STRIP: Final = "strip"

_HERE: Final = Path(__file__)
_part = component(
    "memory_playground_strip",
    html='<ol class="strip"></ol>',
    css=_HERE.with_suffix(".css").read_text(encoding="utf-8"),
    js=_HERE.with_suffix(".js").read_text(encoding="utf-8"),
)


def strip(replay: Replay, plan: Plan) -> None:
    """All stages of a call: tokens, messages, time, and the change to the stage before."""
    found = stages(replay, plan, clock=time.perf_counter)
    most = max([1, *(one.tokens for one in found)])
    boxes = [
        _box(one, before, most) for before, one in zip((None, *found[:-1]), found, strict=True)
    ]
    label = _("The pipeline of this call, stage by stage")
    _part(
        key=STRIP,
        data={"boxes": boxes, "label": label},
        on_action_change=lambda: changes.act(STRIP),
    )


def _box(stage: Stage, before: Stage | None, most: int) -> dict[str, Any]:
    name, help_text = _words()[stage.name]
    return {
        "name": name,
        "help": help_text,
        "tokens": _("{n:,} tokens").format(n=stage.tokens),
        "messages": ngettext("{n:,} message", "{n:,} messages", stage.messages).format(
            n=stage.messages
        ),
        "time": "" if stage.seconds is None else _("{ms:.1f} ms").format(ms=stage.seconds * 1000),
        "change": _change(stage, before),
        "share": round(max(0, stage.tokens) / most, 3),
    }


def _change(stage: Stage, before: Stage | None) -> str:
    if before is None or stage.tokens == before.tokens:
        return ""
    return f"{stage.tokens - before.tokens:+,}"


def _words() -> dict[StageName, tuple[str, str]]:
    return {
        StageName.RAW: (_("raw"), _("Everything recorded before this call.")),
        StageName.REPAIRED: (
            _("repaired"),
            _("Calls and results that belong together stand together; missing ones are made up."),
        ),
        StageName.PRUNED: (
            _("pruned"),
            _("Every tool output that was shortened so far is short here."),
        ),
        StageName.COUNTED: (
            _("counted"),
            _("What the budget has to hold: with the fixed overhead and the reply's reserve."),
        ),
        StageName.SUMMARISED: (
            _("summarised"),
            _("The summary stands for the messages that have left."),
        ),
        StageName.WINDOWED: (
            _("windowed"),
            _("Without what the budget does not hold at this call."),
        ),
        StageName.ASSEMBLED: (
            _("assembled"),
            _("The request as it is sent; the reply's reserve is taken off."),
        ),
    }
