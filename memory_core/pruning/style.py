"""What a pruning style is: a body for every room."""

from __future__ import annotations

from collections.abc import Callable

Body = Callable[[int], str]
"""What stays of one text in a room of so many characters (≥ 0), marker excluded."""

Style = Callable[[str], Body]
"""Reads a text once, so that bodies for several rooms come cheap."""
