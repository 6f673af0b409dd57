"""The words for what can be lost, by kind, and for the forms in which it stands."""

from __future__ import annotations

from typing import Final

from memory_core.loss import Form
from memory_core.texts import _
from pages.ui.states import GREEN, ORANGE, SKY, VERMILION, Look

FORMS: Final = {
    Form.WHOLE: Look("●", GREEN),
    Form.SHORTENED: Look("✂", ORANGE),
    Form.SUMMARY: Look("Σ", SKY),
    Form.GONE: Look("✖", VERMILION),
}


def kind_name(kind: str) -> str:
    """What things of a kind are called; a kind without a word is called by its own."""
    return {
        "id": _("identifiers"),
        "path": _("paths"),
        "url": _("addresses"),
        "email": _("e-mails"),
        "date": _("dates and times"),
        "money": _("amounts of money"),
        "quantity": _("quantities"),
        "number": _("numbers"),
        "error": _("error codes"),
        "name": _("proper names"),
        "command": _("commands"),
        "decision": _("decisions"),
        "constraint": _("rules"),
        "error_line": _("error lines"),
    }.get(kind, kind)


def form_name(form: Form) -> str:
    """The word for a form."""
    return {
        Form.WHOLE: _("whole"),
        Form.SHORTENED: _("shortened"),
        Form.SUMMARY: _("in the summary"),
        Form.GONE: _("gone"),
    }[form]
