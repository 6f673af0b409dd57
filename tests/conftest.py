"""What holds for every test: its own data folder, no network, repeatable examples."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings

from tests.setup.folders import SHARED
from tests.setup.groups import print_groups
from tests.setup.network import stay_here
from tests.setup.required import NEEDS, all_required, refuse_skip

settings.register_profile(
    "suite",
    derandomize=True,
    deadline=None,
    max_examples=50,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "soak",
    deadline=None,
    max_examples=20_000,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("suite")


def pytest_configure(config: pytest.Config) -> None:
    """Give the whole run one data folder of its own, and keep it off the network."""
    home = TemporaryDirectory(prefix="playground-tests-")
    config.add_cleanup(home.cleanup)
    os.environ["PLAYGROUND_HOME"] = home.name
    stay_here()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last: a running Playwright leaves no room for asyncio tests behind it."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where all is required, a skipped browser or server test is a failure."""
    report = yield
    needs = [need for need in NEEDS if item.get_closest_marker(need)]
    if report.skipped and not hasattr(report, "wasxfail") and needs and all_required():
        refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """A file skipped before its marks are known counts by its name or folder."""
    report = yield
    if report.skipped and all_required() and any(need in collector.nodeid for need in NEEDS):
        refuse_skip(report)
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Close with the time of each group."""
    print_groups(terminalreporter)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real session files and cases that is not part of the project."""
    if not SHARED.is_dir():
        pytest.skip(f"no folder {SHARED} (PLAYGROUND_SHARED names another)")
    return SHARED
