"""What is installed and shipped: pinned versions, and a wheel with only the library in it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import pytest
from hatchling.builders.wheel import WheelBuilder

from tests.setup.folders import ROOT

LINE: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)==[0-9][A-Za-z0-9.!+]*")


def constraint_lines() -> list[str]:
    return (ROOT / "constraints.txt").read_text().splitlines()


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_constraints_are_names_and_versions_only() -> None:
    assert [line for line in constraint_lines() if not LINE.fullmatch(line)] == []


def test_every_direct_requirement_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    makefile = (ROOT / "Makefile").read_text()
    match = re.search(r"^ALL_EXTRAS := (.+)$", makefile, re.MULTILINE)
    assert match is not None
    extras = project["optional-dependencies"]
    optional = [line for name in match[1].split(",") for line in extras[name]]
    names = {
        plain(re.split(r"[^\w.-]", line, maxsplit=1)[0])
        for line in [*project["dependencies"], *optional]
    }
    assert names - {plain(line.split("==")[0]) for line in constraint_lines()} == set()


@pytest.fixture(scope="module")
def wheel_files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("wheel")
    built = next(WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"]))
    with ZipFile(Path(built)) as wheel:
        return wheel.namelist()


def test_the_wheel_holds_the_library_and_nothing_else(wheel_files: list[str]) -> None:
    tops = {name.split("/")[0] for name in wheel_files}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"memory_core"}


def test_the_wheel_holds_the_catalogues_and_the_licence(wheel_files: list[str]) -> None:
    assert "memory_core/locale/memory_playground.pot" in wheel_files
    assert any(name.endswith("licenses/LICENSE") for name in wheel_files)
