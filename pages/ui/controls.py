"""The config controls: one per field, with default and help from the field itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, get_args

import streamlit as st

from memory_core.config import (
    MemoryConfig,
    ProviderProfile,
    PruneWhen,
    PruningStyle,
    SummarizerName,
    ThresholdUnit,
    WindowWhen,
)
from memory_core.presets import PRESETS
from memory_core.texts import _, ngettext
from pages.ui import current
from pages.ui.link import LARGEST_NUMBER

MAIN: Final = (
    "max_token_budget",
    "sliding_window_size",
    "summary_trigger_ratio",
    "tool_pruning_threshold",
    "target_ratio",
    "max_summary_tokens",
)
"""The fields that matter most; all others stand under "More"."""

STEPS: Final[Mapping[str, Sequence[int]]] = {
    "max_token_budget": (
        *(500, 1000, 1500, 2000, 3000, 4000, 6000, 8000, 12_000, 16_000, 24_000, 32_000),
        *(48_000, 64_000, 96_000, 128_000, 200_000, 400_000, 1_000_000),
    ),
    "sliding_window_size": (0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 40, 60, 100, 200, 400),
    "tool_pruning_threshold": (
        *(20, 50, 100, 150, 200, 300, 400, 600, 800, 1000, 1500, 2000),
        *(3000, 5000, 10_000, 20_000, 50_000, 100_000),
    ),
}
"""What the logarithmic sliders stop at; the number field beside each takes any value."""

CHOICES: Final[Mapping[str, Sequence[str]]] = {
    "threshold_unit": get_args(ThresholdUnit),
    "prune_when": get_args(PruneWhen),
    "pruning_style": get_args(PruningStyle),
    "window_when": get_args(WindowWhen),
    "summarizer": get_args(SummarizerName),
    "provider_profile": get_args(ProviderProfile),
}

_DEFAULTS: Final = MemoryConfig()
_RATIOS: Final = ("summary_trigger_ratio", "target_ratio", "unknown_model_factor")
_LEAST_ONE: Final = ("max_token_budget", "tool_pruning_threshold", "max_summary_tokens")
_SWITCHES: Final = ("protect_errors", "keep_thinking")


def labels() -> dict[str, str]:
    """What each field is called on the screen, in the order of the controls."""
    return {
        "max_token_budget": _("Token budget"),
        "sliding_window_size": _("Window (messages)"),
        "summary_trigger_ratio": _("Trigger (of budget)"),
        "tool_pruning_threshold": _("Pruning threshold"),
        "target_ratio": _("Target (of budget)"),
        "max_summary_tokens": _("Summary cap (tokens)"),
        "window_when": _("When old messages leave"),
        "summarizer": _("Summariser"),
        "prune_when": _("When outputs are shortened"),
        "pruning_style": _("How outputs are shortened"),
        "threshold_unit": _("Unit of the pruning threshold"),
        "keep_recent_messages": _("Newest messages never shortened"),
        "keep_recent_tool_outputs": _("Newest outputs never shortened"),
        "prune_min_clear": _("Least tokens a shortening frees"),
        "protect_errors": _("Protect error outputs"),
        "reply_reserve": _("Reserved for the reply (tokens)"),
        "fixed_overhead_tokens": _("Fixed overhead (tokens)"),
        "provider_profile": _("Provider's message rules"),
        "model": _("Model counted for"),
        "unknown_model_factor": _("Factor for unknown models"),
        "image_tokens": _("One image (tokens)"),
        "keep_thinking": _("Send and count thinking"),
        "pins": _("Pinned messages"),
    }


def config_controls(config: MemoryConfig) -> None:
    """All fields as controls that change the current config."""
    _preset(config)
    for name in MAIN:
        _control(name, config)
    with st.expander(_("More")):
        for name in labels():
            if name not in MAIN:
                _control(name, config)
        st.download_button(
            _("Save the config as JSON"),
            config.model_dump_json(indent=2),
            file_name="memory-config.json",
            mime="application/json",
            on_click="ignore",
        )


def _preset(config: MemoryConfig) -> None:
    changed = len(config.changed())
    text, button = st.columns([3, 2], vertical_alignment="center")
    state = _("unchanged")
    if changed:
        state = ngettext("{n} value changed", "{n} values changed", changed).format(n=changed)
    text.markdown(
        _("**Config** · {preset}, {state}").format(preset=PRESETS["article"].label, state=state)
    )
    button.button(
        _("Reset"),
        key="reset",
        on_click=current.reset_config,
        disabled=not changed,
        width="stretch",
        help=_("Back to the values of the article this grew from."),
    )


def _control(name: str, config: MemoryConfig) -> None:
    if name in STEPS:
        _slider(name, config, STEPS[name])
    elif name == "summary_trigger_ratio":
        _slider(name, config, [percent / 100 for percent in range(5, 101, 5)])
    elif name in CHOICES:
        _choice(name, config)
    elif name in _SWITCHES:
        _switch(name, config)
    elif name in {"model", "pins"}:
        _text(name, config)
    else:
        _number(name, config, label=_label(name, config))


def _slider(name: str, config: MemoryConfig, steps: Sequence[float]) -> None:
    value: float = getattr(config, name)
    key = f"{name}.slider"
    current.show(key, min(steps, key=lambda step: abs(step - value)))
    left, right = st.columns([5, 3], vertical_alignment="bottom")
    left.select_slider(
        _label(name, config),
        steps,
        key=key,
        format_func=_shown,
        on_change=current.set_field,
        args=(name, key),
        help=MemoryConfig.model_fields[name].description,
    )
    with right:
        _number(name, config, label=labels()[name], label_visibility="collapsed")


def _number(
    name: str, config: MemoryConfig, *, label: str, label_visibility: str = "visible"
) -> None:
    current.show(name, getattr(config, name))
    is_ratio = name in _RATIOS
    st.number_input(
        label,
        min_value=0.0 if is_ratio else int(name in _LEAST_ONE),
        max_value=None if is_ratio else LARGEST_NUMBER,
        value=None if getattr(_DEFAULTS, name) is None else "min",
        step=0.05 if is_ratio else 1,
        format="%.4g" if is_ratio else "%d",
        key=name,
        on_change=current.set_field,
        args=(name, name),
        placeholder=_("automatic"),
        help=MemoryConfig.model_fields[name].description,
        label_visibility="collapsed" if label_visibility == "collapsed" else "visible",
    )


def _choice(name: str, config: MemoryConfig) -> None:
    current.show(name, getattr(config, name))
    st.selectbox(
        _label(name, config),
        CHOICES[name],
        format_func=lambda value: value.replace("_", " "),
        key=name,
        on_change=current.set_field,
        args=(name, name),
        help=MemoryConfig.model_fields[name].description,
    )


def _switch(name: str, config: MemoryConfig) -> None:
    current.show(name, getattr(config, name))
    st.toggle(
        _label(name, config),
        key=name,
        on_change=current.set_field,
        args=(name, name),
        help=MemoryConfig.model_fields[name].description,
    )


def _text(name: str, config: MemoryConfig) -> None:
    pins = ", ".join(str(pin) for pin in config.pins)
    current.show(name, pins if name == "pins" else config.model)
    st.text_input(
        _label(name, config),
        key=name,
        on_change=current.set_pins if name == "pins" else current.set_field,
        args=(name,) if name == "pins" else (name, name),
        placeholder=_("numbers or ids, with commas") if name == "pins" else None,
        help=MemoryConfig.model_fields[name].description,
    )


def _label(name: str, config: MemoryConfig) -> str:
    label, default = labels()[name], getattr(_DEFAULTS, name)
    if getattr(config, name) == default:
        return label
    return _("{label} · default {value}").format(label=label, value=_shown(default))


def _shown(value: object) -> str:
    if value is None:
        return _("automatic")
    if isinstance(value, bool):
        return _("on") if value else _("off")
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:g}"
    return str(value) or _("none")
