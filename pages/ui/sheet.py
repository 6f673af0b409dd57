"""A table of words, chips and buttons as one element; foreign text in it stays text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pages.ui import changes
from pages.ui.marked import Chip
from pages.ui.parts import part

_part = part("sheet", '<div class="frame" role="region" tabindex="0"><table></table></div>')


@dataclass(frozen=True, slots=True)
class Act:
    """A button: `action` and `value` go to `changes.act`."""

    word: str
    title: str
    action: str
    value: Any


Cell = str | Chip | Sequence[Act]


def sheet(title: str, columns: Sequence[str], rows: Sequence[Sequence[Cell]], *, key: str) -> None:
    """A table with a caption, one cell per column in every row."""
    data = {
        "title": title,
        "columns": list(columns),
        "rows": [[_cell(cell) for cell in row] for row in rows],
    }
    _part(key=key, data=data, height="content", on_action_change=lambda: changes.act(key))


def _cell(cell: Cell) -> dict[str, Any]:
    if isinstance(cell, str):
        return {"text": cell}
    if isinstance(cell, Chip):
        return {"text": f"{cell.glyph} {cell.word}", "colour": cell.colour}
    return {"acts": [[one.word, one.title, one.action, one.value] for one in cell]}
