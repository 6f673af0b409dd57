"""Runs the app as a person does, through the launcher, on a free port of this machine."""

from __future__ import annotations

import http.client
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.setup.folders import ROOT

START_SECONDS: Final = 90.0
STOP_SECONDS: Final = 15.0


@contextmanager
def running_app(log: Path) -> Generator[str]:
    """Address of a fresh server, stopped at the end; what it prints goes to `log`.

    Raises `RuntimeError` with the log if it does not answer in time.
    """
    port = _free_port()
    command = [sys.executable, "-m", "pages.ui.launch", "--port", str(port), "--no-browser"]
    with log.open("wb") as output:
        server = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            _await_answer(server, port, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            _stop(server)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _await_answer(server: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not _answers(port):
        if server.poll() is not None or time.monotonic() > deadline:
            printed = log.read_text(errors="replace")
            msg = f"the app did not start on port {port}; it printed:\n{printed}"
            raise RuntimeError(msg)
        time.sleep(0.1)


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", "/_stcore/health")
        return connection.getresponse().status == http.client.OK
    except OSError:
        return False
    finally:
        connection.close()


def _stop(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
