"""Lost needs by item: what the session would have had to look up again, most often first."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from memory_core.facts import FactKind
from memory_core.loss.figures import Loss, Lost
from memory_core.loss.index import Index


@dataclass(frozen=True, slots=True)
class LostItem:
    """An item that was needed and did not stand in the window."""

    kind: FactKind
    text: str
    losses: tuple[Lost, ...]
    """Its lost needs in the order of the session, at least one."""

    @property
    def times(self) -> int:
        return len(self.losses)

    @property
    def first(self) -> Lost:
        """The need that was lost first."""
        return self.losses[0]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data of all its losses and of the first; calls from 1, messages from 0."""
        need = self.first.need
        return {
            "kind": self.kind,
            "text": self.text,
            "times": self.times,
            "said": need.last,
            "gap": need.gap,
            "call": need.call + 1,
            "needed": need.at,
            "tokens": self.first.tokens,
            "is_refetch": self.first.is_refetch,
        }


def lost_items(loss: Loss, index: Index) -> tuple[LostItem, ...]:
    """Every item of which a need was lost, most lost needs first; `index` is what was measured."""
    found: defaultdict[int, list[Lost]] = defaultdict(list)
    for lost in loss.lost:
        found[lost.need.item].append(lost)
    items = [
        LostItem(index.items[number].kind, index.items[number].text, tuple(losses))
        for number, losses in found.items()
    ]
    return tuple(sorted(items, key=lambda item: -item.times))
