"""The provider's own count beside ours, as a region of the session page."""

from __future__ import annotations

from typing import Final

import streamlit as st

from memory_core.texts import _, ngettext
from memory_core.usage import Comparison
from pages.ui.session_figures import usage_chart
from pages.ui.titles import titled

_PLAIN: Final = {"displayModeBar": False}


def usage(found: Comparison, *, model: str, schemas: int) -> None:
    """What the provider counted beside our count; `schemas`: tokens of the file's tool schemas."""
    if not found.calls:
        titled(
            _("What the provider counted is unknown"),
            _("The file records no usage. Our count is of the messages that the file holds."),
        )
        return
    titled(_title(found), _text(schemas))
    st.plotly_chart(
        usage_chart(found),
        key="usage",
        config=_PLAIN,
        alt=_("Input tokens of each call as the provider recorded them and as counted here"),
    )
    st.text(_lines(found, model))


def _title(found: Comparison) -> str:
    if found.unseen > 0:
        return _(
            "The provider counted {unseen:,} tokens more than the file holds at call {n:,}"
        ).format(unseen=found.unseen, n=found.calls[0].ordinal + 1)
    return _("The provider's count and ours differ by {unseen:,} tokens at call {n:,}").format(
        unseen=abs(found.unseen), n=found.calls[0].ordinal + 1
    )


def _text(schemas: int) -> str:
    text = _(
        "Input of each call as recorded, tokens read from and written to a cache included, beside "
        "our count of the whole history before it. What the file does not hold (the agent's own "
        "system prompt, tool schemas) only the provider counts; here `fixed_overhead_tokens` does."
    )
    if schemas:
        text += " " + _("The file's own tool schemas have {n:,} tokens.").format(n=schemas)
    return text


def _lines(found: Comparison, model: str) -> str:
    lines = [
        _("Usage is recorded for {n:,} of {calls:,} calls.").format(
            n=len(found.calls), calls=found.all_calls
        )
    ]
    if found.growth is not None:
        lines.append(
            _(
                "From call {first:,} to call {last:,} the provider counted {growth:.2f} tokens for "
                "each new one that {model} counts: another tokenizer, and what is sent without "
                "being recorded."
            ).format(
                first=found.steady[0].ordinal + 1,
                last=found.steady[-1].ordinal + 1,
                growth=found.growth,
                model=model,
            )
        )
    if found.falls:
        lines.append(
            ngettext(
                "The recorded input fell by a fifth or more once, at call {call:,}: the agent left "
                "something out there, and our count goes on.",
                "The recorded input fell by a fifth or more {n:,} times, first at call {call:,}: "
                "the agent left something out there, and our count goes on.",
                len(found.falls),
            ).format(n=len(found.falls), call=found.falls[0].ordinal + 1)
        )
    return "\n".join(lines)
