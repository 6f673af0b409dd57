"""Saved presets: any name, whole files, and one bad file never costs the others."""

from __future__ import annotations

import json
import tempfile
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.config import MemoryConfig
from memory_core.errors import CannotWrite, InvalidPreset
from memory_core.library import (
    LONGEST_NAME,
    delete_preset,
    preset_folder,
    read_shelf,
    save_preset,
    tidy,
)
from memory_core.presets import ARTICLE, PRESETS
from tests.histories import configs
from tests.saying import settings

NAMES = [
    "긴 코딩 세션",
    "a/b\\c",
    "../../up",
    "🔬🎯 lab",
    "CON",
    "con",
    ".hidden",
    "x" * LONGEST_NAME,
    "가" * LONGEST_NAME,
    "mine?*<>|:\"'",
    "שלום",
    "👩\u200d🔬",
    "*bold* `code` [link](http://x)",
]


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*"))


def test_presets_of_any_names_are_saved_and_read_back(tmp_path: Path) -> None:
    folder = tmp_path / "presets"
    for number, name in enumerate(NAMES):
        assert save_preset(folder, name, settings(sliding_window_size=number)) == name
    shelf = read_shelf(folder)
    assert shelf.problems == ()
    assert list(shelf.presets)[: len(PRESETS)] == list(PRESETS)
    assert {name: shelf.presets[name].config.sliding_window_size for name in shelf.files} == {
        name: number for number, name in enumerate(NAMES)
    }
    assert [path.name for path in tmp_path.iterdir()] == ["presets"]
    assert len(list(folder.iterdir())) == len(NAMES)


def test_file_names_are_plain_and_differ_where_a_file_system_ignores_case(tmp_path: Path) -> None:
    for name in NAMES:
        save_preset(tmp_path, name, MemoryConfig())
    names = files(tmp_path)
    assert len({name.casefold() for name in names}) == len(NAMES)
    assert all(name.isascii() and name[0].isalnum() and len(name) < 70 for name in names)


@given(
    st.text(st.characters(categories=["L", "M", "N", "P", "S", "Zs"]), max_size=LONGEST_NAME)
    .map(lambda name: f"{name[1:]}x")
    .filter(lambda name: name not in PRESETS),
    configs(),
)
def test_every_name_and_config_come_back_the_same_but_for_pins(
    name: str, config: MemoryConfig
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        kept = save_preset(Path(folder), name, config)
        assert kept == tidy(name)
        found = read_shelf(Path(folder)).pick(kept).config
        assert found == config.model_copy(update={"pins": ()})


def test_a_file_holds_the_name_and_every_value_but_the_pins(tmp_path: Path) -> None:
    save_preset(tmp_path, "mine", settings(pins=[3], sliding_window_size=4))
    (file,) = tmp_path.iterdir()
    content = json.loads(file.read_text())
    assert content["name"] == "mine"
    assert content["config"].keys() == MemoryConfig.model_fields.keys() - {"pins"}
    assert content["config"]["sliding_window_size"] == 4


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "needs a name"),
        (" \n\t ", "needs a name"),
        ("\u200d", "needs a name"),
        ("\u200b", "U\\+200B"),
        ("a\u202etxt", "U\\+202E"),
        ("nul \x00 in it", "U\\+0000"),
        ("\x1b[31mred", "U\\+001B"),
        ("lone \ud800 half", "U\\+D800"),
        (ARTICLE.upper(), "comes with the app"),
        ("x" * (LONGEST_NAME + 1), "81"),
        (ARTICLE, "comes with the app"),
        (PRESETS["chat"].label, "comes with the app"),
    ],
)
def test_a_name_that_cannot_be_used_is_refused(tmp_path: Path, name: str, reason: str) -> None:
    with pytest.raises(InvalidPreset, match=reason):
        save_preset(tmp_path, name, MemoryConfig())
    assert files(tmp_path) == []


def test_the_same_name_however_it_is_typed_is_one_preset(tmp_path: Path) -> None:
    save_preset(tmp_path, "한글  이름", settings(sliding_window_size=1))
    decomposed = "\u1112\u1161\u11ab\u1100\u1173\u11af \u110b\u1175\u1105\u1173\u11b7"
    with pytest.raises(InvalidPreset, match="already"):
        save_preset(tmp_path, decomposed, MemoryConfig())
    assert save_preset(tmp_path, decomposed, MemoryConfig(), replace=True) == "한글 이름"
    assert len(files(tmp_path)) == 1


def test_a_preset_is_replaced_only_when_asked(tmp_path: Path) -> None:
    save_preset(tmp_path, "mine", settings(sliding_window_size=1))
    with pytest.raises(InvalidPreset, match="'mine'"):
        save_preset(tmp_path, "mine", settings(sliding_window_size=2))
    assert read_shelf(tmp_path).pick("mine").config.sliding_window_size == 1
    save_preset(tmp_path, "mine", settings(sliding_window_size=2), replace=True)
    assert read_shelf(tmp_path).pick("mine").config.sliding_window_size == 2


def test_a_preset_is_deleted_and_another_stays(tmp_path: Path) -> None:
    for name in ("one", "two"):
        save_preset(tmp_path, name, MemoryConfig())
    delete_preset(tmp_path, "one")
    assert set(read_shelf(tmp_path).files) == {"two"}
    for gone in ("one", ARTICLE):
        with pytest.raises(InvalidPreset, match=gone):
            delete_preset(tmp_path, gone)


GOOD = '{"name": "copy", "config": {"max_token_budget": 5}}'
BAD = {
    "empty.json": (b"", "not JSON"),
    "half.json": (b'{"name": "half", "con', "not JSON"),
    "list.json": (b"[]", "dictionary"),
    "nested.json": (b"[" * 100_000, "not JSON"),
    "latin.json": (b'{"name": "\xe9", "config": {}}', "not JSON"),
    "field.json": (b'{"name": "f", "config": {"max_tokens": 1}}', "max_tokens"),
    "value.json": (b'{"name": "v", "config": {"max_token_budget": "9"}}', "max_token_budget"),
    "nameless.json": (b'{"config": {}}', "name"),
    "long.json": (b'{"name": "' + b"n" * 81 + b'", "config": {}}', "81"),
    "built-in.json": (b'{"name": "article", "config": {}}', "comes with the app"),
    "half-name.json": (b'{"name": "\\ud800", "config": {}}', "U+D800"),
    "half-pin.json": (b'{"name": "p", "config": {"pins": ["\\ud800"]}}', "pins"),
    "doubled.json": (b'{"name": "copy", "config": {}}', "another preset"),
    "huge.json": (b" " * 1_000_001, "1,000,000"),
}


def test_files_that_cannot_be_used_are_named_with_the_reason_and_spoil_no_other(
    tmp_path: Path,
) -> None:
    (tmp_path / "copy.json").write_text(GOOD)
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "notes.txt").write_text("no preset")
    for name, (data, _reason) in BAD.items():
        (tmp_path / name).write_bytes(data)
    shelf = read_shelf(tmp_path)
    assert set(shelf.files) == {"copy"}
    assert shelf.pick("copy").config == settings(max_token_budget=5)
    for name, reason in [
        *((name, bad[1]) for name, bad in BAD.items()),
        ("folder.json", "regular"),
    ]:
        assert [line for line in shelf.problems if f"/{name}: " in line and reason in line], name
    assert len(shelf.problems) == len(BAD) + 1


def test_a_file_put_there_by_hand_is_replaced_and_deleted_like_any_other(tmp_path: Path) -> None:
    (tmp_path / "by-hand.json").write_text(GOOD)
    save_preset(tmp_path, "copy", settings(max_token_budget=6), replace=True)
    assert files(tmp_path) == ["by-hand.json"]
    delete_preset(tmp_path, "copy")
    assert files(tmp_path) == []


def test_an_unknown_preset_is_refused_with_those_there_are(tmp_path: Path) -> None:
    save_preset(tmp_path, "mine", MemoryConfig())
    with pytest.raises(InvalidPreset, match=r"'yours'.*'article'.*'mine'"):
        read_shelf(tmp_path).pick("yours")
    assert read_shelf(tmp_path).named("yours") == ARTICLE


def test_a_config_is_recognised_by_its_values(tmp_path: Path) -> None:
    save_preset(tmp_path, "mine", settings(sliding_window_size=7))
    shelf = read_shelf(tmp_path)
    assert shelf.like(settings(sliding_window_size=7, pins=[1])) == "mine"
    assert shelf.like(PRESETS["chat"].config) == "chat"
    assert shelf.like(settings(sliding_window_size=77)) == ARTICLE


def test_a_folder_that_is_missing_or_cannot_be_made_keeps_the_built_in_ones(
    tmp_path: Path,
) -> None:
    blocked = tmp_path / "a file"
    blocked.write_text("no folder")
    for folder in (tmp_path / "missing", blocked, blocked / "below"):
        assert read_shelf(folder).presets == PRESETS
    with pytest.raises(CannotWrite, match="a file"):
        save_preset(blocked / "below", "mine", MemoryConfig())
    assert blocked.read_text() == "no folder"


def test_a_reader_never_sees_half_a_file(tmp_path: Path) -> None:
    config = settings(model="m" * 200_000)
    save_preset(tmp_path, "mine", config)
    start, done = threading.Barrier(4, timeout=30), threading.Event()
    problems: list[str] = []

    def read() -> None:
        start.wait()
        while not done.is_set():
            shelf = read_shelf(tmp_path)
            problems.extend([*shelf.problems, *([] if "mine" in shelf.files else ["gone"])])

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    start.wait()
    for _ in range(200):
        save_preset(tmp_path, "mine", config, replace=True)
    done.set()
    for reader in readers:
        reader.join()
    assert problems == []
    assert len(files(tmp_path)) == 1


def test_presets_lie_where_the_environment_says(tmp_path: Path) -> None:
    assert preset_folder({"PLAYGROUND_HOME": str(tmp_path)}) == tmp_path / "presets"
    assert preset_folder({}).parent.name == "memory-playground"
