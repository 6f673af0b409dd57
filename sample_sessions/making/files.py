"""Which sample file is made by what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from sample_sessions.making.analysis import data_analysis
from sample_sessions.making.broken import broken
from sample_sessions.making.chat import long_chat
from sample_sessions.making.coding import coding_agent
from sample_sessions.making.recording import Message, as_json
from sample_sessions.making.stuck import stuck_agent
from sample_sessions.making.support import customer_service

FOLDER: Final = Path(__file__).parent.parent

MAKERS: Final[Mapping[str, Callable[[], list[Message]]]] = {
    "coding_agent.json": coding_agent,
    "data_analysis.json": data_analysis,
    "customer_service_ko.json": customer_service,
    "long_chat_ko.json": long_chat,
    "stuck_agent.json": stuck_agent,
    "broken.json": broken,
}


def make(name: str) -> bytes:
    """The bytes of a sample file; the same at every making on Python 3.11 with pytest 9."""
    return as_json(MAKERS[name]())
