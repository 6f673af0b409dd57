"""How far the rules of thumb for tokens are off, and what a trigger that used them would miss."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from memory_core.config import MemoryConfig
from memory_core.gauge import Gauge
from memory_core.messages import ChatMessage
from memory_core.models import ESTIMATORS, FALLBACK_ENCODING, CountedModel, counted_model
from memory_core.raw import RawTotals, raw_totals
from memory_core.scripts import scripts_of
from memory_core.tape import Tape
from memory_core.texts import _, ngettext
from memory_core.tokens.framing import MESSAGE_TOKENS


@dataclass(frozen=True, slots=True)
class Estimate:
    """What one estimator makes of some texts; the ratios are estimate / count, per message."""

    tokens: int
    median: float
    lowest: float
    highest: float


@dataclass(frozen=True, slots=True)
class Group:
    """Texts of messages of one role or of one kind (`scripts.Kind`), or of all."""

    by: Literal["all", "role", "kind"]
    name: str
    """A role, the value of a `Kind`, or "" for all."""
    messages: int
    tokens: int
    """As counted, without the frame of the messages."""
    estimates: Mapping[str, Estimate]

    def ratio(self, estimator: str) -> float:
        """All estimated tokens of the group / all counted ones."""
        return self.estimates[estimator].tokens / self.tokens


@dataclass(frozen=True, slots=True)
class Audit:
    """The counts of one session by the reference and by every estimator."""

    reference: CountedModel
    groups: tuple[Group, ...]
    """All messages first, then by role, then by kind, each with most tokens first."""
    raw: RawTotals
    """The first row is the reference, the others are the estimators in `ESTIMATORS`' order."""

    def totals(self, config: MemoryConfig) -> NDArray[np.int64]:
        """`raw.tokens` with the overhead and reply reserve of a config: what meets the trigger."""
        return self.raw.tokens + config.fixed_overhead_tokens + config.reply_reserve


@dataclass(frozen=True, slots=True)
class Verdict:
    """Where one estimator and the count stand on different sides of the trigger.

    Calls are ordinals from 0. `late`: the count is over the trigger and the estimate is not, so
    a compaction that waits for the estimate comes too late; `early` is the other way round.
    """

    estimator: str
    calls: int
    late: tuple[int, ...]
    early: tuple[int, ...]
    first: int | None
    """The first call at which the estimate is over the trigger."""
    total_at_first: int
    """The counted total there; 0 without such a call."""


def reference_config(config: MemoryConfig) -> MemoryConfig:
    """`config` with a tokenizer to compare with: its own model's, unless that is an estimator."""
    if config.model in ESTIMATORS:
        return config.model_copy(update={"model": FALLBACK_ENCODING})
    return config


def audit(
    messages: Sequence[ChatMessage], config: MemoryConfig, *, gauge: Gauge, tape: Tape
) -> Audit:
    """Every message and call point of a session, counted and estimated.

    `gauge` counts as `reference_config(config)` does, `tape` is `replay.tape_of(messages)`.

    A text is a message without the frame that each one has (it is no text, and the same in all
    counts but for the name of the role); images cost the same everywhere. Messages without any
    text are in no group.
    """
    reference = reference_config(config)
    gauges = {
        name: Gauge(reference.model_copy(update={"model": name}), count=rule)
        for name, rule in ESTIMATORS.items()
    }
    return Audit(
        reference=counted_model(
            reference.model, unknown_model_factor=reference.unknown_model_factor
        ),
        groups=tuple(_groups(messages, gauge, gauges)),
        raw=raw_totals(messages, config, [gauge, *gauges.values()], tape=tape),
    )


def verdicts(found: Audit, config: MemoryConfig) -> list[Verdict]:
    """One verdict per estimator, under the budget, trigger, overhead and reserve of a config.

    Compared is the whole history of every call, repaired, nothing shortened or summarised: what
    the total would be if nothing had left before. At a call that is behind the first compaction
    the real window is smaller, so later calls say how long an estimator would still wait.
    """
    totals = found.totals(config)
    return [
        _verdict(name, totals[0], totals[row], config.trigger_tokens)
        for row, name in enumerate(ESTIMATORS, 1)
    ]


def verdict_text(verdict: Verdict, config: MemoryConfig) -> str:
    """The verdict as sentences; calls are numbered from 1 as everywhere a person reads them."""
    shared = {"rule": verdict.estimator, "calls": verdict.calls}
    sentences: list[str] = []
    if verdict.late:
        late = ngettext(
            "At {n:,} of {calls:,} call {rule} would have compacted too late, first at call "
            "{first:,}.",
            "At {n:,} of {calls:,} calls {rule} would have compacted too late, first at call "
            "{first:,}.",
            verdict.calls,
        )
        sentences.append(late.format(n=len(verdict.late), first=verdict.late[0] + 1, **shared))
        sentences.append(_consequence(verdict, config))
    if verdict.early:
        early = ngettext(
            "At {n:,} of {calls:,} call {rule} would have compacted too early, first at call "
            "{first:,}.",
            "At {n:,} of {calls:,} calls {rule} would have compacted too early, first at call "
            "{first:,}.",
            verdict.calls,
        )
        sentences.append(early.format(n=len(verdict.early), first=verdict.early[0] + 1, **shared))
    if not sentences:
        agreed = ngettext(
            "{rule} is on the same side of the trigger as the count at the only call.",
            "{rule} is on the same side of the trigger as the count at all {calls:,} calls.",
            verdict.calls,
        )
        sentences.append(agreed.format(**shared))
    return " ".join(sentence for sentence in sentences if sentence)


def _consequence(verdict: Verdict, config: MemoryConfig) -> str:
    if verdict.first is None:
        return _("It never would have compacted in this session.")
    over = verdict.total_at_first - config.max_token_budget
    if over <= 0:
        return ""
    return _(
        "When it first compacts, at call {call:,}, the history has {total:,} tokens: {over:,} over "
        "the budget."
    ).format(call=verdict.first + 1, total=verdict.total_at_first, over=over)


def _verdict(
    name: str, counted: NDArray[np.int64], estimated: NDArray[np.int64], trigger: int
) -> Verdict:
    is_due, seems_due = counted > trigger, estimated > trigger
    seen = np.flatnonzero(seems_due).tolist()
    return Verdict(
        estimator=name,
        calls=len(counted),
        late=tuple(np.flatnonzero(is_due & ~seems_due).tolist()),
        early=tuple(np.flatnonzero(seems_due & ~is_due).tolist()),
        first=seen[0] if seen else None,
        total_at_first=int(counted[seen[0]]) if seen else 0,
    )


@dataclass(frozen=True, slots=True)
class _Measured:
    role: str
    kind: str
    tokens: int
    estimates: tuple[int, ...]


def _groups(
    messages: Sequence[ChatMessage], gauge: Gauge, gauges: Mapping[str, Gauge]
) -> Iterator[Group]:
    texts = [
        _Measured(
            message.role,
            scripts_of(message.said).kind,
            tokens,
            tuple(_text_tokens(message, one) for one in gauges.values()),
        )
        for message in messages
        if (tokens := _text_tokens(message, gauge))
    ]
    if texts:
        yield _group("all", "", texts)
    by_role = [
        _group("role", role, [one for one in texts if one.role == role])
        for role in dict.fromkeys(one.role for one in texts)
    ]
    by_kind = [
        _group("kind", kind, [one for one in texts if one.kind == kind])
        for kind in dict.fromkeys(one.kind for one in texts)
    ]
    for groups in (by_role, by_kind):
        yield from sorted(groups, key=lambda group: -group.tokens)


def _text_tokens(message: ChatMessage, gauge: Gauge) -> int:
    return gauge.tokens(message) - MESSAGE_TOKENS - gauge.count(message.role)


def _group(by: Literal["all", "role", "kind"], name: str, texts: Sequence[_Measured]) -> Group:
    estimates: dict[str, Estimate] = {}
    for place, estimator in enumerate(ESTIMATORS):
        ratios = [one.estimates[place] / one.tokens for one in texts]
        total = sum(one.estimates[place] for one in texts)
        estimates[estimator] = Estimate(total, median(ratios), min(ratios), max(ratios))
    return Group(by, name, len(texts), sum(one.tokens for one in texts), estimates)
