"""The life of one thing: where it stands at every call point, and why it went."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Final

import numpy as np

from memory_core.film import film
from memory_core.loss.index import Index
from memory_core.loss.standing import SHORT, WHOLE, Texts, check
from memory_core.loss.subject import Subject, uses_of
from memory_core.loss.terms import Numbers
from memory_core.plan import Plan, State
from memory_core.reasons import why
from memory_core.replay import Replay, call_points
from memory_core.texts import _

_IS_WHOLE: Final = np.isin(np.arange(256), WHOLE)
"""By code of a film's cell."""


class Form(StrEnum):
    """How something stands in a window, best first."""

    WHOLE = "whole"
    SHORTENED = "shortened"
    SUMMARY = "summary"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Span:
    """Calls `first` to `last` (from 0, both included) in which something stands in one form."""

    first: int
    last: int
    form: Form
    message: int
    """The newest message that holds it in this form; where it is gone, the newest that said it."""
    reason: str
    """Why it has this form from call `first` on."""


@dataclass(frozen=True, slots=True)
class Use:
    """The session used it again: message `at`, which answers call `call` (from 0)."""

    call: int
    at: int
    form: Form

    @property
    def is_met(self) -> bool:
        """Whether it stood in the window of that call."""
        return self.form is not Form.GONE


@dataclass(frozen=True, slots=True)
class Lifeline:
    """Where something stood from the first call that could know it to the last."""

    text: str
    said: tuple[int, ...]
    spans: tuple[Span, ...]
    uses: tuple[Use, ...]


def lifeline(replay: Replay, index: Index, subject: Subject) -> Lifeline:
    """The lifeline of an item or of any words under the config of a replay."""
    forms = _Forms(replay, index, subject)
    found = [forms.at(plan) for plan in replay.plans]
    known = bisect_left([plan.at for plan in replay.plans], subject.said[0] + 1)
    spans: list[Span] = []
    # A new carrier in the same form is no new span: the form is what a reader looks for.
    for form, group in groupby(range(known, len(found)), key=lambda call: found[call][0]):
        calls = list(group)
        message, plan = found[calls[0]][1], replay.plans[calls[0]]
        was_in_summary = bool(spans) and spans[-1].form is Form.SUMMARY
        reason = _reason(replay, plan, message, form, was_in_summary=was_in_summary)
        spans.append(Span(calls[0], calls[-1], form, message, reason))
    points = call_points(index.messages)
    uses = tuple(
        Use(call, at, found[call][0])
        for at in uses_of(subject, index)
        if (call := bisect_left(points, at)) < len(found)
    )
    return Lifeline(subject.text, subject.said, tuple(spans), uses)


def form_at(replay: Replay, index: Index, subject: Subject, plan: Plan) -> Form:
    """The form of something at one call point."""
    return _Forms(replay, index, subject).at(plan)[0]


def _reason(replay: Replay, plan: Plan, message: int, form: Form, *, was_in_summary: bool) -> str:
    """Why something has a form from this call on, in one or two sentences."""
    fate = replay.fates(plan)[message]
    receipt = replay.receipt_of(plan)
    if receipt is not None and form is Form.GONE and was_in_summary:
        said = _("The summary written at call {call} no longer holds it.")
        return said.format(call=receipt.ordinal + 1)
    sentence = why(fate, plan, replay.config)
    if receipt is not None and form is Form.SUMMARY and fate.state is not State.SUMMARISED:
        said = _("Only the summary written at call {call} still holds it.")
        return f"{sentence} {said.format(call=receipt.ordinal + 1)}"
    if form is Form.GONE and fate.state is State.SUMMARISED:
        return f"{sentence} {_('The summary does not hold it.')}"
    return sentence


class _Forms:
    """Tells the form of one thing at any call point of a replay."""

    def __init__(self, replay: Replay, index: Index, subject: Subject) -> None:
        check(replay, index)
        seen = film(
            replay, most_messages=max(1, len(replay.messages)), most_calls=max(1, len(replay.plans))
        )
        self._cells = seen.cells
        self._texts = Texts(replay, index, seen.positions)
        self._subject = subject
        self._rows: Numbers = np.array(subject.said, np.int64)
        self._short: dict[int, bool] = {}
        self._summaries: dict[str, bool] = {}

    def at(self, plan: Plan) -> tuple[Form, int]:
        """The form, and the message that explains it; where nothing said it yet, it is gone."""
        said = self._rows[: bisect_left(self._subject.said, plan.at)]
        codes = self._cells[said, plan.ordinal]
        whole = said[_IS_WHOLE[codes]]
        if len(whole):
            return Form.WHOLE, int(whole[-1])
        for row in reversed(said[codes == SHORT].tolist()):
            if self._is_in_short(row, plan):
                return Form.SHORTENED, row
        newest = int(said[-1]) if len(said) else -1
        if plan.summary is not None and self._is_in_summary(plan.summary.text, plan):
            return Form.SUMMARY, newest
        return Form.GONE, newest

    def _is_in_short(self, row: int, plan: Plan) -> bool:
        known = self._short.get(row)
        if known is None:
            text = self._texts.sent(row, plan.ordinal)
            known = self._subject.is_in(text, until=row + 1, source=row)
            self._short[row] = known
        return known

    def _is_in_summary(self, text: str, plan: Plan) -> bool:
        known = self._summaries.get(text)
        if known is None:
            known = self._summaries[text] = self._subject.is_in(text, until=plan.at)
        return known
