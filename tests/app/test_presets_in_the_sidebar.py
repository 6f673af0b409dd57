"""Presets in the sidebar: chosen, changed, reset, kept, deleted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from memory_core.config import MemoryConfig
from memory_core.library import preset_folder, read_shelf, save_preset
from memory_core.presets import PRESETS
from tests.app.opening import figures, opened, unfolded
from tests.saying import settings


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLAYGROUND_HOME", str(tmp_path))
    return preset_folder({"PLAYGROUND_HOME": str(tmp_path)})


def config_of(app: AppTest) -> MemoryConfig:
    return MemoryConfig.model_validate(json.loads(app.query_params.get("config", "{}")))


def save(app: AppTest, name: str) -> AppTest:
    app.text_input(key="preset_name").set_value(name).run()
    return app.button(key="save_preset").click().run()


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_sets_every_value_but_the_pins(name: str) -> None:
    start = "article" if name == "chat" else "chat"
    app = opened(preset=start, config='{"pins": [3], "sliding_window_size": 4}')
    app.selectbox(key="preset").set_value(name).run()
    assert config_of(app) == PRESETS[name].config.model_copy(update={"pins": (3,)})
    assert PRESETS[name].story in app.selectbox(key="preset").label
    assert app.button(key="reset").disabled


def test_what_was_changed_of_the_preset_is_counted_and_named_until_it_is_reset() -> None:
    app = opened(preset="chat")
    before = figures(app)
    app.number_input(key="sliding_window_size").set_value(3).run()
    app.number_input(key="max_token_budget").set_value(2000).run()
    label = app.selectbox(key="preset").label
    assert "2 values changed" in label
    assert "Token budget 8,000 → 2,000; Window (messages) 30 → 3" in label
    assert "preset 30" in app.select_slider(key="sliding_window_size.slider").label
    assert app.selectbox(key="preset").value == "chat"
    app.button(key="reset").click().run()
    assert figures(app) == before
    assert config_of(app) == PRESETS["chat"].config


def test_reset_leaves_the_pins() -> None:
    app = opened(config='{"pins": [3], "sliding_window_size": 4}')
    app.button(key="reset").click().run()
    assert config_of(app) == settings(pins=[3])


def test_a_model_that_somebody_typed_is_never_markup_in_a_label() -> None:
    model = "x](http://a) **b**"
    app = unfolded(config=json.dumps({"model": model}))
    assert f"`{model}`" in app.selectbox(key="preset").label


@pytest.mark.parametrize("name", ["내 프리셋", "a/b 🔬", "*bold* [x](y)"])
def test_a_config_is_saved_as_a_preset_and_chosen_on_another_visit(name: str) -> None:
    app = unfolded(config='{"sliding_window_size": 4, "pins": [3]}')
    save(app, name)
    assert app.selectbox(key="preset").value == name
    assert app.button(key="reset").disabled
    other = opened()
    other.selectbox(key="preset").set_value(name).run()
    assert config_of(other) == settings(sliding_window_size=4)


def test_another_preset_of_the_name_is_replaced_only_by_a_button_that_says_so(
    folder: Path,
) -> None:
    save_preset(folder, "mine", settings(sliding_window_size=1))
    app = unfolded(config='{"sliding_window_size": 2}')
    app.text_input(key="preset_name").set_value("mine")
    app.button(key="save_preset").click().run()
    assert "'mine'" in app.error[0].value
    assert read_shelf(folder).pick("mine").config.sliding_window_size == 1
    assert "Replace" in app.button(key="save_preset").label
    app.button(key="save_preset").click().run()
    assert len(app.error) == 0
    assert read_shelf(folder).pick("mine").config.sliding_window_size == 2


def test_a_name_that_cannot_be_used_is_refused_and_changes_nothing(folder: Path) -> None:
    app = unfolded(config='{"sliding_window_size": 2}')
    for name in ("", "article", PRESETS["chat"].label):
        save(app, name)
        assert len(app.error) == 1
    assert not folder.exists()
    assert app.selectbox(key="preset").value == "article"
    assert config_of(app) == settings(sliding_window_size=2)


def test_a_saved_preset_can_be_deleted_and_its_values_stay(folder: Path) -> None:
    save_preset(folder, "mine", settings(sliding_window_size=4))
    app = unfolded()
    assert "delete_preset" not in [one.key for one in app.button]
    app.selectbox(key="preset").set_value("mine").run()
    app.button(key="delete_preset").click().run()
    assert read_shelf(folder).files == {}
    assert app.selectbox(key="preset").value == "article"
    assert config_of(app) == settings(sliding_window_size=4)
    undo = app.button(key="undelete_preset")
    assert undo.label == "Deleted `mine`: undo"
    undo.click().run()
    assert read_shelf(folder).pick("mine").config == settings(sliding_window_size=4)
    assert app.selectbox(key="preset").value == "mine"
    assert "undelete_preset" not in [one.key for one in app.button]


def test_more_changes_than_are_in_sight_are_counted_and_stand_in_the_tooltip() -> None:
    app = opened(config='{"max_token_budget": 3000, "sliding_window_size": 2, "model": "m"}')
    preset = app.selectbox(key="preset")
    assert preset.label.endswith("Window (messages) 10 → 2; and 1 more*")
    assert "Model counted for `gpt-5` → `m`." in preset.help


def test_a_preset_deleted_elsewhere_becomes_the_article_with_changes(folder: Path) -> None:
    save_preset(folder, "mine", settings(sliding_window_size=4))
    app = opened()
    app.selectbox(key="preset").set_value("mine").run()
    next(folder.iterdir()).unlink()
    app.run()
    assert len(app.exception) == 0
    assert app.selectbox(key="preset").value == "article"
    assert "1 value changed" in app.selectbox(key="preset").label
    app.button(key="reset").click().run()
    assert config_of(app) == MemoryConfig()


def test_a_preset_file_that_cannot_be_used_is_named_and_the_others_work(folder: Path) -> None:
    save_preset(folder, "mine", settings(sliding_window_size=4))
    (folder / "bad.json").write_text("{")
    app = unfolded()
    assert any("bad.json" in one.value for one in app.sidebar.warning)
    app.selectbox(key="preset").set_value("mine").run()
    assert config_of(app) == settings(sliding_window_size=4)


@pytest.mark.parametrize(
    ("config", "preset"),
    [
        (PRESETS["keep_facts"].config, "keep_facts"),
        (settings(sliding_window_size=4), "mine"),
        (settings(sliding_window_size=5), "article"),
    ],
)
def test_a_loaded_config_is_recognised_as_its_preset(
    folder: Path, config: MemoryConfig, preset: str
) -> None:
    save_preset(folder, "mine", settings(sliding_window_size=4))
    app = unfolded(preset="chat", config='{"pins": [3]}')
    file = config.portable().encode()
    app.file_uploader(key="config_file").set_value(("c.json", file, "application/json")).run()
    assert app.selectbox(key="preset").value == preset
    assert config_of(app) == config.model_copy(update={"pins": (3,)})
    again = opened(config=json.dumps(config.changed()))
    assert again.selectbox(key="preset").value == preset
