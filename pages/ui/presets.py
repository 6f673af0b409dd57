"""Where this app finds the presets: those of the library and those saved on this machine."""

from __future__ import annotations

import os
from pathlib import Path

from memory_core.library import Shelf, preset_folder, read_shelf


def folder() -> Path:
    """The folder of saved presets."""
    return preset_folder(os.environ)


def shelf() -> Shelf:
    """All presets as they are now."""
    return read_shelf(folder())
