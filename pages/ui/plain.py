"""Foreign words made harmless where Streamlit would read Markdown or HTML."""

from __future__ import annotations

import re
from typing import Final

LONGEST_LITERAL: Final = 500
LONGEST_NAME: Final = 40

_LINE_ENDS: Final = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]+")
_NOT_A_NAME: Final = re.compile(r"[^\w./-]+")


def literal(text: str) -> str:
    """`text` as inline code of Markdown, where nothing has a meaning; cut at 500 characters."""
    shown = brief(text.replace("`", "'"), longest=LONGEST_LITERAL)
    return f"`{shown}`" if shown else ""


def brief(text: str, *, longest: int) -> str:
    """`text` on one line, as it can travel: cut, and what is no character replaced."""
    shown = _LINE_ENDS.sub(" ", text).strip().encode("utf-8", "replace").decode()
    return shown if len(shown) <= longest else shown[:longest] + "…"


def name_of(text: str) -> str:
    """`text` with only letters, digits and `_./-`, so that it is a name and never mark-up."""
    return _NOT_A_NAME.sub("·", text)[:LONGEST_NAME]
