"""Each session format stands alone, so that one can be added or removed without the others."""

from __future__ import annotations

from itertools import permutations

import grimp

from memory_core.sessions import FORMATS


def test_no_session_format_leans_on_another() -> None:
    graph = grimp.build_graph("memory_core")
    modules = {type(session_format).__module__ for session_format in FORMATS.values()}
    leaning = [
        f"{importer} needs {imported}"
        for importer, imported in permutations(sorted(modules), 2)
        if graph.find_shortest_chain(importer, imported)
    ]
    assert leaning == []
    assert len(modules) > 1
