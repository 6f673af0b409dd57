"""The config controls: one per field, beside the presets they start from."""

from __future__ import annotations

from functools import partial
from typing import Final

import streamlit as st

from memory_core.config import MemoryConfig
from memory_core.texts import _
from pages.ui import current, keeping, settings
from pages.ui.current import Current
from pages.ui.fields import (
    DEFAULTS,
    MAIN,
    STEPS,
    bounds,
    choices,
    groups,
    hints,
    label_of,
    labels,
    limits,
    nearest_step,
    shown,
)
from pages.ui.pins import unknown_pins
from pages.ui.plain import literal
from pages.ui.presets import shelf

MORE: Final = "more"

_SWITCHES: Final = ("protect_errors", "keep_thinking")
_MOST_NAMED: Final = 20


def config_controls(now: Current) -> None:
    """The presets, and all fields as controls that change the current config.

    One container without columns, laid out by CSS: every block more is sent with every change.
    """
    presets = shelf()
    base = presets.presets[presets.named(now.preset)].config
    with st.container(key="main_controls"):
        keeping.presets(now, presets)
        for name in MAIN:
            _slider(name, now.config, base)
    with st.expander(_("More"), key=MORE, on_change="rerun") as more:
        if more.open:
            _others(now.config, base)
    _unknown(now)
    keeping.keeping(now, presets)


def _others(config: MemoryConfig, base: MemoryConfig) -> None:
    for title, names in groups().items():
        st.markdown(f"**{title}**")
        for name in names:
            _control(name, config, base)


def _unknown(now: Current) -> None:
    unknown = unknown_pins(now.config.pins, now.session.messages)
    if unknown:
        named = ", ".join(literal(str(pin)) for pin in unknown[:_MOST_NAMED])
        st.warning(_("No message of this session has this number or id: {pins}").format(pins=named))


def _control(name: str, config: MemoryConfig, base: MemoryConfig) -> None:
    label = label_of(name, config, base)
    if name in choices():
        _choice(name, config, label)
    elif name in _SWITCHES:
        _switch(name, config, label)
    elif name in {"model", "pins"}:
        _text(name, config, label)
    else:
        _number(name, config, base, label)


def _slider(name: str, config: MemoryConfig, base: MemoryConfig) -> None:
    key = f"{name}.slider"
    current.show(key, nearest_step(name, getattr(config, name)))
    st.select_slider(
        f"{label_of(name, config, base)} *{hints()[name]}*",
        STEPS[name],
        key=key,
        format_func=partial(shown, name),
        on_change=settings.set_field,
        args=(name, key),
        help=f"{MemoryConfig.model_fields[name].description} {limits(name)}",
    )
    _number(name, config, base, labels()[name], label_visibility="collapsed")


def _number(
    name: str,
    config: MemoryConfig,
    base: MemoryConfig,
    label: str,
    *,
    label_visibility: str = "visible",
) -> None:
    """A field without bounds: what the config refuses is told in words, not by a red frame."""
    current.show(name, getattr(config, name))
    is_whole = bounds(name).is_whole
    st.number_input(
        label,
        value=None if getattr(DEFAULTS, name) is None else getattr(base, name),
        step=1 if is_whole else 0.05,
        format="%d" if is_whole else "%.4g",
        key=name,
        on_change=settings.set_field,
        args=(name, name),
        placeholder=_("automatic"),
        help=f"{MemoryConfig.model_fields[name].description} {limits(name)}",
        label_visibility="collapsed" if label_visibility == "collapsed" else "visible",
    )


def _choice(name: str, config: MemoryConfig, label: str) -> None:
    current.show(name, getattr(config, name))
    st.selectbox(
        label,
        list(choices()[name]),
        format_func=partial(shown, name),
        key=name,
        on_change=settings.set_field,
        args=(name, name),
        help=MemoryConfig.model_fields[name].description,
    )


def _switch(name: str, config: MemoryConfig, label: str) -> None:
    current.show(name, getattr(config, name))
    st.toggle(
        label,
        key=name,
        on_change=settings.set_field,
        args=(name, name),
        help=MemoryConfig.model_fields[name].description,
    )


def _text(name: str, config: MemoryConfig, label: str) -> None:
    pins = ", ".join(str(pin) for pin in config.pins)
    current.show(name, pins if name == "pins" else config.model)
    st.text_input(
        label,
        key=name,
        on_change=settings.set_pins if name == "pins" else settings.set_field,
        args=(name,) if name == "pins" else (name, name),
        placeholder=_("numbers or ids, with commas") if name == "pins" else None,
        help=MemoryConfig.model_fields[name].description,
    )
