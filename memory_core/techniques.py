"""What each technique saves over a whole session: alone, and added to the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from memory_core.config import MOST, MemoryConfig
from memory_core.replay import Replay


class Technique(StrEnum):
    """Pruning shortens old outputs; the window lets old messages leave; the summary stands for
    what left, so it needs the window and costs tokens.
    """

    PRUNING = "pruning"
    WINDOW = "window"
    SUMMARY = "summary"


@dataclass(frozen=True, slots=True)
class Saving:
    """Tokens one technique saves over all calls; negative where it costs some.

    `alone`: against the whole history, for the summary against the window alone. `added`: what
    the config saves more with it than without it.
    """

    technique: Technique
    alone: int
    added: int


@dataclass(frozen=True, slots=True)
class Balance:
    """Tokens sent over all calls of a session, with everything and with nothing."""

    whole: int
    """The repaired history sent whole at every call."""
    sent: int
    """As the config sends it."""
    over_budget: int
    """Calls at which the whole history would not fit the budget."""
    calls: int
    represented: int
    """Messages that the last summary stands for."""
    savings: tuple[Saving, ...]


Replaying = Callable[[MemoryConfig], Replay]


def balance(config: MemoryConfig, replaying: Replaying) -> Balance:
    """The balance of a session, which `replaying` replays under a config: six times in all.

    Switched off are pruning by `prune_when="never"`, the window by a budget without limit (a
    pruning that waits for the trigger then always happens), the summary by `summarizer="none"`.
    """
    variants = _variants(config)
    replays = [replaying(variant) for variant in variants]
    whole, pruned, cut, kept, bare, full = [_sent(found) for found in replays]
    budget = config.max_token_budget - config.reply_reserve
    last = replays[-1].plans[-1:] if config.summarizer != "none" else ()
    return Balance(
        whole=whole,
        sent=full,
        over_budget=sum(plan.parts.sent > budget for plan in replays[0].plans),
        calls=len(replays[0].plans),
        represented=sum(plan.behind for plan in last),
        savings=(
            Saving(Technique.PRUNING, whole - pruned, kept - full),
            Saving(Technique.WINDOW, whole - cut, pruned - bare),
            Saving(Technique.SUMMARY, cut - kept, bare - full),
        ),
    )


def _variants(config: MemoryConfig) -> Sequence[MemoryConfig]:
    """Nothing; pruning; window; window and summary; pruning and window; everything."""
    unlimited = {
        "max_token_budget": MOST,
        "window_when": "trigger",
        "summary_trigger_ratio": 1.0,
        "summarizer": "none",
    }
    waits = config.prune_when == "trigger"
    return (
        config.model_copy(update={**unlimited, "prune_when": "never"}),
        config.model_copy(update={**unlimited, **({"prune_when": "always"} if waits else {})}),
        config.model_copy(update={"prune_when": "never", "summarizer": "none"}),
        config.model_copy(update={"prune_when": "never"}),
        config.model_copy(update={"summarizer": "none"}),
        config,
    )


def _sent(found: Replay) -> int:
    return sum(plan.parts.sent for plan in found.plans)
