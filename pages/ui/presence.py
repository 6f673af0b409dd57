"""Whether a visitor's tab is still open, for work that outlives a run of the page."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

GRACE_SECONDS: Final = 10.0
"""How long a tab may be gone, as when its network fails for a moment."""


def presence(*, clock: Callable[[], float] = time.monotonic) -> Callable[[], bool]:
    """What tells, from any thread, whether the tab of this run is open; call it in the run.

    Without a server, as in a test of the page alone, every tab counts as open.
    """
    context = get_script_run_ctx()
    tab = context.session_id if context is not None else ""
    seen = clock()

    def is_open() -> bool:
        nonlocal seen
        if not runtime.exists() or runtime.get_instance().is_active_session(tab):
            seen = clock()
        return clock() - seen < GRACE_SECONDS

    return is_open
