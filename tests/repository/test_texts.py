"""The catalogues hold exactly the texts that stand in the sources."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.setup.folders import ROOT, project_files
from tests.setup.texts import catalogues, gathered, read_catalogue, texts_of


@pytest.mark.parametrize("path", catalogues(), ids=lambda path: path.name)
def test_the_catalogue_is_up_to_date(path: Path) -> None:
    assert texts_of(read_catalogue(path)) == texts_of(gathered()), "run: make texts"


def _texts(call: ast.Call) -> list[ast.expr]:
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    return call.args[: {"_": 1, "ngettext": 2}.get(name, 0)]


def test_every_text_is_written_out_where_it_is_translated() -> None:
    computed = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in project_files(".py")
        if path.relative_to(ROOT).parts[0] in {"memory_core", "pages", "app.py"}
        for call in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(call, ast.Call)
        for text in _texts(call)
        if not (isinstance(text, ast.Constant) and isinstance(text.value, str))
    ]
    assert computed == []
