"""Sessions and their loads as tables of plain cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st

from memory_core.exchanges import Repair
from memory_core.reasons import fault_text, unknown_role_text
from memory_core.sessions import FORMATS
from memory_core.sessions.session import Loaded, LoadReport
from memory_core.texts import _
from memory_core.totals import RoleTotal

MOST_ROWS: Final = 1000

Cell = str | int | float


def table(columns: dict[str, Sequence[Cell]], *, key: str, decimals: int = 1) -> None:
    """A table with one row per item; beyond `MOST_ROWS` the number left out is stated.

    Whole numbers have separators of thousands; of a column of others all have `decimals`.
    """
    rows = max((len(cells) for cells in columns.values()), default=0)
    st.dataframe(
        {name: list(cells[:MOST_ROWS]) for name, cells in columns.items()},
        hide_index=True,
        key=key,
        row_height=28,
        column_config={
            name: st.column_config.NumberColumn(
                format=f"%.{decimals}f"
                if any(isinstance(cell, float) for cell in cells)
                else "localized"
            )
            for name, cells in columns.items()
            if not any(isinstance(cell, str) for cell in cells)
        },
    )
    if rows > MOST_ROWS:
        st.caption(_("The first {shown:,} of {rows:,} rows.").format(shown=MOST_ROWS, rows=rows))


def repairs_table(repairs: Sequence[Repair]) -> None:
    """Every repair: the message, its call, and what was done."""
    table(
        {
            _("at message"): [f"#{repair.index}" for repair in repairs],
            _("id of the call"): [repair.call_id or "-" for repair in repairs],
            _("what was wrong and what was done"): [fault_text(one.fault) for one in repairs],
        },
        key="repairs",
    )


def unknown_roles_table(found: Mapping[int, str]) -> None:
    """Every message with an unknown role: the role as recorded, and what became of the message."""
    table(
        {
            _("message"): [f"#{index}" for index in found],
            _("role in the file"): list(found.values()),
            _("what became of it"): [unknown_role_text()] * len(found),
        },
        key="unknown_roles",
    )


def roles_table(totals: Sequence[RoleTotal]) -> None:
    """Messages and tokens by role, tool results by the tool that was called."""
    whole = sum(total.tokens for total in totals) or 1
    table(
        {
            _("role"): [total.role for total in totals],
            _("tool called"): [total.tool or "-" for total in totals],
            _("messages"): [total.messages for total in totals],
            _("tokens together"): [total.tokens for total in totals],
            _("share of all tokens, %"): [round(100 * one.tokens / whole, 1) for one in totals],
            _("tokens of the longest"): [total.longest for total in totals],
        },
        key="roles_by_tokens",
    )


def load_table(loaded: Loaded) -> None:
    """What the load did with the file, one line each."""
    report, sessions = loaded.report, loaded.sessions
    facts = {
        _("file"): report.file,
        _("format"): FORMATS[report.format].label,
        _("bytes"): f"{report.bytes:,}",
        _("records read"): f"{report.records_read:,}",
        _("records used"): f"{report.records_used:,}",
        _("sessions"): f"{len(sessions):,}",
        _("messages in all sessions"): f"{sum(len(one.messages) for one in sessions):,}",
    }
    if unknown := sum(len(one.unknown_roles) for one in sessions):
        facts[_("messages with an unknown role")] = f"{unknown:,}"
    for kind, count in report.ignored.items():
        facts[_("ignored: {kind}").format(kind=kind)] = f"{count:,}"
    facts |= {
        _("note {number}").format(number=number): note
        for number, note in enumerate(report.notes, start=1)
    }
    table({_("of the file"): list(facts), _("found"): list(facts.values())}, key="load")


def skipped_table(report: LoadReport) -> None:
    """Every record that gave no message, and why."""
    places = [
        _("line {line}").format(line=one.line)
        if one.line is not None
        else _("record {record}").format(record=one.record)
        for one in report.skipped
    ]
    reasons = [one.reason for one in report.skipped]
    table({_("where in the file"): places, _("why it was skipped"): reasons}, key="skipped")
