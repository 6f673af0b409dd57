"""The messages before a call, a page at a time: what became of each, why, and its text."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import streamlit as st

from memory_core.messages import ChatMessage
from memory_core.plan import State
from memory_core.reasons import why
from memory_core.replay import Replay
from memory_core.report import Report
from memory_core.texts import _
from memory_core.window import Fate
from pages.ui import changes, current
from pages.ui.plain import name_of
from pages.ui.states import ANSWER, LOOKS, Look, state_name

PER_PAGE: Final = 20
LONGEST_TEXT: Final = 4000
"""Characters of one text that are shown."""
TALL: Final = 180
"""Pixels of the box in which a long text scrolls."""
_LONG: Final = (6, 500)
"""Lines or characters from which on a text is long."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Which messages are listed (empty = all), and in which form."""

    states: Sequence[State]
    roles: Sequence[str]
    as_sent: bool


def message_list(replay: Replay, report: Report, *, page: int | None) -> None:
    """Filters, and one page of the messages up to the call and the answer to it.

    `page` counts from 1, None is the newest one.
    """
    filters = _filters(replay, report.fates)
    listed: list[Fate | None] = [
        fate
        for fate in report.fates
        if (not filters.states or fate.state in filters.states)
        and (not filters.roles or replay.messages[fate.index].role in filters.roles)
    ]
    at = report.plan.at
    if not filters.states and not filters.roles and at < len(replay.messages):
        listed.append(None)
    if not listed:
        st.caption(_("No message before this call fits the filters: take one of them off."))
    start = (_page(-(-len(listed) // PER_PAGE), page) - 1) * PER_PAGE
    for fate in listed[start : start + PER_PAGE]:
        if fate is None:
            _answer(replay.messages[at], at)
        else:
            _row(replay, report, fate, filters)


def _page(pages: int, wanted: int | None) -> int:
    if pages < 2:
        return 1
    page = min(wanted or pages, pages)
    current.show(changes.PAGE, page)
    st.pagination(pages, key=changes.PAGE, on_change=changes.turn_page, args=(pages,))
    return page


def _filters(replay: Replay, fates: Sequence[Fate]) -> Filters:
    counts = {state: sum(fate.state is state for fate in fates) for state in State}
    states = st.pills(
        _("State"),
        list(State),
        format_func=lambda state: _counted(state, counts[state]),
        selection_mode="multi",
        key="states",
        wrap=True,
        persist_state="session",
    )
    left, right = st.container(key="filters").columns([3, 2])
    roles = left.pills(
        _("Role"),
        sorted({message.role for message in replay.messages}),
        selection_mode="multi",
        key="roles",
        wrap=True,
        persist_state="session",
    )
    form = right.segmented_control(
        _("Text"),
        ["recorded", "sent"],
        format_func={"recorded": _("as recorded"), "sent": _("as sent")}.__getitem__,
        default="recorded",
        required=True,
        key="form",
        persist_state="session",
        help=_("A pruned output is sent shorter than it was recorded."),
    )
    return Filters(states, roles, form == "sent")


def _counted(state: State, count: int) -> str:
    text = f"{LOOKS[state].glyph} {state_name(state)} {count:,}"
    return text if count else f":gray[{text}]"


def _row(replay: Replay, report: Report, fate: Fate, filters: Filters) -> None:
    message = replay.messages[fate.index]
    if filters.as_sent and fate.sent_tokens:
        message = report.sent(fate)
    text = spoken(message)
    tokens = f"{fate.tokens:,} → {fate.sent_tokens:,}"
    _head(
        LOOKS[fate.state],
        state_name(fate.state),
        who=f"#{fate.index} {who(replay.messages[fate.index])} {_tool(replay, report, fate)}",
        tokens=_("{tokens} tokens").format(tokens=tokens),
        reason=why(fate, report.plan, replay.config),
        length=len(text),
    )
    _body(text)


def _answer(message: ChatMessage, index: int) -> None:
    text = spoken(message)
    _head(
        ANSWER,
        _("answer"),
        who=f"#{index} {who(message)}",
        tokens="",
        reason=_("What the model answered here, as recorded; it enters the next window."),
        length=len(text),
    )
    _body(text)


def _tool(replay: Replay, report: Report, fate: Fate) -> str:
    """The tool whose output a message is, where it does not say so itself."""
    message = replay.messages[fate.index]
    if message.role != "tool" or message.name:
        return ""
    call = report.call_of(fate)
    return name_of(call.name) if call else ""


def _head(look: Look, state: str, *, who: str, tokens: str, reason: str, length: int) -> None:
    cut = ""
    if length > LONGEST_TEXT:
        cut = _("Text: the first {shown:,} of {length:,} characters.").format(
            shown=LONGEST_TEXT, length=length
        )
    chip = f"background:{look.colour};color:#000;border-radius:4px;padding:1px 8px;font-weight:600"
    st.html(
        f'<div style="line-height:1.5;margin-bottom:-0.6rem"><span style="{chip}">'
        f"{look.glyph} {html.escape(state)}</span> <b>{html.escape(who)}</b>"
        f'<span style="float:right;font-size:0.9em">{html.escape(tokens)}</span><br>'
        f"<small>{html.escape(reason)} {html.escape(cut)}</small></div>"
    )


def _body(text: str) -> None:
    shown = text[:LONGEST_TEXT]
    lines, characters = _LONG
    is_long = len(shown) > characters or shown.count("\n") >= lines
    st.code(
        _whole(shown) or _("(no text)"),
        language=None,
        wrap_lines=True,
        height=TALL if is_long else "content",
    )


def _whole(text: str) -> str:
    """`text` such that it is shown whole: a code element takes one line end off either side."""
    start = "\n" if text.startswith("\n") else ""
    return start + text + ("\n" if text.endswith("\n") else "")


def who(message: ChatMessage) -> str:
    """Role and name of a message, made of harmless characters."""
    role = name_of(message.original_role or message.role)
    names = [message.name] if message.name else [call.name for call in message.tool_calls]
    return " ".join([role, *dict.fromkeys(name_of(name) for name in names if name)])


def spoken(message: ChatMessage) -> str:
    """What a person reads of a message: its text, a word for each image, then its calls."""
    pieces = [message.text] if message.text else []
    pieces += [_("[image]") for part in message.parts if part.is_image]
    pieces += [f"{call.name}({call.arguments})" for call in message.tool_calls]
    return "\n".join(pieces)
