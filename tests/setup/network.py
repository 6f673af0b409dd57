"""Keeps the tests on this machine: an address anywhere else fails the test that asks for it."""

from __future__ import annotations

import ipaddress
import socket
import sys

import pytest


def is_here(host: object) -> bool:
    """True for this machine's own names and addresses."""
    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    if host in (None, "", "localhost", socket.gethostname()):
        return True
    try:
        return ipaddress.ip_address(str(host)).is_loopback
    except ValueError:
        return False


def stay_here() -> None:
    """From now on every connection and name look-up of this process must stay on this machine."""
    sys.addaudithook(_refuse)


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    if event == "socket.getaddrinfo":
        host = arguments[0]
    elif event in ("socket.connect", "socket.sendto"):
        address = arguments[1]
        if not isinstance(address, tuple):  # a Unix socket
            return
        host = address[0]  # pyright: ignore[reportUnknownVariableType]
    else:
        return
    if not is_here(host):  # pyright: ignore[reportUnknownArgumentType]
        pytest.fail(f"a test asked for the address {host!r}, which is not on this machine")
