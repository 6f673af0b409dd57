"""The smallest change of one setting that would have kept what was lost, found by replaying."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from memory_core.config import MemoryConfig
from memory_core.gauge import Gauge
from memory_core.loss.index import Index
from memory_core.loss.lifeline import Form, form_at
from memory_core.loss.subject import Subject
from memory_core.replay import Progress, Replay, replay, tape_of
from memory_core.summarizing import Summarizer

MOST_REPLAYS: Final = 14
"""Replays that one setting may take: enough to halve 10,000 steps down to one."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """One changed setting under which something stands in the window of a call."""

    field: str
    value: object
    config: MemoryConfig
    form: Form
    extra_tokens: int
    """Tokens sent up to that call, all calls together, more than under the config as it is."""
    extra_share: float
    """The same as a share of what is sent now."""


@dataclass(frozen=True, slots=True)
class _Setting:
    """Values to try for one field, from the smallest change to the largest."""

    field: str
    values: Sequence[object]


def remedies(
    found: Replay,
    index: Index,
    subject: Subject,
    at: int,
    *,
    summarizer: Callable[[], Summarizer | None] | None = None,
    progress: Progress | None = None,
) -> tuple[Remedy, ...]:
    """For each setting, the smallest change that keeps `subject` at the call point at `at`.

    The cheapest in tokens comes first; settings that cannot keep it are left out. Each is changed
    alone. Budgets, thresholds and caps move in steps of one percent, all else by one. Where more of
    a setting keeps more, the change is the first step that keeps it; where it does not, it is one
    that keeps it. Nothing is found where nothing said it before, or where it stands already.
    `summarizer` makes the one that the replay was made with, if it was not the config's own.
    Raises `UnknownCallPoint`.

    `progress` gets (settings settled, all) after every call of every trial; what it raises ends it.
    """
    plan = found.plan_at(at)
    is_said = any(one < at for one in subject.said)
    if not is_said or form_at(found, index, subject, plan) is not Form.GONE:
        return ()
    trial = _Trial(found, index, subject, at, summarizer or (lambda: None))
    before = _sent(found, plan.ordinal)
    settings = list(_settings(found, subject, at))
    kept: list[Remedy] = []
    for settled, setting in enumerate(settings):
        if progress is not None:
            trial.tell = partial(_tell, progress, settled, len(settings))
        remedy = _smallest(setting, trial, before)
        if remedy is not None:
            kept.append(remedy)
    return tuple(sorted(kept, key=lambda one: one.extra_tokens))


class _Trial:
    """Replays a session up to a call under changed configs."""

    def __init__(
        self,
        found: Replay,
        index: Index,
        subject: Subject,
        at: int,
        summarizer: Callable[[], Summarizer | None],
    ) -> None:
        self._messages, self._config = found.messages, found.config
        self._gauge: Gauge = found.planner.gauge
        self._tape = tape_of(found.messages)
        self._index, self._subject, self._at = index, subject, at
        self._summarizer = summarizer
        self.tell: Progress | None = None
        """Called after every call of a replay."""

    def under(self, field: str, value: object) -> tuple[Replay, Form]:
        """The replay under one changed value, and the form at its last call."""
        changed = MemoryConfig.model_validate({**self._config.model_dump(), field: value})
        result = replay(
            self._messages,
            changed,
            summarizer=self._summarizer(),
            gauge=self._gauge,
            tape=self._tape,
            until=self._at,
            progress=self.tell,
        )
        return result, form_at(result, self._index, self._subject, result.plans[-1])


def _sent(result: Replay, ordinal: int) -> int:
    """Tokens of all requests up to a call."""
    return sum(plan.parts.sent for plan in result.plans[: ordinal + 1])


def _tell(progress: Progress, settled: int, settings: int, _done: int, _calls: int) -> None:
    progress(settled, settings)


def _smallest(setting: _Setting, trial: _Trial, before: int) -> Remedy | None:
    """The first value that keeps it, by halving; the last has to."""
    if not setting.values:
        return None
    low, high = 0, len(setting.values) - 1
    best = trial.under(setting.field, setting.values[high])
    if best[1] is Form.GONE:
        return None
    for _attempt in range(MOST_REPLAYS - 1):
        if low >= high:
            break
        middle = (low + high) // 2
        tried = trial.under(setting.field, setting.values[middle])
        if tried[1] is Form.GONE:
            low = middle + 1
        else:
            high, best = middle, tried
    result, form = best
    extra = _sent(result, len(result.plans)) - before
    return Remedy(
        field=setting.field,
        value=setting.values[high],
        config=result.config,
        form=form,
        extra_tokens=extra,
        extra_share=extra / max(1, before),
    )


def _settings(found: Replay, subject: Subject, at: int) -> Iterator[_Setting]:
    config, plan = found.config, found.plan_at(at)
    said = [one for one in subject.said if one < at]
    source = found.messages[said[-1]]
    yield _Setting("max_token_budget", _steps(config.max_token_budget, 4 * plan.raw_tokens + 1_000))
    yield _Setting("sliding_window_size", range(config.sliding_window_size + 1, at + 1))
    if config.summary_trigger_ratio < 1:
        hundredths = range(int(100 * config.summary_trigger_ratio) + 1, 101)
        yield _Setting("summary_trigger_ratio", [value / 100 for value in hundredths])
    if source.role == "tool":
        longest = len(source.text) + 1
        yield _Setting("tool_pruning_threshold", _steps(config.tool_pruning_threshold, longest))
        recent = range(config.keep_recent_messages + 1, at + 1)
        yield _Setting("keep_recent_messages", recent)
    if config.summarizer == "none":
        yield _Setting("summarizer", ["extractive"])
    else:
        yield _Setting(
            "max_summary_tokens", _steps(config.summary_cap, config.max_token_budget // 2)
        )
    yield _Setting("pins", [(*config.pins, said[-1])])


def _steps(value: int, most: int) -> list[int]:
    """Values above `value` up to `most`, each about one percent above the one before."""
    found: list[int] = []
    while value < most:
        value = min(most, max(value + 1, value + value // 100))
        found.append(value)
    return found
