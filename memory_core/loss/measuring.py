"""Measuring a replay against what its session says and needs again."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import compress
from typing import Protocol, TypeVar

import numpy as np

from memory_core.calls import answered_calls
from memory_core.facts import FactKind
from memory_core.gauge import Gauge
from memory_core.loss.figures import GAPS, Loss, Lost, Round, Rule, Share
from memory_core.loss.index import Index
from memory_core.loss.needs import Need, Needs
from memory_core.loss.places import THIRDS, Places
from memory_core.loss.standing import Standing, standing
from memory_core.loss.terms import Mask, Numbers
from memory_core.messages import ChatMessage, ToolCall
from memory_core.plan import Plan
from memory_core.replay import Progress, Replay


class _Called(Protocol):
    @property
    def call(self) -> int: ...


_AtCall = TypeVar("_AtCall", bound=_Called)
Kind = TypeVar("Kind", bound=str)


def measure(
    replay: Replay, index: Index, needs: Needs, *, progress: Progress | None = None
) -> Loss:
    """What the windows of a replay keep; `index` and `needs` are of the same session.

    Of a replay that ends early the needs up to there count. Raises `NotMeasurable` for a draft,
    and for a replay of other messages.

    Costs no tokenising beyond what the replay did, and reads only texts that stand for messages.
    """
    tally = _Tally(replay, index, needs)
    for call, step in enumerate(standing(replay, index)):
        tally.take(call, step)
        if progress is not None:
            progress(call + 1, len(replay.plans))
    return tally.loss()


class _Tally:
    """Adds up one call point after another."""

    def __init__(self, replay: Replay, index: Index, needs: Needs) -> None:
        self._replay, self._index, self._needs = replay, index, _until(needs, len(replay.plans))
        self._places = Places(replay, index)
        self._kept: dict[int, list[bool]] = {}
        self._actions_kept = 0
        self._words_kept = 0
        self._thirds: Counter[str] = Counter(dict.fromkeys(THIRDS, 0))
        self._said: list[Numbers] = []
        self._standing: list[Numbers] = []
        self._told: list[Numbers] = []
        self._told_standing: list[Numbers] = []
        self._rules = _rules_of(index)
        self._rules_stand: list[Mask] = []
        self._words: list[float] = []
        self._needs_of = _by_call(self._needs.items)
        self._words_of = _by_call(self._needs.words)
        self._actions_of = _by_call(self._needs.actions)

    def take(self, call: int, step: Standing) -> None:
        index = self._index
        needs = self._needs_of.get(call, ())
        kept = self._kept[call] = [bool(step.items[need.item]) for need in needs]
        self._thirds.update(self._places.thirds(list(compress(needs, kept)), step))
        for action in self._actions_of.get(call, ()):
            self._actions_kept += bool(step.items[list(action.items)].all())
        self._words_kept += sum(
            bool(step.words[need.item]) for need in self._words_of.get(call, ())
        )
        said = (index.said.first < step.plan.at) & ~index.anchored
        self._said.append(_kinds(index.kind_numbers, said, len(index.kinds)))
        self._standing.append(_kinds(index.kind_numbers, said & step.items, len(index.kinds)))
        spoken, at = index.spoken, step.plan.at
        told = (spoken.said.first < at) & ~index.anchored_statements
        self._told.append(_kinds(spoken.kind_numbers, told, len(spoken.kinds)))
        stands = told & step.statements
        self._told_standing.append(_kinds(spoken.kind_numbers, stands, len(spoken.kinds)))
        self._rules_stand.append(stands[self._rules])
        used = (index.words.first < at) & ~index.anchored_words
        total = index.word_weights[used].sum()
        kept_weight = index.word_weights[used & step.words].sum()
        self._words.append(float(kept_weight / total) if total else 1.0)

    def loss(self) -> Loss:
        index, plans, needs = self._index, self._replay.plans, self._needs.items
        kept = [is_kept for call in range(len(plans)) for is_kept in self._kept[call]]
        said, stands = _table(self._said), _table(self._standing)
        told, told_stands = _table(self._told), _table(self._told_standing)
        shares = [
            Share(int(one), int(of))
            for one, of in zip(stands.sum(axis=1), said.sum(axis=1), strict=True)
        ]
        return Loss(
            is_agent=any(message.tool_calls for message in index.messages),
            calls=len(plans),
            compactions=sum(plan.receipt is not None for plan in plans),
            needs=_share(kept),
            by_gap=_by_gap(needs, kept),
            by_kind=_by_kind(index, needs, kept),
            actions=Share(self._actions_kept, len(self._needs.actions)),
            rare_words=Share(self._words_kept, len(self._needs.words)),
            said=_columns(index.kinds, said),
            standing=_columns(index.kinds, stands),
            told=_columns(index.spoken.kinds, told),
            told_standing=_columns(index.spoken.kinds, told_stands),
            rules=_rules(index, self._rules, plans, self._rules_stand),
            words=np.array(self._words, np.float64),
            rounds=_rounds(plans, shares, self._words, self._kept),
            lost=self._lost([need for need, stays in zip(needs, kept, strict=True) if not stays]),
            places=dict(self._thirds),
            drift=np.array([plan.parts.sent - plan.parts.system for plan in plans], np.int64),
        )

    def _lost(self, missed: Sequence[Need]) -> tuple[Lost, ...]:
        messages, gauge = self._index.messages, self._replay.planner.gauge
        calls = {
            made.result.index: made.call
            for made in (answered_calls(messages) if missed else ())
            if made.result is not None
        }
        return tuple(_lost(need, messages, gauge, calls) for need in missed)


def _lost(
    need: Need, messages: Sequence[ChatMessage], gauge: Gauge, calls: Mapping[int, ToolCall]
) -> Lost:
    tokens, call = gauge.tokens(messages[need.last]), calls.get(need.last)
    if call is None:
        return Lost(need, tokens, is_refetch=False)
    return Lost(need, tokens + gauge.count(call.arguments), is_refetch=True)


def _kinds(kinds: Numbers, terms: Mask, count: int) -> Numbers:
    """How many of these terms are of each of so many kinds."""
    return np.bincount(kinds[terms], minlength=count)


def _table(rows: Sequence[Numbers]) -> Numbers:
    """Shape (calls, kinds)."""
    return np.array(rows, np.int64) if rows else np.zeros((0, 0), np.int64)


def _columns(kinds: Sequence[Kind], table: Numbers) -> dict[Kind, Numbers]:
    return {kind: table[:, place] for place, kind in enumerate(kinds) if table.size}


def _rules_of(index: Index) -> list[int]:
    """The numbers of the constraints that the anchor does not say."""
    return [
        number
        for number, statement in enumerate(index.spoken.statements)
        if statement.kind == "constraint" and not index.anchored_statements[number]
    ]


def _rules(
    index: Index, numbers: Sequence[int], plans: Sequence[Plan], stand: Sequence[Mask]
) -> tuple[Rule, ...]:
    ats = [plan.at for plan in plans]
    found: list[Rule] = []
    for place, number in enumerate(numbers):
        statement = index.spoken.statements[number]
        reached = [bool(mask[place]) for mask in stand[bisect_right(ats, statement.message) :]]
        if reached:
            first = len(plans) - len(reached)
            lost = first + reached.index(False) if False in reached else None
            rule = Rule(
                number, statement.text, statement.message, reached[-1], lost, _share(reached)
            )
            found.append(rule)
    return tuple(found)


def _until(needs: Needs, calls: int) -> Needs:
    """The needs of the first so many calls."""
    return Needs(
        items=tuple(need for need in needs.items if need.call < calls),
        actions=tuple(action for action in needs.actions if action.call < calls),
        words=tuple(need for need in needs.words if need.call < calls),
    )


def _by_call(needs: Iterable[_AtCall]) -> dict[int, list[_AtCall]]:
    found: defaultdict[int, list[_AtCall]] = defaultdict(list)
    for need in needs:
        found[need.call].append(need)
    return found


def _share(kept: Sequence[bool]) -> Share:
    return Share(sum(kept), len(kept))


def _by_kind(index: Index, needs: Sequence[Need], kept: Sequence[bool]) -> dict[FactKind, Share]:
    found: defaultdict[FactKind, list[bool]] = defaultdict(list)
    for need, is_kept in zip(needs, kept, strict=True):
        found[index.items[need.item].kind].append(is_kept)
    return {kind: _share(found[kind]) for kind in index.kinds if kind in found}


def _by_gap(needs: Sequence[Need], kept: Sequence[bool]) -> dict[str, Share]:
    pairs = list(zip(needs, kept, strict=True))
    return {
        name: _share([is_kept for need, is_kept in pairs if least <= need.gap <= most])
        for name, (least, most) in GAPS.items()
    }


def _rounds(
    plans: Sequence[Plan],
    shares: Sequence[Share],
    words: Sequence[float],
    needs: Mapping[int, Sequence[bool]],
) -> tuple[Round, ...]:
    starts = [call for call, plan in enumerate(plans) if plan.receipt is not None]
    ends = [*starts[1:], len(plans)]
    return tuple(
        Round(
            call=start,
            said=shares[start],
            words=words[start],
            needs=_share([kept for call in range(start, end) for kept in needs.get(call, ())]),
        )
        for start, end in zip(starts, ends, strict=False)
    )
