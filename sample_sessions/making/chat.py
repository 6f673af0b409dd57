"""The long Korean chat: a family trip planned over weeks, without any tool."""

from __future__ import annotations

from sample_sessions.making.recording import Message, record
from sample_sessions.making.scripts import read_script, read_system


def long_chat() -> list[Message]:
    """All messages, as they are written."""
    return record("long_chat_ko", read_system("long_chat"), read_script("long_chat"), {})
