"""The session as it was recorded: what the load did with the file, and what had to be repaired."""

from __future__ import annotations

import streamlit as st

from memory_core.texts import _
from memory_core.totals import tokens_by_role
from pages.ui import cached, current, picker, tables, waiting

now = current.get()
loaded = now.opened.loaded
picker.problems(now)

with waiting.replayed(now) as replay:
    st.subheader(_("What was read"))
    st.caption(
        _(
            "Every record of the file was used, ignored for its type, or skipped for a reason. "
            "One record may give several messages (parallel tool results, a whole conversation), "
            "and several records one (an answer recorded in pieces)."
        )
    )
    tables.load_table(loaded)
    if loaded.report.skipped:
        st.subheader(_("Skipped records"))
        tables.skipped_table(loaded.report)

    st.subheader(_("Repairs"))
    repairs = replay.report(replay.plans[-1]).repairs
    if repairs:
        st.caption(
            _(
                "What a provider would have refused, and what stands in for it, as an agent "
                "running through this session would have met it call by call. The command `lint` "
                "judges the file as a whole instead, so its list may differ."
            )
        )
        tables.repairs_table(repairs)
    else:
        st.caption(_("Nothing to repair at any call: calls have results, results have calls."))

    st.subheader(_("Tokens by role"))
    st.caption(_("Where the tokens of the whole session are, as the chosen model counts them."))
    gauge = cached.gauge_of(now.opened.digest, now.session, now.config)
    tables.roles_table(tokens_by_role(now.session.messages, gauge))
