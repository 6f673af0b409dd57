"""Tests that need a browser or a server may be skipped by a person, never by the whole suite."""

from __future__ import annotations

import os
from typing import Final

import pytest

NEEDS: Final = ("browser", "redis", "postgres")


def all_required() -> bool:
    """True where the suite must run whole: PLAYGROUND_REQUIRE_ALL=1."""
    return os.environ.get("PLAYGROUND_REQUIRE_ALL") == "1"


def refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turn the skip in `report` into a failure that says why it is one."""
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
    report.outcome = "failed"
    report.longrepr = f"this test must not be skipped here: {reason}"
