"""What each technique saves over a whole session: alone, and added to the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, partial

from memory_core.config import MOST, MemoryConfig
from memory_core.gauge import Gauge
from memory_core.messages import ChatMessage
from memory_core.plan import State
from memory_core.replay import Progress, Replay, call_points, replay, summarizer_of, tape_of
from memory_core.summarizing.request import Summarizer
from memory_core.tape import Tape
from memory_core.window import state_counts


class Technique(StrEnum):
    """Pruning shortens old outputs; the window lets old messages leave; the summary stands for
    what left, so it needs the window, and costs tokens.
    """

    PRUNING = "pruning"
    WINDOW = "window"
    SUMMARY = "summary"


@dataclass(frozen=True, slots=True)
class Sent:
    """Tokens sent over all calls, and at how many calls the total is over the config's budget."""

    tokens: int
    over_budget: int


@dataclass(frozen=True, slots=True)
class Saving:
    """Tokens that one technique saves over all calls; negative where it costs some."""

    technique: Technique
    only: Sent
    """With it and nothing else, but for the summary: that needs the window."""
    others: Sent
    """With everything but it."""
    alone: int
    """Saved by `only` against the whole history; of the summary, against the window alone."""
    added: int
    """Saved by everything against `others`."""


@dataclass(frozen=True, slots=True)
class Balance:
    """Tokens sent over all calls of a session: with nothing, with everything, and in between.

    A technique that the config has switched off saves nothing.
    """

    calls: int
    whole: Sent
    """The repaired history sent whole at every call."""
    sent: Sent
    """As the config sends it."""
    represented: int
    """Messages that the summary stands for at the last call."""
    savings: tuple[Saving, ...]
    failures: int = 0
    """Calls, of all the replays together, at which a summary was asked for and not taken."""
    reason: str = ""
    """Why, at the last of them."""
    unsummarised: int = 0
    """Replays among them that got no summary at all: what the summary costs is unknown there."""

    def percent(self, tokens: int) -> float:
        """Tokens in percent of the whole history over all calls."""
        return 100 * tokens / self.whole.tokens if self.whole.tokens else 0.0


def balance(
    messages: Sequence[ChatMessage],
    config: MemoryConfig,
    *,
    gauge: Gauge | None = None,
    new_summarizer: Callable[[], Summarizer | None] | None = None,
    tape: Tape | None = None,
    known: Replay | None = None,
    progress: Progress | None = None,
) -> Balance:
    """The balance of a session, from a replay under every combination that differs: six at most.

    `gauge` and `tape` as for `replay`; `new_summarizer` gives the summariser of one replay, so that
    a failure in one of them does not spoil the next; `known`: a replay under `config` itself that
    is there already; `progress` counts the call points of all replays together.
    """
    found = {config: known} if known is not None and known.config == config else {}
    variants = dict.fromkeys(without(config, *off) for off in _COMBINATIONS)
    missing = [one for one in variants if one not in found]
    points = len(call_points(messages))
    gauge, tape = gauge or Gauge(config), tape or tape_of(messages)
    summarizer_for_one = new_summarizer or cache(partial(summarizer_of, config))
    for place, variant in enumerate(missing):
        found[variant] = replay(
            messages,
            variant,
            summarizer=summarizer_for_one(),
            gauge=gauge,
            tape=tape,
            progress=_share(progress, done=place * points, total=len(missing) * points),
        )
    return _weighed(config, found)


def without(config: MemoryConfig, *off: Technique) -> MemoryConfig:
    """The config with some techniques switched off.

    Pruning: `prune_when="never"`. Summary: `summarizer="none"`. Window: a budget without limit, to
    which only what does not fit would leave, and the same trigger where pruning waits for it;
    nothing leaves then, so there is no summary either.
    """
    changes: dict[str, object] = {}
    if Technique.PRUNING in off:
        changes["prune_when"] = "never"
    if Technique.SUMMARY in off or Technique.WINDOW in off:
        changes["summarizer"] = "none"
    if Technique.WINDOW in off:
        waits = config.prune_when == "trigger" and Technique.PRUNING not in off
        changes |= {
            "max_token_budget": MOST,
            "window_when": "never",
            "target_ratio": 1.0,
            "summary_trigger_ratio": (config.trigger_tokens + 0.5) / MOST if waits else 1.0,
        }
    return config.model_copy(update=changes)


_COMBINATIONS: Sequence[Sequence[Technique]] = (
    (),
    (Technique.PRUNING,),
    (Technique.WINDOW,),
    (Technique.SUMMARY,),
    (Technique.WINDOW, Technique.SUMMARY),
    (Technique.PRUNING, Technique.SUMMARY),
    tuple(Technique),
)
"""What is switched off; without a window there is no summary, so two of them are the same."""


def _weighed(config: MemoryConfig, found: Mapping[MemoryConfig, Replay]) -> Balance:
    def sent(*off: Technique) -> Sent:
        plans = found[without(config, *off)].plans
        over = sum(plan.total > config.max_token_budget for plan in plans)
        return Sent(sum(plan.parts.sent for plan in plans), over)

    whole, full, windowed = sent(*Technique), sent(), sent(Technique.PRUNING, Technique.SUMMARY)
    savings = (
        (Technique.PRUNING, whole, sent(Technique.WINDOW, Technique.SUMMARY)),
        (Technique.WINDOW, whole, windowed),
        (Technique.SUMMARY, windowed, sent(Technique.PRUNING)),
    )
    itself = found[config]
    last = [state_counts(itself.planner, plan) for plan in itself.plans[-1:]]
    failing = [[plan.failure for plan in one.plans if plan.failure] for one in found.values()]
    failures = [reason for reasons in failing for reason in reasons]
    return Balance(
        calls=len(itself.plans),
        whole=whole,
        sent=full,
        represented=sum(counts[State.SUMMARISED] for counts in last),
        savings=tuple(
            Saving(
                technique,
                only,
                others := sent(technique),
                base.tokens - only.tokens,
                others.tokens - full.tokens,
            )
            for technique, base, only in savings
        ),
        failures=len(failures),
        reason=failures[-1] if failures else "",
        unsummarised=sum(
            bool(reasons) and all(plan.summary is None for plan in one.plans)
            for reasons, one in zip(failing, found.values(), strict=True)
        ),
    )


def _share(progress: Progress | None, *, done: int, total: int) -> Progress | None:
    if progress is None:
        return None
    return lambda more, _points: progress(done + more, total)
