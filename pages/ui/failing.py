"""The one place that turns an error into words a person can use, without a traceback."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator
from contextlib import contextmanager

import streamlit as st

from memory_core.errors import PlaygroundError
from memory_core.texts import _
from pages.ui.plain import literal

_log = logging.getLogger(__name__)


@contextmanager
def told(tell: Callable[[str], None]) -> Generator[None]:
    """Ends the block at an error and calls `tell` with one line that says what went wrong.

    The line may hold foreign text, except for unforeseen errors: of those only kind and place.
    """
    try:
        yield
    except PlaygroundError as error:
        tell(str(error))
    except Exception as error:  # noqa: BLE001  # nothing here may ever end in a traceback
        kind, place = type(error).__name__, _place(error)
        # Messages of unforeseen errors may hold session text: only type and place are logged.
        _log.error("%s at %s", kind, place)
        line = _("Something went wrong ({kind} at {place}). If it stays, report this line.")
        tell(line.format(kind=kind, place=place))


@contextmanager
def guarded() -> Generator[None]:
    """Shows what went wrong and what is safe instead of the rest of the page."""
    with told(_show):
        yield


def _show(reason: str) -> None:
    st.error(
        _(
            "This could not be shown: {reason} Your session and config are unchanged. Undo the "
            "last change or choose another session."
        ).format(reason=literal(reason))
    )


def _place(error: Exception) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return "?"
    return f"{trace.tb_frame.f_globals.get('__name__', '?')}:{trace.tb_lineno}"
