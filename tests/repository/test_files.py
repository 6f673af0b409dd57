"""What holds for every file: no addresses of others, no secrets, no overlong modules."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from tests.setup.folders import ROOT, project_files

LONGEST_MODULE: Final = 300

FORBIDDEN: Final = {
    "registry host": r"pyp[i]\.org|python[h]osted|registry\.[n]pmjs|deb\.[d]ebian",
    "path of one machine": "|".join(
        [r"/home/[a-z]\w*/|/Users/[A-Za-z]\w*/"]
        + [re.escape(f"{folder}/") for folder in {ROOT.parent, Path.home()} if folder != Path("/")]
    ),
    "secret": (
        r"-----BEGIN [A-Z ]*PRIVATE [K]EY"
        r"|\b(?:s[k]-(?:ant-|proj-)?|gh[pousr]_|xox[abprs]-|AKI[A]|AIz[a])[A-Za-z0-9_-]{20,}"
    ),
}


def text_of(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_holds_a(what: str) -> None:
    pattern = re.compile(FORBIDDEN[what])
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in project_files()
        for match in pattern.finditer(text_of(path))
    ]
    assert found == []


def test_every_module_fits_one_subject() -> None:
    too_long = {
        str(path.relative_to(ROOT)): lines
        for path in project_files(".py")
        if (lines := text_of(path).count("\n")) > LONGEST_MODULE
    }
    assert too_long == {}


def test_every_module_opens_with_a_sentence() -> None:
    mute = [
        str(path.relative_to(ROOT))
        for folder in ("memory_core", "pages")
        for path in project_files(".py")
        if path.is_relative_to(ROOT / folder)
        and path.stat().st_size
        and not text_of(path).startswith('"""')
    ]
    assert mute == []


def test_no_page_lies_directly_in_pages() -> None:
    pages = {path.name for path in (ROOT / "pages").glob("*.py")}
    assert pages <= {"__init__.py"}


def test_only_one_file_touches_the_state_of_a_visit() -> None:
    state = re.compile(r"st\.session_stat[e]")
    found = [
        path.relative_to(ROOT).as_posix()
        for path in project_files(".py")
        if not path.is_relative_to(ROOT / "tests") and state.search(text_of(path))
    ]
    assert found == ["pages/ui/current.py"]


def test_session_text_never_becomes_markup() -> None:
    markup = re.compile(r"unsafe_allow_html\s*=\s*Tru[e]")
    found = [
        str(path.relative_to(ROOT)) for path in project_files(".py") if markup.search(text_of(path))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("registry host", "https://pypi" + ".org/simple"),
        ("path of one machine", "/home/" + "kim/project"),
        ("path of one machine", "/root" + "/x"),
        ("secret", "sk-" + "proj-" + "a1B2" * 8),
        ("secret", "-----BEGIN RSA PRIVATE " + "KEY-----"),
    ],
)
def test_the_patterns_see_what_they_are_for(what: str, text: str) -> None:
    assert re.search(FORBIDDEN[what], text)
