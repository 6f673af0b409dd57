"""The rules of the suite itself: no network, nothing that is needed left out unseen."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from tempfile import gettempdir

import pytest

from tests.setup.folders import ROOT
from tests.setup.groups import group_seconds
from tests.setup.network import is_here

SKIPPED_BROWSER_TEST = """
import pytest

@pytest.mark.browser
def test_in_a_browser():
    pytest.skip("no browser")

def test_anywhere():
    pytest.skip("no shared folder")
"""


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1", "127.8.0.1", "::1", "", None, b"127.0.0.1"]
)
def test_this_machine_may_be_asked(host: object) -> None:
    assert is_here(host)


@pytest.mark.parametrize("host", ["example.org", "10.0.0.1", "192.168.1.1", "한글.kr", b"8.8.8.8"])
def test_no_other_machine_may_be_asked(host: object) -> None:
    assert not is_here(host)


def test_a_connection_to_another_machine_fails_the_test() -> None:
    with pytest.raises(pytest.fail.Exception), socket.socket() as outside:
        outside.connect(("192.0.2.1", 80))
    with pytest.raises(pytest.fail.Exception):
        socket.getaddrinfo("example.org", 80)


def test_the_tests_have_a_data_folder_of_their_own() -> None:
    home = Path(os.environ["PLAYGROUND_HOME"])
    assert home.is_relative_to(gettempdir())
    assert home.is_dir()


def run_suite(test: Path, *, require_all: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)]
    config = ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT), "-p", "tests.conftest"]
    environment = {**os.environ, "PLAYGROUND_REQUIRE_ALL": require_all}
    return subprocess.run(
        [*command, *config], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("require_all", "code", "closing"), [("", 0, "2 skipped"), ("1", 1, "1 failed, 1 skipped")]
)
def test_a_skipped_browser_test_fails_the_whole_suite(
    tmp_path: Path, require_all: str, code: int, closing: str
) -> None:
    test = tmp_path / "test_sample.py"
    test.write_text(SKIPPED_BROWSER_TEST)
    result = run_suite(test, require_all=require_all)
    assert closing in result.stdout.splitlines()[-1]
    assert result.returncode == code


def report(nodeid: str, duration: float) -> pytest.TestReport:
    return pytest.TestReport(nodeid, ("", 0, ""), {}, "passed", None, "call", duration=duration)


def test_the_time_of_a_group_is_the_sum_over_its_folder() -> None:
    reports = [
        report("tests/core/test_a.py::test_one", 1.0),
        report("tests/core/deep/test_b.py::test_two", 2.0),
        report("tests/browser/test_c.py::test_three", 5.0),
        report("tests/test_d.py::test_four", 0.5),
    ]
    assert group_seconds(reports) == {"browser": 5.0, "core": 3.0, "tests": 0.5}
