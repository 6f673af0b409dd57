"""The panel of a model's summaries: where it is, what asking costs, and the asking itself."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Final

import streamlit as st

from memory_core.endpoint import endpoint_from_environment
from memory_core.endpoint.address import KEY_VARIABLE, URL_VARIABLE
from memory_core.summarizing.estimate import Estimate
from memory_core.texts import _, ngettext
from pages.ui import cached, current
from pages.ui.changes import change
from pages.ui.current import Current
from pages.ui.notes import Asking, Notes, Occasion
from pages.ui.plain import literal
from pages.ui.presence import presence

POLL_SECONDS: Final = 0.5
_URL, _MODEL, _KEY = "endpoint_url", "endpoint_model", "endpoint_key"


def model_panel(now: Current) -> None:
    """Everything about the model, where the config wants one; it is asked only by the button."""
    if now.config.summarizer != "model":
        return
    notes = cached.notes()
    with st.container(border=True, key="model_panel"):
        if notes.asking is not None and notes.asking.is_running:
            _running(_occasion(now))
        else:
            _resting(now, notes)


@st.fragment(run_every=POLL_SECONDS)
def _running(here: Occasion) -> None:
    notes = cached.notes()
    asking, asked = notes.asking, notes.occasion
    if asking is None or asked is None or not asking.is_running:
        st.rerun()
    if asked == here:
        st.progress(min(1.0, asking.answered / max(1, asking.calls)), _progress(asking))
    else:
        st.markdown(_elsewhere(asked, here))
    st.button(_("Cancel"), key="cancel_model", on_click=_cancel)


def _progress(asking: Asking) -> str:
    line = ngettext(
        "Asking the model: {n:,} of about {calls:,} answer is here.",
        "Asking the model: {n:,} of about {calls:,} answers are here.",
        asking.calls,
    )
    return line.format(n=asking.answered, calls=asking.calls)


def _elsewhere(asked: Occasion, here: Occasion) -> str:
    line = _("A model is being asked for the summaries of {session}, not of what is shown here.")
    if (asked.digest, asked.session) == (here.digest, here.session):
        line = _("A model is being asked for the summaries of {session} under another config.")
    return line.format(session=literal(asked.name))


def _occasion(now: Current) -> Occasion:
    name = now.opened.label
    if len(now.opened.loaded.sessions) > 1:
        name = f"{name}, {now.position} · {now.session.title or now.session.id}"
    return Occasion(now.opened.digest, now.session.id, now.config, name)


def _resting(now: Current, notes: Notes) -> None:
    missing = cached.rehearsed(now.opened.digest, now.session, now.config)
    asking = notes.asking if notes.occasion == _occasion(now) else None
    st.markdown(_title(missing, asking))
    if asking is not None and asking.failure:
        st.error(
            _("{reason} What was not written is not changed: extracts stand in for it.").format(
                reason=literal(asking.failure)
            )
        )
    row = st.container(horizontal=True, vertical_alignment="bottom")
    address = row.text_input(
        _("Address"),
        value=notes.base_url or os.environ.get(URL_VARIABLE, ""),
        key=_URL,
        placeholder="http://localhost:11434/v1",
        on_change=take_settings,
        help=_(
            "An OpenAI-compatible endpoint, up to and with /v1. It gets the messages that leave."
        ),
    )
    row.text_input(_("Model"), value=notes.model, key=_MODEL, on_change=take_settings)
    row.selectbox(
        _("Key from the environment"),
        _key_variables(),
        format_func=lambda name: name or _("no key"),
        key=_KEY,
        on_change=take_settings,
        help=_(
            "Only variables whose name ends in _API_KEY; the key itself is never shown or kept."
        ),
    )
    row.button(
        _("Ask the model"),
        key="ask_model",
        type="primary",
        on_click=ask,
        args=(now, missing.calls),
        disabled=not missing.calls or not address.strip(),
        help=None if address.strip() else _("Type an address first: there is none to ask."),
    )


def _title(missing: Estimate, asking: Asking | None) -> str:
    if not missing.calls:
        return _("**Notes by a model**: all summaries of this config are written.")
    line = ngettext(
        "**Notes by a model**: {n:,} answer is missing, and verbatim extracts stand in. Asking "
        "sends about {tokens:,} tokens and brings at most {answers:,}{price}.",
        "**Notes by a model**: about {n:,} answers are missing, and verbatim extracts stand in. "
        "Asking sends about {tokens:,} tokens and brings at most {answers:,}{price}.",
        missing.calls,
    )
    price = _(", at an unknown price")
    if missing.dollars is not None and missing.priced_on is not None:
        price = _(", for at most ${dollars:.4f} by the prices of {day} ({source})").format(
            dollars=missing.dollars, day=missing.priced_on.isoformat(), source=missing.source
        )
    return line.format(
        n=missing.calls,
        tokens=missing.input_tokens,
        answers=missing.output_tokens_at_most,
        price=price.replace("$", "\\$"),
    ) + (_(" Moving a control never asks.") if asking is None else "")


def _key_variables() -> list[str]:
    known = [name for name in os.environ if name.endswith("_API_KEY") and os.environ[name]]
    return [*sorted(known, key=lambda name: (name != KEY_VARIABLE, name)), ""]


@change
def take_settings() -> None:
    """Take over address, model and key as they are typed."""
    _take()


def _take() -> None:
    address, model, key_variable = [str(current.chosen(key)) for key in (_URL, _MODEL, _KEY)]
    notes = cached.notes()
    notes.base_url, notes.model, notes.key_variable = address.strip(), model.strip(), key_variable
    current.put(replace(current.get(), problem=""))


@change
def ask(now: Current, calls: int) -> None:
    """Ask the model that is typed for all summaries that are missing, about `calls` of them."""
    _take()
    notes = cached.notes()
    key = os.environ.get(notes.key_variable) if notes.key_variable else None
    # The visitor chose the key, or none: not the one that the environment would give.
    endpoint = endpoint_from_environment({}, base_url=notes.base_url, model=notes.model, key=key)
    notes.asking = Asking(
        notes,
        endpoint,
        now.session.messages,
        now.config,
        calls=calls,
        is_wanted=presence(),
    )
    notes.occasion = _occasion(now)


@change
def _cancel() -> None:
    asking = cached.notes().asking
    if asking is not None:
        asking.stop()
