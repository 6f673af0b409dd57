"""The shared cases, from public bug reports, through our adapter and their own checks."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.cases.adapter import run_context
from tests.setup.folders import SHARED

FOLDER = SHARED / "cases"


def _cases(kind: str) -> dict[str, dict[str, Any]]:
    files = sorted(FOLDER.glob("*.json")) if FOLDER.is_dir() else []
    cases = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    return {case["id"]: case for case in cases if case["kind"] == kind}


CONTEXT = _cases("context")


@pytest.fixture
def check(shared: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The cases' own checks, which import their neighbour by its bare name."""
    monkeypatch.syspath_prepend(shared / "cases")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield importlib.import_module("check")
    for name in ("check", "expand"):
        sys.modules.pop(name, None)


def test_there_are_cases_of_every_kind(shared: Path) -> None:
    kinds = {json.loads(file.read_text())["kind"] for file in (shared / "cases").glob("*.json")}
    assert kinds == {"context", "state", "pii", "dashboard"}
    assert len(CONTEXT) >= 7


@pytest.mark.parametrize("name", CONTEXT or ["none: no shared folder"])
def test_a_context_case_holds(name: str, check: ModuleType) -> None:
    case = CONTEXT[name]
    results = check.check_context(case, run_context(case))
    assert len(results) == len(case["expect"]["checks"]) > 0
    assert [(kind, bad) for kind, bad in results if bad] == []
