"""Presets on the command line: listed, printed, and the start of a config."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from memory_core.commands import main
from memory_core.config import parse_config
from memory_core.library import preset_folder, save_preset
from memory_core.presets import PRESETS
from tests.saying import settings
from tests.setup.folders import ROOT

SAMPLE = ROOT / "sample_sessions" / "broken.json"
LARGE = ROOT / "sample_sessions" / "customer_service_ko.json"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLAYGROUND_HOME", str(tmp_path))
    return preset_folder({"PLAYGROUND_HOME": str(tmp_path)})


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments])


def test_every_preset_is_listed_in_one_line_and_a_bad_file_is_noted(folder: Path) -> None:
    save_preset(folder, "내 것", settings(sliding_window_size=3))
    (folder / "bad.json").write_text("{")
    (folder / "\x1b[31m.json").write_text("{")
    result = run("presets")
    assert result.exit_code == 0
    assert "\x1b" not in result.stderr
    lines = result.stdout.splitlines()
    assert len(lines) == len(PRESETS) + 1
    for line, (name, preset) in zip(lines, PRESETS.items(), strict=False):
        assert line.startswith(name)
        assert preset.story in line
    assert "내 것" in lines[-1]
    assert "\x1b" not in result.stdout
    assert "bad.json" in result.stderr


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_printed_as_a_config_file(folder: Path, name: str) -> None:
    result = run("presets", name)
    assert result.exit_code == 0
    assert parse_config(result.stdout) == PRESETS[name].config
    assert not folder.exists()


def test_a_saved_preset_is_printed_and_used_by_its_name(folder: Path) -> None:
    save_preset(folder, "내 것", settings(sliding_window_size=3))
    assert json.loads(run("presets", "내 것").stdout)["sliding_window_size"] == 3
    shown = json.loads(run("replay", SAMPLE, "--preset", "내 것", "--json").stdout)
    assert shown["config"] == {"sliding_window_size": 3}


@pytest.mark.usefixtures("folder")
def test_the_fields_of_a_config_file_stand_in_place_of_the_presets(tmp_path: Path) -> None:
    config = tmp_path / "mine.json"
    config.write_text('{"max_token_budget": 4000, "sliding_window_size": 5}')
    options = ["--preset", "keep_facts", "--config", config, "--json"]
    shown = json.loads(run("replay", SAMPLE, *options).stdout)
    given = {"max_token_budget": 4000, "sliding_window_size": 5}
    assert shown["config"] == PRESETS["keep_facts"].config.model_copy(update=given).changed()


@pytest.mark.usefixtures("folder")
def test_a_window_is_that_of_the_preset() -> None:
    options = ["--json", "--preset"]
    small, whole = (
        json.loads(run("window", LARGE, *options, name).stdout)["report"]
        for name in ("article", "keep_everything")
    )
    assert whole["total_tokens"] == whole["raw_tokens"] > small["total_tokens"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("arguments", [["presets", "nope"], ["replay", SAMPLE, "--preset", "nope"]])
def test_an_unknown_preset_is_refused_with_those_there_are(arguments: list[str | Path]) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "'nope'" in result.stderr
    assert "'keep_facts'" in result.stderr
