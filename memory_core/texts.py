"""The words a person reads, in their language: gettext with English as the source."""

from __future__ import annotations

import gettext
from pathlib import Path

DOMAIN = "memory_playground"
LOCALES = Path(__file__).parent / "locale"

_catalogue = gettext.translation(DOMAIN, LOCALES, fallback=True)


def _(text: str) -> str:
    """`text` in the person's language."""
    return _catalogue.gettext(text)


def ngettext(singular: str, plural: str, n: int) -> str:
    """The form of a text that fits `n` things, in the person's language."""
    return _catalogue.ngettext(singular, plural, n)
