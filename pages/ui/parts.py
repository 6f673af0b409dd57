"""The components of the page that draw themselves: what is read of each, and its name."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from streamlit.components.v2 import component
from streamlit.components.v2.types import ComponentRenderer

_HERE: Final = Path(__file__).parent


def part(name: str, html: str = "") -> ComponentRenderer:
    """The component of `<name>.js` and `<name>.css`; its `<name>.html` where none is given."""

    def text(suffix: str) -> str:
        return (_HERE / f"{name}.{suffix}").read_text(encoding="utf-8")

    return component(
        f"memory_playground_{name}", html=html or text("html"), css=text("css"), js=text("js")
    )
