"""The session as it was recorded: what the load did with the file, and what had to be repaired."""

from __future__ import annotations

import streamlit as st

from memory_core.exchanges import pair
from memory_core.texts import _
from pages.ui import cached, current, tables

now = current.get()
report = now.opened.loaded.report

st.subheader(_("What was read"))
st.caption(_("Every record of the file was used, ignored for its type, or skipped for a reason."))
tables.load_table(report)
if report.skipped:
    st.subheader(_("Skipped records"))
    tables.skipped_table(report)

st.subheader(_("Repairs"))
found = pair(now.session.messages).repairs
if found:
    st.caption(_("What a provider would have refused in this session, and what stands in for it."))
    tables.repairs_table(found)
else:
    st.caption(_("Nothing to repair: every call has its result, every result its call."))

st.subheader(_("Tokens by role"))
st.caption(_("Where the tokens of the whole session are, as the chosen model counts them."))
tables.roles_table(
    now.session.messages, cached.gauge_of(now.opened.digest, now.session, now.config)
)
