"""The coding session: a scripted agent that really works on the small shop project."""

from __future__ import annotations

import tempfile
from pathlib import Path

from sample_sessions.making.recording import Message, record
from sample_sessions.making.scripts import read_script, read_system
from sample_sessions.making.shop_project import lay_out
from sample_sessions.making.shop_tools import Workplace


def coding_agent() -> list[Message]:
    """All messages; every tool result is what the tool really gave."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "shop"
        lay_out(root)
        return record(
            "coding_agent",
            read_system("coding_agent"),
            read_script("coding_agent"),
            Workplace.on(root).tools(),
        )
