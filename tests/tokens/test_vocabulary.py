"""Promises about vocabularies: whole, in the cache, without the network."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tiktoken_ext import openai_public

from memory_core.errors import VocabularyMissing
from memory_core.tokens import vocabulary
from memory_core.tokens.vocabulary import VOCABULARIES, encoder

OFFLINE_COUNT = """
import socket
def refuse(*_, **__):
    raise AssertionError("the network was used")
socket.socket = socket.create_connection = socket.getaddrinfo = refuse
from memory_core.tokens.counting import text_counter
print(*(text_counter(model)("안녕하세요 hello") for model in ("gpt-4", "gpt-5", "gpt-oss-20b")))
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("PLAYGROUND_HOME", str(tmp_path))
    encoder.cache_clear()
    yield tmp_path
    encoder.cache_clear()


def started(script: str, home: Path) -> subprocess.Popen[str]:
    environment = {
        **os.environ,
        "PLAYGROUND_HOME": str(home),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    return subprocess.Popen(
        [sys.executable, "-c", script], env=environment, text=True, stdout=subprocess.PIPE
    )


def constants(constructor: Callable[[], object]) -> set[str]:
    names = (*constructor.__code__.co_consts, *constructor.__code__.co_names)
    return {value for value in names if isinstance(value, str)}


@pytest.mark.parametrize("encoding", ["cl100k_base", "o200k_base"])
def test_file_names_and_hashes_are_tiktokens_own(encoding: str) -> None:
    known = constants(openai_public.ENCODING_CONSTRUCTORS[encoding])
    file = VOCABULARIES[encoding]
    assert file.sha256 in known
    addresses = [text for text in known if text.startswith("https://")]
    assert [hashlib.sha1(text.encode()).hexdigest() for text in addresses] == [file.cached_as]


def test_four_processes_at_once_count_offline_and_leave_only_whole_files(tmp_path: Path) -> None:
    processes = [started(OFFLINE_COUNT, tmp_path) for _ in range(4)]
    assert {process.communicate(timeout=60)[0].strip() for process in processes} == {"6 3 3"}
    files = {path.name: path.read_bytes() for path in (tmp_path / "cache").iterdir()}
    expected = {file.cached_as: file.sha256 for file in VOCABULARIES.values()}
    assert {name: hashlib.sha256(data).hexdigest() for name, data in files.items()} == expected


def test_importing_the_counter_does_not_load_tiktoken(tmp_path: Path) -> None:
    script = "import sys, memory_core.tokens.framing; print('tiktoken' in sys.modules)"
    assert started(script, tmp_path).communicate(timeout=60)[0].strip() == "False"


@pytest.mark.parametrize("damage", [b"", b"half a vocabulary"])
def test_a_damaged_cache_file_is_replaced(home: Path, damage: bytes) -> None:
    file = VOCABULARIES["o200k_base"]
    path = home / "cache" / file.cached_as
    path.parent.mkdir()
    path.write_bytes(damage)
    encoder("o200k_base")
    assert hashlib.sha256(path.read_bytes()).hexdigest() == file.sha256


def test_a_cache_folder_that_cannot_be_written_is_done_without(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = home / "a file"
    blocked.write_text("no folder")
    monkeypatch.setenv("PLAYGROUND_HOME", str(blocked))
    assert encoder("cl100k_base").name == "cl100k_base"
    assert blocked.read_text() == "no folder"


@pytest.mark.parametrize("before", [None, "my own folder"])
def test_the_persons_own_tiktoken_folder_is_left_as_it_was(
    home: Path, monkeypatch: pytest.MonkeyPatch, before: str | None
) -> None:
    assert home.is_dir()
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    if before is not None:
        monkeypatch.setenv("TIKTOKEN_CACHE_DIR", before)
    encoder("cl100k_base")
    assert os.environ.get("TIKTOKEN_CACHE_DIR") == before


@pytest.mark.parametrize("encoding", ["p50k_base", "gpt2", "no_such_encoding"])
def test_a_vocabulary_nobody_carries_is_missing_and_not_downloaded(encoding: str) -> None:
    with pytest.raises(VocabularyMissing, match=f"{encoding}.*not on this machine.*o200k_base"):
        encoder(encoding)


def test_a_missing_carrier_is_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert home.is_dir()
    monkeypatch.setattr(vocabulary, "CARRIER", "no_such_package")
    with pytest.raises(VocabularyMissing, match="no_such_package"):
        encoder("o200k_base")
