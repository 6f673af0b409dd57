"""The stuck session: an agent that repeats itself while the reason lies in an early message."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from sample_sessions.making.recording import Message, record
from sample_sessions.making.scripts import Call, Step

SYSTEM: Final = (
    "You are a release agent for the service `ledger-api`. Use the tools, say what you do in one "
    "sentence, and report at the end. Never change files below vault/."
)

_CONFIG: Final = "deploy/ledger-api/config.yaml"
_FILES: Final[Mapping[str, str]] = {
    "README.md": "# ledger-api\n\nDeployed by `release`. Settings: see deploy/.\n"
    + "".join(
        f"\n## Part {n}\n\nThe module `ledger/part_{n:02}.py` posts entries of kind {n} and is "
        f"covered by tests/test_part_{n:02}.py.\n"
        for n in range(1, 25)
    ),
    _CONFIG: "region: eu-west\nreplicas: 3\ndatabase:\n  host: ledger-db-2\n  port: 6543\n",
    "deploy/ledger-api/values.json": json.dumps({"timeout": 30, "workers": 8}),
    "logs/release-2026-04-17.log": "".join(
        f"2026-04-17T09:{n:02}:11Z INFO step {n} of 40 done, {n * 17 % 90 + 10} ms\n"
        for n in range(40)
    ),
}
"""What lies in the project; `config.yaml` in its root is what the agent wrongly looks for."""


_NOTES: Final = "\n".join(
    f"- part {n}: entries of kind {n} are posted {n % 5 + 2} times as fast, and rounding follows "
    f"the ledger of {2020 + n % 6} (ticket LED-{3100 + n * 7})"
    for n in range(1, 61)
)
"""What makes the first message long enough to leave the window at a budget of 4,000."""


def stuck_agent() -> list[Message]:
    """All messages; every tool really looks into the files above."""
    return record("stuck_agent", SYSTEM, _script(), {
        "list_files": lambda given: "\n".join(
            name for name in _FILES if name.startswith(str(given["folder"]))
        ) or f"Error: no folder {given['folder']!r}",
        "read_file": _read,
        "release": _release,
        "run_checks": lambda given: _checks(str(given["config"])),
    })  # fmt: skip


def _read(given: Mapping[str, object]) -> str:
    path = str(given["path"])
    return _FILES.get(path, f"Error: FileNotFoundError: no such file: {path!r}")


def _release(given: Mapping[str, object]) -> str:
    config = str(given["config"])
    if config not in _FILES:
        return f"Error: release stopped at step 2 of 6: cannot open {config!r}"
    return json.dumps({"released": "ledger-api 4.2.1", "config": config, "steps": 6})


def _checks(config: str) -> str:
    found = config in _FILES
    lines = [f"check {n:02} {'ok' if found or n % 7 else 'FAILED: no settings'}" for n in range(40)]
    return "\n".join([*lines, f"{sum('FAILED' in line for line in lines)} of 40 checks failed"])


def _does(say: str, tool: str, **arguments: object) -> Step:
    return Step(say=say, call=(Call.model_validate({"tool": tool, **arguments}),))


def _script() -> list[Step]:
    wrong = "config.yaml"
    steps = [
        Step(
            user="Please release ledger-api 4.2.1. The settings moved last week: they are in "
            f"{_CONFIG}, not in the root any more. Change number CHG-5517, and tell Mina when it "
            f"is out. The window closes at 14:30. The release notes, for your report:\n{_NOTES}"
        ),
        _does("I'll look at the project first.", "list_files", folder=""),
        _does("", "read_file", path="README.md"),
        _does("The last release may help.", "read_file", path="logs/release-2026-04-17.log"),
        _does("", "list_files", folder="deploy"),
        _does("Now the checks, with the settings.", "run_checks", config=_CONFIG),
        Step(say="All 40 checks pass with the settings. Shall I release?"),
        Step(user="Yes, but run the checks once more right before, please."),
    ]
    steps += [_does("I'll run the checks again.", "run_checks", config=wrong)]
    for said in ("The checks fail without settings; I'll read them.", "Let me try again.", "", ""):
        steps.append(_does(said, "read_file", path=wrong))
    for said in ("Perhaps it was a moment's trouble.", "Once more.", "And again.", ""):
        steps += [
            _does(said, "run_checks", config=wrong),
            _does("", "read_file", path=wrong),
        ]
    steps.append(Step(say="The checks still fail. I'll try the release itself."))
    steps.append(Step(user="What is taking so long? It is 14:05."))
    for path in (wrong, "./config.yaml", "config.yml", wrong, "./config.yaml", wrong):
        steps.append(_does("I'll try the path written differently.", "release", config=path))
    return [
        *steps,
        Step(user=f"Stop. You do the same over and over. I said it at the start: {_CONFIG}."),
        _does("You are right, sorry.", "run_checks", config=_CONFIG),
        _does("", "release", config=_CONFIG),
        Step(
            say="ledger-api 4.2.1 is out under CHG-5517, with the settings in "
            f"{_CONFIG}; all 40 checks passed. Mina should be told now: the window closes at 14:30."
        ),
    ]
