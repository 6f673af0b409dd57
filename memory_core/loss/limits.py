"""What a session has to keep, and what its windows may cost at most: a check for builds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from memory_core.loss.figures import Loss
from memory_core.replay import Replay


@dataclass(frozen=True, slots=True)
class Limits:
    """None where nothing is asked."""

    min_retention: float | None = None
    """The least share that has to be kept, from 0 to 1, see `retention`."""
    max_tokens: int | None = None
    """The most tokens that a window may have, with what is kept free for the reply."""


class Breach(StrEnum):
    """Which limit a session does not hold."""

    RETENTION = "retention"
    TOKENS = "tokens"


@dataclass(frozen=True, slots=True, eq=False)
class Checked:
    """A session beside the limits."""

    loss: Loss
    largest: int
    """Tokens of the largest window."""
    breaches: tuple[Breach, ...]


def retention(loss: Loss) -> float | None:
    """The share that tells most: needed items of an agent's session, content words of a chat.

    From 0 to 1; None where nothing was needed.
    """
    return loss.needs.ratio if loss.is_agent else loss.word_recall


def check(replay: Replay, loss: Loss, limits: Limits) -> Checked:
    """Whether a replay, and what it loses, hold the limits; where nothing was needed it does."""
    largest = max((plan.total for plan in replay.plans), default=0)
    kept = retention(loss)
    breaches: list[Breach] = []
    if limits.min_retention is not None and kept is not None and kept < limits.min_retention:
        breaches.append(Breach.RETENTION)
    if limits.max_tokens is not None and largest > limits.max_tokens:
        breaches.append(Breach.TOKENS)
    return Checked(loss, largest, tuple(breaches))
