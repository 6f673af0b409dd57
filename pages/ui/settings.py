"""What a visitor can change of the config: the callbacks of the controls in the sidebar."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from memory_core.config import MemoryConfig, parse_config
from memory_core.errors import InvalidConfig
from memory_core.library import delete_preset, save_preset
from pages.ui import current
from pages.ui.changes import change, set_config
from pages.ui.pins import parse_pins
from pages.ui.presets import folder, shelf

CONFIG_FILE: Final = "config_file"
PRESET: Final = "preset"
PRESET_NAME: Final = "preset_name"


@change
def set_field(name: str, key: str) -> None:
    """Take one config field from the widget `key`; a value the config refuses changes nothing."""
    set_config({name: current.chosen(key)})


@change
def set_pins(key: str) -> None:
    """Take the pins from the text of the widget `key`."""
    set_config({"pins": parse_pins(str(current.chosen(key)))})


@change
def choose_preset() -> None:
    """Take the values of the preset that the widget `PRESET` names; pins stay."""
    _start_from(str(current.chosen(PRESET)))


@change
def reset_config() -> None:
    """Back to the values of the chosen preset; pins stay."""
    _start_from(shelf().named(current.get().preset))


@change
def save_as(*, is_new: bool) -> None:
    """Keep the config under the name in the widget `PRESET_NAME`.

    Another preset of that name is replaced only if the button said so: `is_new` False.
    """
    now = current.get()
    name = save_preset(folder(), str(current.chosen(PRESET_NAME)), now.config, replace=not is_new)
    current.put(replace(now, preset=name, problem=""))


@change
def delete() -> None:
    """Forget the chosen preset, which is a saved one; its values stay set."""
    now = current.get()
    gone = shelf().pick(now.preset)
    delete_preset(folder(), now.preset)
    current.put(replace(now, preset=shelf().like(now.config), deleted=gone, problem=""))


@change
def undelete() -> None:
    """Keep the preset again that was deleted last."""
    now = current.get()
    if now.deleted is not None:
        name = save_preset(folder(), now.deleted.label, now.deleted.config)
        current.put(replace(now, preset=name, deleted=None, problem=""))


@change
def take_config() -> None:
    """Open the config file that was uploaded; pins stay where the file has none."""
    now, file = current.get(), current.chosen(CONFIG_FILE)
    if file is None:
        return
    try:
        text = bytes(file.getvalue()).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidConfig(f"{file.name}: {error}") from error
    config = parse_config(text, source=file.name)
    if "pins" not in config.model_fields_set:
        config = _with_pins(config)
    current.put(replace(now, config=config, preset=shelf().like(config), problem=""))


def _start_from(preset: str) -> None:
    config = _with_pins(shelf().pick(preset).config)
    current.put(replace(current.get(), config=config, preset=preset, problem=""))


def _with_pins(config: MemoryConfig) -> MemoryConfig:
    """`config` with the pins that are set now."""
    return config.model_copy(update={"pins": current.get().config.pins})
