"""The session picker: samples, a file of one's own, and what was found in it."""

from __future__ import annotations

import streamlit as st

from memory_core.models import counted_model
from memory_core.replay import call_points
from memory_core.texts import _, ngettext
from pages.ui import current
from pages.ui.current import Current
from pages.ui.plain import literal
from pages.ui.samples import sample_names


def session_picker(now: Current) -> None:
    """Choose a sample, upload a file, choose one of its sessions; a card says what is open."""
    files = {name: name.replace("_", " ") for name in sample_names()}
    if now.upload:
        files[now.upload.digest] = now.upload.label
    current.show(current.SAMPLE, now.opened.name if now.opened.is_sample else now.opened.digest)
    st.selectbox(
        _("Session"),
        list(files),
        format_func=files.__getitem__,
        key=current.SAMPLE,
        on_change=current.open_chosen,
        help=_("A sample that comes with the app, or the file you opened."),
    )
    st.file_uploader(
        _("Open a session file of your own"),
        key=current.UPLOAD,
        on_change=current.take_upload,
        help=_("Any JSON or JSONL recording; the format is recognised by what it holds."),
    )
    _sessions(now)
    _card(now)


def problems(now: Current) -> None:
    """What went wrong last, and what is safe."""
    if now.problem:
        st.error(
            _("{problem} Nothing else changed: your session and config are still open.").format(
                problem=literal(now.problem)
            )
        )
    if now.awaited:
        st.info(
            _(
                "This link shows a file that is not here (hash {digest}). Open that file in the "
                "sidebar to see it; until then you see a sample."
            ).format(digest=literal(now.awaited.upload))
        )


def _sessions(now: Current) -> None:
    sessions = now.opened.loaded.sessions
    if len(sessions) < 2:
        return
    current.show(current.SESSION, sessions.index(now.session))
    st.selectbox(
        _("Which of the {count:,} sessions in it").format(count=len(sessions)),
        range(len(sessions)),
        format_func=lambda index: f"{index} · {sessions[index].title or sessions[index].id}",
        key=current.SESSION,
        on_change=current.choose_session,
    )


def _card(now: Current) -> None:
    session, report = now.session, now.opened.loaded.report
    model = counted_model(now.config.model, unknown_model_factor=now.config.unknown_model_factor)
    messages = ngettext("{n:,} message", "{n:,} messages", len(session.messages))
    points = len(call_points(session.messages))
    calls = ngettext("{n:,} call", "{n:,} calls", points)
    facts = [
        report.format,
        messages.format(n=len(session.messages)),
        calls.format(n=points),
        _("counts {label}").format(label=model.label),
    ]
    if report.skipped:
        skipped = ngettext("{n:,} record skipped", "{n:,} records skipped", len(report.skipped))
        facts.append(skipped.format(n=len(report.skipped)))
    st.caption(" · ".join(facts))
