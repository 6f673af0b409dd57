"""How long each group of tests took: one line per folder of tests."""

from __future__ import annotations

import os
from collections import defaultdict

import pytest


def group_seconds(reports: list[pytest.TestReport]) -> dict[str, float]:
    """Seconds per folder directly under `tests`, longest first; set-up and clean-up included."""
    seconds: defaultdict[str, float] = defaultdict(float)
    for report in reports:
        path = report.nodeid.split("::")[0].split("/")
        seconds[path[1] if len(path) > 2 else "tests"] += report.duration
    return dict(sorted(seconds.items(), key=lambda group: -group[1]))


def print_groups(reporter: pytest.TerminalReporter) -> None:
    """Write the time of each group, and of the checks before the tests where it is known."""
    reports = [
        report
        for outcome in reporter.stats.values()
        for report in outcome
        if isinstance(report, pytest.TestReport)
    ]
    checks = os.environ.get("PLAYGROUND_CHECKS_SECONDS")
    seconds = ({"checks": float(checks)} if checks else {}) | group_seconds(reports)
    if len(seconds) > 1:
        reporter.section("time of each group")
        for group, taken in seconds.items():
            reporter.write_line(f"{taken:7.1f} s  {group}")
