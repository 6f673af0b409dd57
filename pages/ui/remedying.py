"""What would have kept something: the calls that miss it, the search, and its changes to apply."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import streamlit as st

from memory_core.config import MemoryConfig
from memory_core.loss import Form, Index, Lifeline, Remedy, Span, Subject
from memory_core.replay import Replay, summarizer_of
from memory_core.summarizing import ExtractiveSummarizer, Summarizer
from memory_core.summarizing.standing import StandIn
from memory_core.texts import _, ngettext
from pages.ui import cached, seeking
from pages.ui.changes import change
from pages.ui.current import Current
from pages.ui.fields import labels, shown
from pages.ui.kinds import FORMS, form_name
from pages.ui.marked import Chip
from pages.ui.plain import literal
from pages.ui.presence import presence
from pages.ui.seeking import Question, Seeking
from pages.ui.sheet import Act, Cell, sheet
from pages.ui.titles import titled

POLL_SECONDS: Final = 0.5
MISSED: Final = "missed"


@dataclass(frozen=True, slots=True)
class Traced:
    """What is followed, and its lifeline under the replay of what is open."""

    fact: int | str
    subject: Subject
    line: Lifeline
    replay: Replay
    index: Index


def remedying(now: Current, traced: Traced) -> None:
    """The whole region; nothing where nothing is lost and nothing was changed."""
    _taken(traced)
    calls = missed(traced.line, traced.replay, now.at)
    if not calls:
        return
    titled(
        _("What would have kept it"),
        _(
            "For each setting, changed alone, the smallest change under which it stands at that "
            "call, found by replaying; and the tokens that costs over all calls up to there."
        ),
    )
    row = st.container(horizontal=True, vertical_alignment="bottom")
    call = calls[0]
    if len(calls) > 1:
        call = row.selectbox(
            _("Call that misses it"),
            calls,
            format_func=lambda one: f"{one + 1:,}",
            key=MISSED,
            width=180,
        )
    question = _question(now, traced, traced.replay.plans[call].at)
    search = seeking.found()
    search = search if search is not None and search.question == question else None
    if search is not None and search.is_running:
        _running()
        return
    row.button(
        _("Find the smallest change"),
        key="find_remedies",
        type="primary",
        on_click=_find,
        args=(now, traced, question),
    )
    if search is not None:
        _found(search, call)


def missed(line: Lifeline, replay: Replay, at: int | None) -> list[int]:
    """The calls, from 0, at which it is gone: the one looked at, those that used it, or the last.

    Only calls after a message that said it.
    """
    gone = [span for span in line.spans if span.form is Form.GONE]
    looked = [call for call, plan in enumerate(replay.plans) if plan.at == at]
    calls = [*looked, *(use.call for use in line.uses if not use.is_met)]
    found = [one for one in calls if any(span.first <= one <= span.last for span in gone)]
    if not found and gone:
        found = [gone[-1].last]
    return list(dict.fromkeys(found))


def _question(now: Current, traced: Traced, at: int) -> Question:
    return Question((now.opened.digest, now.session.id), now.config, traced.fact, at)


@st.fragment(run_every=POLL_SECONDS)
def _running() -> None:
    search = seeking.found()
    if search is None or not search.is_running:
        st.rerun()
    text = ngettext(
        "Replaying the session with {n:,} setting changed: {done:,} done.",
        "Replaying the session with each of {n:,} settings changed: {done:,} done.",
        search.settings,
    )
    st.progress(
        search.settled / search.settings, text.format(done=search.settled, n=search.settings)
    )
    st.button(_("Cancel"), key="cancel_seeking", on_click=_cancel)


def _found(search: Seeking, call: int) -> None:
    if search.failure:
        st.info(literal(search.failure))
    elif not search.remedies:
        st.info(
            _(
                "No single setting keeps it at call {call:,}: what said it is too large for the "
                "budget, or several settings have to change together."
            ).format(call=call + 1)
        )
    else:
        sheet(
            _("Changes that keep it at call {call:,}").format(call=call + 1),
            [
                _("Setting"),
                _("Now → then"),
                _("Extra tokens up to there"),
                _("Share of all sent"),
                _("It stands"),
                "",
            ],
            [_row(search, place, one) for place, one in enumerate(search.remedies)],
            key="remedies",
        )


def _row(search: Seeking, place: int, remedy: Remedy) -> list[Cell]:
    look = FORMS[remedy.form]
    change = _change(search.question.config, remedy)
    return [
        labels()[remedy.field],
        change,
        f"{remedy.extra_tokens:+,}".replace("-", "\N{MINUS SIGN}"),
        f"{100 * remedy.extra_share:+.1f} %".replace("-", "\N{MINUS SIGN}"),
        Chip(look.glyph, form_name(remedy.form), look.colour),
        [Act(_("apply"), f"{labels()[remedy.field]} {change}", "remedy", place)],
    ]


def _change(config: MemoryConfig, remedy: Remedy) -> str:
    before, after = getattr(config, remedy.field), remedy.value
    if remedy.field == "pins":
        return _("pin message #{n}").format(n=remedy.config.pins[-1])
    return f"{shown(remedy.field, before)} → {shown(remedy.field, after)}"


def _taken(traced: Traced) -> None:
    """What the change that was applied did, read from the replay under it."""
    search = seeking.found()
    if (
        search is None
        or search.taken is None
        or search.taken.config != traced.replay.config
        or search.question.fact != traced.fact
    ):
        return
    plan = traced.replay.plan_at(search.question.at)
    form = _form_at(traced.line.spans, plan.ordinal)
    line = _("{setting} changed: {change}. At call {call:,} it now stands: {form}.")
    st.success(
        line.format(
            setting=labels()[search.taken.field],
            change=_change(search.question.config, search.taken),
            call=plan.ordinal + 1,
            form=f"{FORMS[form].glyph} {form_name(form)}",
        )
    )


def _form_at(spans: Sequence[Span], call: int) -> Form:
    return next((one.form for one in spans if one.first <= call <= one.last), Form.GONE)


def _summarizers(now: Current) -> Callable[[], Summarizer | None]:
    """Summarisers of the search's own: the page uses its own at the same time."""
    if now.config.summarizer == "model":
        notes, config = cached.notes(), now.config
        return lambda: StandIn(notes.looking(config), ExtractiveSummarizer())
    one = summarizer_of(now.config)
    return lambda: one


@change
def _find(now: Current, traced: Traced, question: Question) -> None:
    seeking.keep(
        Seeking(
            question,
            traced.replay,
            traced.index,
            traced.subject,
            summarizer=_summarizers(now),
            is_wanted=presence(),
        )
    )


@change
def _cancel() -> None:
    search = seeking.found()
    if search is not None:
        search.stop()
