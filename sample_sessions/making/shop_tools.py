"""The tools of the coding session; they really run on a project folder and hide where it lies."""

from __future__ import annotations

import difflib
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sample_sessions.making.recording import Tool

SHOWN_ROOT: Final = "/srv/shop"
LIMIT: Final = 24_000
"""Longest result in characters; a longer one is cut in its middle."""

_DURATION: Final = re.compile(r"\bin \d+\.\d+s\b")
_ADDRESS: Final = re.compile(r"\b0x[0-9a-f]{6,16}\b")
_PLATFORM: Final = re.compile(r"^platform .*$", re.MULTILINE)
_QUIET: Final = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0", "PYTHONIOENCODING": "utf-8"}
_PYTEST: Final = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "100"}


@dataclass(frozen=True, slots=True)
class Workplace:
    """A project folder, and its files as they were before the first change."""

    root: Path
    before: Mapping[str, str]

    @classmethod
    def on(cls, root: Path) -> Workplace:
        return cls(root, _texts(root))

    @property
    def _temporary(self) -> Path:
        """Where the project's tests put their temporary files: beside the project."""
        return self.root.parent / "pytest"

    def tools(self) -> dict[str, Tool]:
        """All tools by the names the model calls."""
        return {
            "list_dir": self._list_dir,
            "read_file": self._read_file,
            "grep": self._grep,
            "edit_file": self._edit_file,
            "write_file": self._write_file,
            "run_tests": self._run_tests,
            "run_command": self._run_command,
            "show_diff": self._show_diff,
        }

    def _list_dir(self, arguments: Mapping[str, object]) -> str:
        folder = self.root / str(arguments["path"])
        if not folder.is_dir():
            return f"Error: no such folder: {arguments['path']}"
        rows = [
            f"{path.relative_to(self.root).as_posix()}/"
            if path.is_dir()
            else f"{path.relative_to(self.root).as_posix()}  {path.stat().st_size} bytes"
            for path in sorted(folder.rglob("*"))
        ]
        return "\n".join(rows)

    def _read_file(self, arguments: Mapping[str, object]) -> str:
        path = self.root / str(arguments["path"])
        if not path.is_file():
            return f"Error: no such file: {arguments['path']}"
        lines = self._shown(path.read_text(encoding="utf-8")).splitlines()
        first = int(str(arguments.get("start", 1)))
        last = min(len(lines), first - 1 + int(str(arguments.get("lines", 400))))
        body = [f"{number:>5}  {lines[number - 1]}" for number in range(first, last + 1)]
        if last < len(lines):
            body.append(f"({len(lines) - last} more lines)")
        return _cut("\n".join(body))

    def _grep(self, arguments: Mapping[str, object]) -> str:
        pattern = re.compile(str(arguments["pattern"]))
        start = self.root / str(arguments.get("path", "."))
        files = (
            [start]
            if start.is_file()
            else sorted(path for path in start.rglob("*") if path.is_file())
        )
        found = [
            f"{path.relative_to(self.root).as_posix()}:{number}:{line}"
            for path in files
            for number, line in enumerate(
                self._shown(path.read_text(encoding="utf-8")).splitlines(), 1
            )
            if pattern.search(line)
        ]
        return _cut("\n".join(found)) if found else "no matches"

    def _edit_file(self, arguments: Mapping[str, object]) -> str:
        path = self.root / str(arguments["path"])
        old, new = str(arguments["old"]), str(arguments["new"])
        text = path.read_text(encoding="utf-8")
        count = text.count(old)
        if count != 1:
            return f"Error: old text found {count} times in {arguments['path']}, expected once"
        path.write_text(text.replace(old, new), encoding="utf-8")
        return f"edited {arguments['path']}: {_lines(old)} replaced by {_lines(new)}"

    def _write_file(self, arguments: Mapping[str, object]) -> str:
        path = self.root / str(arguments["path"])
        content = str(arguments["content"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        return f"wrote {arguments['path']}: {_lines(content)}"

    def _run_tests(self, arguments: Mapping[str, object]) -> str:
        words = [
            "-m",
            "pytest",
            "-p",
            "no:cacheprovider",
            f"--basetemp={self._temporary}",
            *shlex.split(str(arguments.get("args", ""))),
        ]
        return self._python(words)

    def _run_command(self, arguments: Mapping[str, object]) -> str:
        program, *words = shlex.split(str(arguments["command"]))
        if program != "python":
            return f"Error: command not allowed: {program} (allowed: python)"
        return self._python(words)

    def _show_diff(self, arguments: Mapping[str, object]) -> str:
        start = str(arguments.get("path", ""))
        now = _texts(self.root)
        names = sorted(name for name in {*self.before, *now} if name.startswith(start))
        pieces = [
            line
            for name in names
            for line in difflib.unified_diff(
                self.before.get(name, "").splitlines(keepends=True),
                now.get(name, "").splitlines(keepends=True),
                f"a/{name}",
                f"b/{name}",
            )
        ]
        return _cut("".join(pieces)) or "no changes"

    def _python(self, words: list[str]) -> str:
        done = subprocess.run(  # noqa: S603
            [sys.executable, *words],
            cwd=self.root,
            env=_QUIET | _PYTEST,
            capture_output=True,
            check=False,
            encoding="utf-8",
            timeout=60,
        )
        output = self._shown((done.stdout + done.stderr).rstrip("\n"))
        return _cut(f"{output}\n[exit code {done.returncode}]")

    def _shown(self, text: str) -> str:
        """`text` without what differs between two machines or two runs."""
        for place, name in (
            (str(self.root), SHOWN_ROOT),
            (str(self._temporary), "/tmp/pytest"),  # noqa: S108
            (sys.prefix, "/usr"),
            (sys.base_prefix, "/usr"),
        ):
            text = text.replace(place, name)
        text = _PLATFORM.sub("platform linux -- Python 3.11, pytest-9", text)
        return _ADDRESS.sub("0x7f00", _DURATION.sub("in 0.50s", text))


def _texts(root: Path) -> dict[str, str]:
    """All files a person keeps under version control; logs are not."""
    return {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(root.rglob("*"))
        if path.is_file() and "logs" not in path.parts
    }


def _lines(text: str) -> str:
    count = len(text.splitlines())
    return f"{count} line" if count == 1 else f"{count} lines"


def _cut(text: str) -> str:
    if len(text) <= LIMIT:
        return text
    half = LIMIT // 2
    return f"{text[:half]}\n... {len(text) - 2 * half} characters left out ...\n{text[-half:]}"
