"""The one place that turns an error into words a person can use, without a traceback."""

from __future__ import annotations

import logging
from collections.abc import Generator
from contextlib import contextmanager

import streamlit as st

from memory_core.errors import PlaygroundError
from memory_core.texts import _
from pages.ui.plain import literal

_log = logging.getLogger(__name__)


@contextmanager
def guarded() -> Generator[None]:
    """Shows what went wrong and what is safe instead of the rest of the page."""
    try:
        yield
    except PlaygroundError as error:
        st.error(
            _("This could not be shown: {reason} Your session and config are unchanged.").format(
                reason=literal(str(error))
            )
        )
    except Exception as error:  # noqa: BLE001  # a page must never end in a traceback
        place = _place(error)
        # Messages of unforeseen errors may hold session text: only type and place are logged.
        _log.error("%s at %s", type(error).__name__, place)
        st.error(
            _(
                "Something went wrong here ({kind} at {place}). Your session and config are "
                "unchanged. Undo the last change or choose another session; if it stays, report "
                "this line."
            ).format(kind=literal(type(error).__name__), place=literal(place))
        )


def _place(error: Exception) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return "?"
    return f"{trace.tb_frame.f_globals.get('__name__', '?')}:{trace.tb_lineno}"
