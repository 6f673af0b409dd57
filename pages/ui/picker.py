"""The session picker: samples, a file of one's own, and what was found in it."""

from __future__ import annotations

import streamlit as st

from memory_core.models import counted_model
from memory_core.replay import call_points
from memory_core.sessions import FORMATS
from memory_core.texts import _, ngettext
from pages.ui import cached, changes, current
from pages.ui.current import Current
from pages.ui.plain import literal
from pages.ui.samples import samples


def session_picker(now: Current) -> None:
    """Choose a sample, upload a file, choose one of its sessions; a card says what is open."""
    files = {name: one.label for name, one in samples().items()}
    if now.upload:
        files[now.upload.digest] = now.upload.label
    current.show(changes.SAMPLE, now.opened.name if now.opened.is_sample else now.opened.digest)
    st.selectbox(
        _(
            "**Memory Playground** *Choose a session, move a setting, and see what the model is "
            "sent at every call.* Session"
        ),
        list(files),
        format_func=files.__getitem__,
        key=changes.SAMPLE,
        on_change=changes.open_chosen,
        help=_("A sample that comes with the app, or the file you opened."),
    )
    key = f"{changes.UPLOAD}-{now.refused}" if now.refused else changes.UPLOAD
    st.file_uploader(
        _("Open a session file of your own"),
        key=key,
        on_change=changes.take_upload,
        args=(key,),
        help=_("Any JSON or JSONL recording; the format is recognised by what it holds."),
    )
    _sessions(now)
    _card(now)


def problems(now: Current) -> None:
    """What went wrong last, and what is safe."""
    if now.problem:
        st.error(
            _("{problem}. Your session and config are safe.").format(
                problem=literal(now.problem.rstrip("."))
            )
        )
    if now.awaited:
        st.info(
            _(
                "This link shows a file that is not here (hash {digest}). Open that file in "
                "the sidebar to see it; until then you see a sample."
            ).format(digest=literal(now.awaited.upload))
        )


def _sessions(now: Current) -> None:
    sessions = now.opened.loaded.sessions
    if len(sessions) < 2:
        return
    current.show(changes.SESSION, now.position)
    st.selectbox(
        _("Which of the {count:,} sessions in it").format(count=len(sessions)),
        range(len(sessions)),
        format_func=lambda index: f"{index} · {sessions[index].title or sessions[index].id}",
        key=changes.SESSION,
        on_change=changes.choose_session,
    )


def _card(now: Current) -> None:
    session, report = now.session, now.opened.loaded.report
    messages = ngettext("{n:,} message", "{n:,} messages", len(session.messages))
    points = len(call_points(session.messages))
    calls = ngettext("{n:,} call of the model", "{n:,} calls of the model", points)
    facts = [
        FORMATS[report.format].label,
        messages.format(n=len(session.messages)),
        calls.format(n=points),
    ]
    if report.skipped:
        skipped = ngettext("{n:,} record skipped", "{n:,} records skipped", len(report.skipped))
        facts.append(skipped.format(n=len(report.skipped)))
    lines = [" · ".join(facts), _counted(now)]
    if now.opened.is_sample:
        lines.insert(0, samples()[now.opened.name].story)
    if session.tools:
        lines.append(_tools(now))
    st.caption("  \n".join(lines))


def _counted(now: Current) -> str:
    config, recorded = now.config, now.session.model
    model = counted_model(config.model, unknown_model_factor=config.unknown_model_factor)
    shared = {"model": literal(config.model), "label": model.label}
    if recorded and recorded != config.model:
        return _("Recorded with {recorded}, counted as {model} ({label})").format(
            **shared, recorded=literal(recorded)
        )
    return _("Counted as {model} ({label})").format(**shared)


def _tools(now: Current) -> str:
    tokens = cached.tool_tokens(now.opened.digest, now.session, now.config)
    if now.config.fixed_overhead_tokens:
        line = _("Its tool schemas take {tokens:,} tokens of every request.")
    else:
        line = _(
            "Its tool schemas take {tokens:,} tokens of every request, not counted yet: enter them "
            'as "Fixed overhead" under "More".'
        )
    return line.format(tokens=tokens)
