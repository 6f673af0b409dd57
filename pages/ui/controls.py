"""The config controls: one per field, with default and help from the field itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import streamlit as st

from memory_core.config import MemoryConfig
from memory_core.presets import PRESETS
from memory_core.texts import _, ngettext
from pages.ui import changes, current
from pages.ui.current import Current
from pages.ui.fields import DEFAULTS, bounds, choices, label_of, labels, shown
from pages.ui.pins import unknown_pins
from pages.ui.plain import literal

MAIN: Final = (
    "max_token_budget",
    "sliding_window_size",
    "summary_trigger_ratio",
    "tool_pruning_threshold",
    "target_ratio",
    "max_summary_tokens",
)
"""The fields that matter most; all others stand under "More"."""

STEPS: Final[Mapping[str, Sequence[float]]] = {
    "max_token_budget": (
        *(500, 1000, 1500, 2000, 3000, 4000, 6000, 8000, 12_000, 16_000, 24_000, 32_000),
        *(48_000, 64_000, 96_000, 128_000, 200_000, 400_000, 1_000_000),
    ),
    "sliding_window_size": (0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 40, 60, 100, 200, 400),
    "tool_pruning_threshold": (
        *(20, 50, 100, 150, 200, 300, 400, 600, 800, 1000, 1500, 2000),
        *(3000, 5000, 10_000, 20_000, 50_000, 100_000),
    ),
    "summary_trigger_ratio": tuple(percent / 100 for percent in range(5, 101, 5)),
}
"""What the sliders stop at; the number field beside each takes any value."""

_SWITCHES: Final = ("protect_errors", "keep_thinking")
_MOST_NAMED: Final = 20


def config_controls(now: Current) -> None:
    """All fields as controls that change the current config."""
    _preset(now.config)
    for name in MAIN:
        _control(name, now.config)
    unknown = unknown_pins(now.config.pins, now.session.messages)
    with st.expander(_("More"), expanded=bool(unknown)):
        for name in labels():
            if name not in MAIN:
                _control(name, now.config)
        if unknown:
            named = ", ".join(literal(str(pin)) for pin in unknown[:_MOST_NAMED])
            st.warning(
                _("No message of this session has this number or id: {pins}").format(pins=named)
            )
        _files(now.config)


def _preset(config: MemoryConfig) -> None:
    changed = len(config.changed())
    text, button = st.columns([3, 2], vertical_alignment="center")
    state = _("unchanged")
    if changed:
        state = ngettext("{n} value changed", "{n} values changed", changed).format(n=changed)
    text.markdown(
        _("**Preset: {preset}**  \n{state}").format(preset=PRESETS["article"].label, state=state),
        help=_("The defaults of the blog article on agent memory that this app grew from."),
    )
    button.button(
        _("Reset"),
        key="reset",
        on_click=changes.reset_config,
        disabled=not changed,
        width="stretch",
        help=_("Back to the values of the preset."),
    )


def _files(config: MemoryConfig) -> None:
    st.download_button(
        _("Save the config as JSON"),
        config.portable(),
        file_name="memory-config.json",
        mime="application/json",
        on_click="ignore",
        width="stretch",
        help=_("Every value but the pins, which belong to this session only."),
    )
    st.file_uploader(
        _("Load a saved config"),
        key=changes.CONFIG_FILE,
        on_change=changes.take_config,
        help=_("A JSON file; values left out get their defaults, refused ones are named."),
    )


def _control(name: str, config: MemoryConfig) -> None:
    if name in STEPS:
        _slider(name, config)
    elif name in choices():
        _choice(name, config)
    elif name in _SWITCHES:
        _switch(name, config)
    elif name in {"model", "pins"}:
        _text(name, config)
    else:
        _number(name, config, label=label_of(name, config))


def _slider(name: str, config: MemoryConfig) -> None:
    value: float = getattr(config, name)
    key = f"{name}.slider"
    current.show(key, min(STEPS[name], key=lambda step: abs(step - value)))
    left, right = st.columns([5, 3], vertical_alignment="bottom")
    left.select_slider(
        label_of(name, config),
        STEPS[name],
        key=key,
        format_func=partial(shown, name),
        on_change=changes.set_field,
        args=(name, key),
        help=MemoryConfig.model_fields[name].description,
    )
    with right:
        _number(name, config, label=labels()[name], label_visibility="collapsed")


def _number(
    name: str, config: MemoryConfig, *, label: str, label_visibility: str = "visible"
) -> None:
    current.show(name, getattr(config, name))
    limits = bounds(name)
    st.number_input(
        label,
        min_value=limits.least,
        max_value=limits.most,
        value=None if getattr(DEFAULTS, name) is None else "min",
        step=1 if limits.is_whole else 0.05,
        format="%d" if limits.is_whole else "%.4g",
        key=name,
        on_change=changes.set_field,
        args=(name, name),
        placeholder=_("automatic"),
        help=MemoryConfig.model_fields[name].description,
        label_visibility="collapsed" if label_visibility == "collapsed" else "visible",
    )


def _choice(name: str, config: MemoryConfig) -> None:
    current.show(name, getattr(config, name))
    st.selectbox(
        label_of(name, config),
        list(choices()[name]),
        format_func=partial(shown, name),
        key=name,
        on_change=changes.set_field,
        args=(name, name),
        help=MemoryConfig.model_fields[name].description,
    )


def _switch(name: str, config: MemoryConfig) -> None:
    current.show(name, getattr(config, name))
    st.toggle(
        label_of(name, config),
        key=name,
        on_change=changes.set_field,
        args=(name, name),
        help=MemoryConfig.model_fields[name].description,
    )


def _text(name: str, config: MemoryConfig) -> None:
    pins = ", ".join(str(pin) for pin in config.pins)
    current.show(name, pins if name == "pins" else config.model)
    st.text_input(
        label_of(name, config),
        key=name,
        on_change=changes.set_pins if name == "pins" else changes.set_field,
        args=(name,) if name == "pins" else (name, name),
        placeholder=_("numbers or ids, with commas") if name == "pins" else None,
        help=MemoryConfig.model_fields[name].description,
    )
