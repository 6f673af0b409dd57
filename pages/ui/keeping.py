"""The presets on the screen: choose one, go back to it, keep and share what was made of it."""

from __future__ import annotations

from typing import Final

import streamlit as st

from memory_core.config import MemoryConfig
from memory_core.library import LONGEST_NAME, Shelf, tidy
from memory_core.presets import PRESETS, Preset, differing
from memory_core.texts import _, ngettext
from pages.ui import current, settings
from pages.ui.current import Current
from pages.ui.fields import change_of
from pages.ui.plain import literal

KEEPING: Final = "keeping"

_MOST_CHANGES: Final = 2
"""Changed values that are named in sight; all of them stand in the tooltip."""
_LONG: Final = 600
"""Characters from which on a link scrolls in its box."""


def presets(now: Current, shelf: Shelf) -> None:
    """The chosen preset and what was changed of it, which can be undone."""
    name = shelf.named(now.preset)
    preset = shelf.presets[name]
    changed = differing(now.config, preset.config)
    current.show(settings.PRESET, name)
    st.selectbox(
        _label(preset, now.config, changed),
        list(shelf.presets),
        format_func=lambda one: shelf.presets[one].label,
        key=settings.PRESET,
        on_change=settings.choose_preset,
        help=_help(preset, now.config, changed),
    )
    st.button(
        _("Reset"),
        key="reset",
        on_click=settings.reset_config,
        disabled=not changed,
        width="stretch",
        help=_("Back to the values of the preset; pins stay."),
    )


def keeping(now: Current, shelf: Shelf) -> None:
    """What can be done with the values as they are: a preset of one's own, a link, a file."""
    with st.expander(_("Save, share"), key=KEEPING, on_change="rerun") as place:
        if place.open:
            _save(shelf)
            _delete(shelf.named(now.preset))
            _deleted(now.deleted)
            for problem in shelf.problems:
                reason = _("A saved preset cannot be used: {problem}")
                st.warning(reason.format(problem=literal(problem)))
            _link()
            _files(now.config)


def _label(preset: Preset, config: MemoryConfig, changed: list[str]) -> str:
    """The label; its emphasis, a small line by CSS, tells the story or what was changed."""
    if not changed:
        return _("Preset *{story}*").format(story=preset.story)
    count = ngettext("{n} value changed", "{n} values changed", len(changed)).format(n=len(changed))
    named = [change_of(name, config, preset.config) for name in changed[:_MOST_CHANGES]]
    more = len(changed) - _MOST_CHANGES
    if more > 0:
        named.append(ngettext("and {n} more", "and {n} more", more).format(n=more))
    return _("Preset · {count} *{changes}*").format(count=count, changes="; ".join(named))


def _help(preset: Preset, config: MemoryConfig, changed: list[str]) -> str:
    line = _("{story} Choosing a preset sets every value but the pins.").format(story=preset.story)
    if changed:
        named = "; ".join(change_of(name, config, preset.config) for name in changed)
        line += _(" Changed: {changes}.").format(changes=named)
    return line


def _save(shelf: Shelf) -> None:
    typed = st.text_input(
        _("Save these values as a preset"),
        key=settings.PRESET_NAME,
        max_chars=LONGEST_NAME,
        placeholder=_("its name"),
    )
    is_new = tidy(typed) not in shelf.files
    st.button(
        _("Save") if is_new else _("Replace the preset of this name"),
        key="save_preset",
        on_click=settings.save_as,
        kwargs={"is_new": is_new},
        width="stretch",
        help=_("Every value but the pins, which belong to this session only."),
    )


def _delete(name: str) -> None:
    if name not in PRESETS:
        st.button(
            _("Delete {preset}").format(preset=literal(name)),
            key="delete_preset",
            on_click=settings.delete,
            width="stretch",
            help=_("The values stay set."),
        )


def _deleted(gone: Preset | None) -> None:
    if gone is not None:
        st.button(
            _("Deleted {preset}: undo").format(preset=literal(gone.label)),
            key="undelete_preset",
            on_click=settings.undelete,
            width="stretch",
            help=_("Saves it again, with the values that it had."),
        )


def _link() -> None:
    address = current.address()
    st.caption(
        _("Link to this page: session, config, pins and call; a file of yours by its hash only.")
    )
    if address.missing:
        st.warning(address.missing)
    height = 280 if len(address.url) > _LONG else "content"
    st.code(address.url, language=None, wrap_lines=True, height=height)


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
        key=settings.CONFIG_FILE,
        on_change=settings.take_config,
        help=_("A JSON file; values left out get their defaults, refused ones are named."),
    )
