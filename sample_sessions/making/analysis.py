"""The data-analysis session: a scripted analyst that really computes over the co-op's data."""

from __future__ import annotations

from sample_sessions.making.coop_tools import Notebook
from sample_sessions.making.recording import Message, record
from sample_sessions.making.scripts import read_script, read_system


def data_analysis() -> list[Message]:
    """All messages; every number in a result is computed from the year of readings."""
    return record(
        "data_analysis",
        read_system("data_analysis"),
        read_script("data_analysis"),
        Notebook().tools(),
    )
