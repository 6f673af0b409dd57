"""The Korean customer-service session: a scripted agent at a small desk in memory."""

from __future__ import annotations

from sample_sessions.making.recording import Message, record
from sample_sessions.making.scripts import HERE, read_script, read_system
from sample_sessions.making.support_desk import open_desk


def customer_service() -> list[Message]:
    """All messages; every amount and date in a result is computed by the desk."""
    return record(
        "customer_service_ko",
        read_system("customer_service"),
        read_script("customer_service"),
        open_desk(HERE / "customer_service" / "shop.json").tools(),
    )
