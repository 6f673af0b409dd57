"""Each driver is imported only in the files named after it, so that the rest works without it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.setup.folders import ROOT, project_files

FILES: Final = {
    "redis": {"redis"},
    "psycopg": {"postgres"},
    "presidio_analyzer": {"presidio"},
    "presidio_anonymizer": {"presidio"},
    "spacy": {"spacy"},
    "tiktoken": {"tokens", "models"},
    "langgraph": {"langgraph"},
    "langchain_core": {"langchain"},
    "chromadb": {"chroma"},
    "distributed": {"dask"},
    "httpx": {"endpoint"},
    "httpx_sse": {"endpoint"},
    "tenacity": {"endpoint"},
    "genai_prices": {"prices"},
}


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.split(".")[0]


def test_a_driver_is_imported_only_in_files_named_after_it() -> None:
    strays = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in project_files(".py")
        if path.is_relative_to(ROOT / "memory_core")
        for name in imported(path)
        if name in FILES and not FILES[name] & {path.stem, path.parent.name}
    ]
    assert strays == []
