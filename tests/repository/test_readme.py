"""The README says what the code does: its tables and snippets are compared and run."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from memory_core.commands import main
from memory_core.config import MemoryConfig
from memory_core.sessions import FORMATS
from tests.setup.folders import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
OUTPUTS = re.findall(r"```\n\$ python -m memory_core (.*)\n((?:.*\n)*?)```", README)
SNIPPETS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def _table(heading: str) -> list[tuple[str, ...]]:
    section = README.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    return [tuple(cell.strip() for cell in row.strip("|").split("|")) for row in rows]


def _shown(value: object) -> str:
    if value is None or value == ():
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_the_config_table_lists_every_field_with_its_default_and_meaning() -> None:
    expected = [
        (f"`{name}`", _shown(field.default), str(field.description))
        for name, field in MemoryConfig.model_fields.items()
    ]
    assert _table("Config") == expected


def test_the_format_table_lists_every_session_format() -> None:
    expected = [(f"`{name}`", known.label, known.description) for name, known in FORMATS.items()]
    assert _table("Session formats") == expected


def test_every_command_is_shown() -> None:
    shown = set(re.findall(r"^python -m memory_core (\w+)", README, re.MULTILINE))
    assert shown == set(main.commands)


def test_the_command_table_lists_every_command() -> None:
    rows = _table("On the command line")
    assert sorted(name.strip("`") for name, _meaning in rows) == sorted(main.commands)


@pytest.mark.parametrize(
    ("arguments", "shown"), OUTPUTS, ids=[arguments for arguments, _shown in OUTPUTS]
)
def test_a_printed_output_is_what_the_command_prints(
    arguments: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    done = CliRunner().invoke(main, shlex.split(arguments))
    assert done.exit_code == 0, done.stderr
    lines = iter(line.rstrip() for line in done.stdout.splitlines())
    missing = [line for line in shown.splitlines() if line != "…" and line not in lines]
    assert missing == []


def test_outputs_are_printed() -> None:
    assert [arguments.split()[0] for arguments, _shown in OUTPUTS] == ["loss", "fact"]


@pytest.mark.parametrize("code", SNIPPETS)
def test_the_snippets_run(code: str, tmp_path: Path) -> None:
    script = tmp_path / "snippet.py"
    script.write_text(code, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, str(script)],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "PLAYGROUND_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr


def test_every_file_the_readme_names_exists() -> None:
    linked = re.findall(r"\]\(([^)#]+)\)", README)
    assert [one for one in linked if not (ROOT / one).exists()] == []
