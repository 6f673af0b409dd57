"""The sessions that come with the app."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memory_core.texts import _

FOLDER: Final = Path(__file__).parents[2] / "sample_sessions"


@dataclass(frozen=True, slots=True)
class Sample:
    """What a sample is called on the screen, and what it shows."""

    label: str
    story: str


def samples() -> dict[str, Sample]:
    """All samples by name, the one shown at the first visit first."""
    return {
        "coding_agent": Sample(
            _("Coding agent, web shop"),
            _(
                "An agent finds and fixes five faults. Most tokens are tool outputs: move the "
                "pruning threshold and the budget."
            ),
        ),
        "data_analysis": Sample(
            _("Data analysis, parallel calls"),
            _(
                "An analyst calls several tools at once and gets large tables: compare the ways in "
                "which outputs are shortened."
            ),
        ),
        "customer_service_ko": Sample(
            _("Customer service, Korean"),
            _(
                "A customer changes their mind several times. No output is large: window and "
                "summary decide which early words stay."
            ),
        ),
        "long_chat_ko": Sample(
            _("Long chat, Korean"),
            _(
                "A family trip planned over weeks, without tools. Conditions come first and are "
                "needed at the end: see what the summary keeps of them."
            ),
        ),
        "stuck_agent": Sample(
            _("Stuck release agent"),
            _(
                "An agent makes the same calls again and again; what would have helped it was said "
                "early. Look at the repeated calls, then pin message 1."
            ),
        ),
        "broken": Sample(
            _("Broken recording"),
            _(
                "Calls without results, results without calls, late and doubled ones: look at the "
                "repairs."
            ),
        ),
    }


def read_sample(name: str) -> bytes:
    """The file of a sample; `name` is one of `samples()`."""
    return (FOLDER / f"{name}.json").read_bytes()
