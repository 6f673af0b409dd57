"""How much of a figure is chance: what an unrelated session holds of the same needs."""

from __future__ import annotations

from memory_core.loss.figures import Share
from memory_core.loss.index import Index
from memory_core.loss.needs import Needs


def coincidence(index: Index, needs: Needs, other: Index) -> Share:
    """The needs whose item an unrelated session says somewhere, gate aside.

    Read a recall beside it: what is found where it cannot have come from tells nothing. Sessions
    of one project are related: theirs is no floor.
    """
    names = list(index.said.numbers)
    found = sum(names[need.item] in other.said for need in needs.items)
    return Share(found, len(needs.items))
