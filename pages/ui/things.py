"""Everything in a session that can be lost, in the order in which a person looks for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Final

from memory_core.loss import Index, Loss, lost_items
from memory_core.texts import _, ngettext
from pages.ui.kinds import kind_name
from pages.ui.plain import brief

LONGEST: Final = 80
"""Characters of a thing that are shown."""


class Things:
    """Items by their number, statements by their words."""

    def __init__(self, index: Index, loss: Loss) -> None:
        self.kinds: list[str] = [*index.kinds, *index.spoken.kinds]
        self._index = index
        self._lost = {one.first.need.item: one.times for one in lost_items(loss, index)}
        self._rules = [one.text for one in loss.rules if not one.stands]
        self._statements = {one.text: number for number, one in enumerate(index.spoken.statements)}

    def ordered(self, kinds: Sequence[str]) -> list[int | str]:
        """Those of some kinds (none = all): what was lost first, then what was said most often."""
        wanted = frozenset(kinds or self.kinds)
        gone: dict[int | str, None] = dict.fromkeys([*self._lost, *self._rules])
        every: list[int | str] = [*range(len(self._index.items)), *self._statements]
        rest = sorted(
            (one for one in every if one not in gone and self.kind(one) in wanted),
            key=lambda one: -self._said(one),
        )
        return [*(one for one in gone if self.kind(one) in wanted), *rest]

    def kind(self, thing: int | str) -> str:
        """The kind of a thing; "" of words that are none."""
        if isinstance(thing, int):
            return self._index.items[thing].kind
        number = self._statements.get(thing)
        return "" if number is None else self._index.spoken.statements[number].kind

    def counted(self, kind: str) -> str:
        """A kind with how many there are, and how many of them were lost."""
        n, gone = self._counts[kind], self._gone[kind]
        if gone:
            return _("{kind} {n:,}, ✖ {lost:,}").format(kind=kind_name(kind), n=n, lost=gone)
        return f"{kind_name(kind)} {n:,}"

    def label(self, thing: int | str) -> str:
        """A thing in words, with a mark where it was lost."""
        kind = self.kind(thing)
        if not kind:
            return brief(str(thing), longest=LONGEST)
        text = self._index.items[thing].text if isinstance(thing, int) else thing
        parts = [brief(text, longest=LONGEST), kind_name(kind), self._told(thing)]
        return self._mark(thing) + " · ".join(parts)

    def _mark(self, thing: int | str) -> str:
        return "✖ " if thing in self._lost or thing in self._rules else ""

    def _told(self, thing: int | str) -> str:
        if isinstance(thing, int) and thing in self._lost:
            n = self._lost[thing]
            line = ngettext("lost and needed {n:,} time", "lost and needed {n:,} times", n)
            return line.format(n=n)
        if thing in self._rules:
            return _("gone at the last call")
        n = self._said(thing)
        return ngettext("said {n:,} time", "said {n:,} times", n).format(n=n)

    def _said(self, thing: int | str) -> int:
        if isinstance(thing, int):
            return int(self._index.said.counts[thing])
        return int(self._index.spoken.said.counts[self._statements[thing]])

    @cached_property
    def _counts(self) -> Counter[str]:
        kinds = Counter[str](item.kind for item in self._index.items)
        kinds.update(self.kind(one) for one in self._statements)
        return kinds

    @cached_property
    def _gone(self) -> Counter[str]:
        return Counter(self.kind(one) for one in (*self._lost, *self._rules))
