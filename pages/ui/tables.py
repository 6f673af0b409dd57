"""Sessions and their loads as tables of plain cells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

import streamlit as st

from memory_core.exchanges import Repair
from memory_core.gauge import Gauge
from memory_core.messages import ChatMessage
from memory_core.reasons import fault_text
from memory_core.sessions.session import LoadReport
from memory_core.texts import _

MOST_ROWS: Final = 1000

Cell = str | int | float


def table(columns: dict[str, Sequence[Cell]], *, key: str) -> None:
    """A table with one row per item; beyond `MOST_ROWS` the number left out is stated."""
    rows = max((len(cells) for cells in columns.values()), default=0)
    st.dataframe(
        {name: list(cells[:MOST_ROWS]) for name, cells in columns.items()},
        hide_index=True,
        key=key,
        row_height=28,
        column_config={
            name: st.column_config.NumberColumn(format="localized")
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
            _("message"): [f"#{repair.index}" for repair in repairs],
            _("call id"): [repair.call_id or "-" for repair in repairs],
            _("repair"): [fault_text(repair.fault) for repair in repairs],
        },
        key="repairs",
    )


def roles_table(messages: Iterable[ChatMessage], gauge: Gauge) -> None:
    """Messages and tokens by role, and by tool where one is named."""
    counts: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for message in messages:
        counts[message.role, message.name or ""].append(gauge.tokens(message))
    total = sum(sum(tokens) for tokens in counts.values()) or 1
    ordered = sorted(counts.items(), key=lambda item: -sum(item[1]))
    table(
        {
            _("role"): [role for (role, _name), _tokens in ordered],
            _("name"): [name or "-" for (_role, name), _tokens in ordered],
            _("messages"): [len(tokens) for _key, tokens in ordered],
            _("tokens"): [sum(tokens) for _key, tokens in ordered],
            _("share of tokens, %"): [
                round(100 * sum(tokens) / total, 1) for _k, tokens in ordered
            ],
            _("longest, tokens"): [max(tokens) for _key, tokens in ordered],
        },
        key="roles_by_tokens",
    )


def load_table(report: LoadReport) -> None:
    """What the load did with the file, one line each."""
    facts = {
        _("file"): report.file,
        _("format"): report.format,
        _("bytes"): f"{report.bytes:,}",
        _("records read"): f"{report.records_read:,}",
        _("records used"): f"{report.records_used:,}",
    }
    for kind, count in report.ignored.items():
        facts[_("ignored: {kind}").format(kind=kind)] = f"{count:,}"
    facts |= {
        _("note {number}").format(number=number): note
        for number, note in enumerate(report.notes, start=1)
    }
    table({_("what"): list(facts), _("value"): list(facts.values())}, key="load")


def skipped_table(report: LoadReport) -> None:
    """Every record that gave no message, and why."""
    places = [
        _("line {line}").format(line=one.line)
        if one.line is not None
        else _("record {record}").format(record=one.record)
        for one in report.skipped
    ]
    table({_("where"): places, _("reason"): [one.reason for one in report.skipped]}, key="skipped")
