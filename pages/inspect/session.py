"""The session as it was recorded: where its tokens are, how they are counted, what was repaired."""

from __future__ import annotations

import streamlit as st

from memory_core.texts import _
from memory_core.usage import compare_usage
from pages.ui import audit_views, cached, current, picker, session_views, usage_views

now = current.get()
digest, session, config = now.opened.digest, now.session, now.config
picker.problems(now)

found = cached.findings(digest, session, config)
audit = cached.audited(digest, session, config)
current.mark_drawn(now)

session_views.growth(found)
large, again, languages, estimators, recorded, file = st.tabs(
    [
        _("Largest messages"),
        _("Repeated calls"),
        _("Languages"),
        _("Estimators"),
        _("Recorded usage"),
        _("File and repairs"),
    ]
)
with large:
    session_views.largest(found, session.messages)
    session_views.roles(found)
with again:
    session_views.repeats(found.repeats, found.tokens)
with languages:
    session_views.scripts(found.scripts)
with estimators:
    audit_views.estimators(audit, config)
with recorded:
    usage_views.usage(
        compare_usage(session.origins, audit.raw, overhead=config.fixed_overhead_tokens),
        model=audit.reference.encoding,
        schemas=cached.tool_tokens(digest, session, config),
    )
with file:
    session_views.load(now.opened.loaded)
    session_views.unknown_roles(session.unknown_roles)
    session_views.repairs(cached.pairing(digest, session).repairs)
