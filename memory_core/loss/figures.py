"""The figures of what a config loses, as values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from memory_core.facts import FactKind, StatementKind
from memory_core.loss.needs import Need
from memory_core.loss.terms import Numbers

Shares = NDArray[np.float64]

GAPS: Final[Mapping[str, tuple[int, int]]] = {"4-9": (4, 9), "10-29": (10, 29), "30+": (30, 10**9)}
"""Messages since an item was last said: name, least and most."""


@dataclass(frozen=True, slots=True)
class Share:
    """How many of how many were kept."""

    kept: int
    of: int

    @property
    def ratio(self) -> float | None:
        """From 0 to 1; None where there was nothing to keep."""
        return self.kept / self.of if self.of else None

    @property
    def lost(self) -> int:
        return self.of - self.kept


@dataclass(frozen=True, slots=True)
class Lost:
    """A need that the window could not meet, and what getting the item back costs at least."""

    need: Need
    tokens: int
    """Tokens of the source: the tool call and its output again, or the message that said it."""
    is_refetch: bool
    """True where a tool gave the item, which can be called again; else somebody has to be asked."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A constraint or prohibition that was said in the conversation, and where it stands."""

    statement: int
    text: str
    said: int
    """The message that first said it."""
    stands: bool
    """Whether it stands at the last call."""
    lost_at: int | None
    """The first call (from 0) that it does not reach, None if it reaches all."""
    reached: Share
    """The calls after it was said that it stands at."""


@dataclass(frozen=True, slots=True)
class Round:
    """What one compaction left: of everything said so far, and of what was needed until the next.

    `call` counts from 0.
    """

    call: int
    said: Share
    """Items said so far that still stand."""
    words: float
    """Content words said so far that still stand, by idf weight, from 0 to 1."""
    needs: Share
    """Needs from this compaction to the next one."""


@dataclass(frozen=True, slots=True, eq=False)
class Loss:
    """What a config keeps of a session, and what of it the session needed.

    A lower bound of the harm: the session is replayed as recorded, and an agent that had lost
    something would have gone on otherwise. Standing in the window is necessary, not sufficient.
    """

    is_agent: bool
    """True where the session calls tools: needs and actions tell most. Else words do."""
    calls: int
    compactions: int
    needs: Share
    """Forward-reference recall: needed items that stand in the window of their call."""
    by_gap: Mapping[str, Share]
    """The same by `GAPS`."""
    by_kind: Mapping[FactKind, Share]
    """The same by kind of item."""
    actions: Share
    """Action support: tool calls for which every needed item stands."""
    rare_words: Share
    """Rare words, in no item, that were said again: those that stand."""
    said: Mapping[FactKind, Numbers]
    """By kind, shape (calls,): items said before the call, the anchor's left out."""
    standing: Mapping[FactKind, Numbers]
    """By kind, shape (calls,): those of them that stand."""
    told: Mapping[StatementKind, Numbers]
    """By kind, shape (calls,): statements made before the call, the anchor's left out."""
    told_standing: Mapping[StatementKind, Numbers]
    """By kind, shape (calls,): those of them that stand."""
    rules: tuple[Rule, ...]
    """Constraints and prohibitions said in the conversation, in order."""
    words: Shares
    """Shape (calls,): content words said so far that stand, by idf weight, from 0 to 1."""
    rounds: tuple[Round, ...]
    lost: tuple[Lost, ...]
    places: Mapping[str, int]
    """Where the needed items stand: first, middle and last third of the window's tokens."""
    drift: Numbers
    """Shape (calls,): tokens between the anchor and the end of the window."""

    @property
    def salience(self) -> Share:
        """Salient-item recall at the last call: items of the whole history that stand."""
        return Share(
            sum(int(line[-1]) for line in self.standing.values() if len(line)),
            sum(int(line[-1]) for line in self.said.values() if len(line)),
        )

    @property
    def rule_survival(self) -> Share:
        """Constraints and prohibitions of the conversation that stand at the last call."""
        return Share(sum(rule.stands for rule in self.rules), len(self.rules))

    def kinds(self) -> dict[FactKind | StatementKind, Share]:
        """Salient-item recall at the last call by kind of item and of statement."""
        lines = [*_last(self.said, self.standing), *_last(self.told, self.told_standing)]
        return dict(lines)

    @property
    def word_recall(self) -> float | None:
        """Content-word recall by idf weight, mean of all calls; None without calls."""
        return float(self.words.mean()) if len(self.words) else None

    @property
    def refetch_tokens(self) -> int:
        """Tokens of calling tools again, each source once."""
        return _tokens([one for one in self.lost if one.is_refetch])

    @property
    def question_tokens(self) -> int:
        """Tokens of what somebody has to say again, each source once."""
        return _tokens([one for one in self.lost if not one.is_refetch])

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain JSON data."""
        return {
            "kind": "agent" if self.is_agent else "chat",
            "calls": self.calls,
            "compactions": self.compactions,
            "needs": _share(self.needs),
            "needs_by_gap": {name: _share(one) for name, one in self.by_gap.items()},
            "needs_by_kind": {name: _share(one) for name, one in self.by_kind.items()},
            "actions": _share(self.actions),
            "salient_items": _share(self.salience),
            "said_by_kind": {name: _share(one) for name, one in self.kinds().items()},
            "rules": _share(self.rule_survival),
            "word_recall": self.word_recall,
            "rare_words": _share(self.rare_words),
            "lost": len(self.lost),
            "refetch_tokens": self.refetch_tokens,
            "question_tokens": self.question_tokens,
            "places": dict(self.places),
            "rounds": [
                {
                    "call": one.call + 1,
                    "said": _share(one.said),
                    "words": one.words,
                    "needs": _share(one.needs),
                }
                for one in self.rounds
            ],
        }


Kind = TypeVar("Kind", bound=str)


def _last(
    said: Mapping[Kind, Numbers], standing: Mapping[Kind, Numbers]
) -> Iterator[tuple[Kind, Share]]:
    for kind, line in said.items():
        if len(line) and line[-1]:
            yield kind, Share(int(standing[kind][-1]), int(line[-1]))


def _tokens(lost: list[Lost]) -> int:
    return sum({one.need.last: one.tokens for one in lost}.values())


def _share(share: Share) -> dict[str, float | int | None]:
    return {"kept": share.kept, "of": share.of, "ratio": share.ratio}
