"""The summary that is sent in place of what left, what changed in it, and what it cost."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import streamlit as st

from memory_core.acceptance import carrier_of
from memory_core.plan import Cause, Plan, Receipt, State, Summary
from memory_core.replay import Replay
from memory_core.summarizing import HEADINGS
from memory_core.texts import _, ngettext
from pages.ui import marked
from pages.ui.diffs import word_diff
from pages.ui.excerpts import fitted
from pages.ui.marked import Block, Button, Card, Chip, Span
from pages.ui.states import GREY, LOOKS, VERMILION
from pages.ui.unsummarised import reason

PANEL: Final = "summary"
DIFF: Final = "summary_diff"
LONGEST_PROMPT: Final = 20_000
"""Characters of one prompt that are shown."""
ROOM: Final = 24_000
"""Bytes that the texts of the panel take together, at most."""
TALL: Final = 280
"""Pixels from which on the summary scrolls."""
MOST_RANGES: Final = 40
"""Ranges of messages that left, newest first, that are named."""

_REFERENCE: Final = re.compile(r"\[#(\d{1,9})\]")


def summary_panel(replay: Replay, plan: Plan, prompts: Sequence[str] = ()) -> None:
    """The summary in force at a call, its last compaction, and what failed.

    `prompts`: what a model was asked for the summary, word for word.
    """
    summary, receipt = plan.summary, _newest_receipt(replay, plan)
    earlier = _earlier(replay, plan)
    wants_diff = False
    if summary and not summary.is_reserved and earlier:
        wants_diff = st.toggle(
            _("Show what changed since version {version}").format(version=earlier.version),
            key=DIFF,
            persist_state="session",
        )
    against = earlier if wants_diff and earlier and not earlier.is_reserved else None
    explained = _explained(replay, summary, earlier)
    shown = [_summary_card(replay, summary, against, explained)]
    shown += [*_problems(replay, plan), *([_receipt_card(replay, receipt)] if receipt else [])]
    marked.cards(fitted(shown, room=ROOM), key=PANEL)
    if prompts:
        _prompts(prompts)


def linked(spans: Iterable[Span], messages: int) -> Iterator[Span]:
    """The spans with every [#n] that names one of so many messages as a link to it."""
    for span in spans:
        done = 0
        for match in _REFERENCE.finditer(span.text):
            target = int(match[1])
            if target < messages and span.kind != "removed":
                yield Span(span.kind, span.text[done : match.start()])
                kind = "link" if span.kind == "plain" else span.kind
                yield Span(kind, match[0], target)
                done = match.end()
        yield Span(span.kind, span.text[done:])


def ranges(indices: Iterable[int]) -> list[range]:
    """Indices in ascending order as runs without a gap."""
    found: list[range] = []
    for index in sorted(indices):
        if found and found[-1].stop == index:
            found[-1] = range(found[-1].start, index + 1)
        else:
            found.append(range(index, index + 1))
    return found


def _title(summary: Summary | None) -> str:
    if summary is None:
        return _("No summary is sent at this call")
    line = _("Version {version}: {tokens:,} tokens in place of what left")
    return line.format(version=summary.version, tokens=summary.tokens)


def _explained(replay: Replay, summary: Summary | None, earlier: Summary | None) -> str:
    if replay.config.summarizer == "none":
        return _("No summariser is switched on: nothing stands for what leaves the window.")
    if summary is None:
        return _("No message has been summarised so far.")
    if summary.is_reserved and not summary.text:
        return _("It is being written; until then it is taken to fill its cap.")
    line = _(
        "What is sent in place of the messages that left, under the heading {heading}. A number "
        "such as #12 in it leads to the message that the line comes from."
    ).format(heading=HEADINGS[replay.config.summary_heading].strip().strip("[]"))
    if earlier is None:
        line += _(" There is no earlier version to compare it with.")
    return line


def _summary_card(
    replay: Replay, summary: Summary | None, earlier: Summary | None, explained: str
) -> Card:
    look = LOOKS[State.SUMMARISED]
    chip = Chip(look.glyph, _("summary"), look.colour)
    if summary is None:
        return Card(id="text", title=_title(summary), chip=chip, why=explained)
    spans = [Span("plain", summary.text)]
    if earlier:
        pieces = word_diff(earlier.text, summary.text)
        spans = [Span(piece.kind, piece.text) for piece in pieces]
    text = Block(
        list(linked(spans, len(replay.messages))),
        mono=False,
        height=TALL,
        opens_at=("added", "removed"),
    )
    return Card(
        id="text",
        title=_title(summary),
        chip=chip,
        why=f"{explained} {_compared(summary, earlier)}".strip(),
        blocks=[text],
    )


def _compared(summary: Summary, earlier: Summary | None) -> str:
    if earlier is None:
        return ""
    line = _("Against version {version}: underlined is new, struck through is gone.")
    if earlier.text == summary.text:
        line = _("Word for word the same as version {version}.")
    return line.format(version=earlier.version)


def _problems(replay: Replay, plan: Plan) -> Iterator[Card]:
    """What is not sent at this call without a summary, and why a summary was not taken."""
    ledger = replay.planner.ledger
    dropped = sum(ledger.row_at(place, plan.ordinal).recorded for place in plan.dropped)
    if not dropped and not plan.failure:
        return
    line = ngettext(
        "{n:,} message is not sent at this call, and no summary has taken it: {reason}.",
        "{n:,} messages are not sent at this call, and no summary has taken them: {reason}.",
        dropped,
    )
    title = _("Left out without a summary")
    if not dropped:
        line = _("No new summary was taken at this call: {reason}.")
        title = _("The summary stays as it was") if plan.summary else _("There is still no summary")
    yield Card(
        id="problem",
        title=title,
        chip=Chip(LOOKS[State.DROPPED].glyph, _("not summarised"), VERMILION),
        why=line.format(n=dropped, reason=reason(replay, plan)),
    )


def _receipt_card(replay: Replay, receipt: Receipt) -> Card:
    call = receipt.ordinal + 1
    ledger, held = replay.planner.ledger, replay.plans[receipt.ordinal].held
    gone = (at for at in range(receipt.start, receipt.end) if at not in held)
    left = [index for at in gone for index in ledger.recorded(at, at + 1)]
    return Card(
        id="receipt",
        title=_("Compaction at call {call:,}").format(call=call),
        chip=Chip("▼", _("receipt"), GREY),
        aside=_("{before:,} → {after:,} tokens").format(
            before=receipt.tokens_before, after=receipt.tokens_after
        ),
        bar=receipt.tokens_after / receipt.tokens_before if receipt.tokens_before else None,
        why=" ".join([_left(receipt), _price(replay, receipt)]),
        blocks=[Block(list(_named(ranges(left))), _("Messages that left"), mono=False)],
        buttons=[
            Button(
                _("to call {call:,}").format(call=call),
                _("Go to the call at which they left"),
                "call",
                call,
            )
        ],
    )


def _named(runs: Sequence[range]) -> Iterator[Span]:
    for place, run in enumerate(runs[-MOST_RANGES:]):
        yield Span("plain", ", " if place else "… " if len(runs) > MOST_RANGES else "")
        yield Span("link", f"#{run.start}", run.start)
        if len(run) > 1:
            yield Span("plain", "-")
            yield Span("link", f"#{run.stop - 1}", run.stop - 1)


def _left(receipt: Receipt) -> str:
    n = receipt.messages
    cause = {
        Cause.TRIGGER: _("the window had passed the trigger"),
        Cause.TARGET: _("the window had passed the trigger, and this much had to leave"),
        Cause.EVERY_CALL: _("old messages leave at every call"),
        Cause.BUDGET: ngettext("the budget could not hold it", "the budget could not hold them", n),
        Cause.AGE: ngettext("it was old", "they were old", n),
    }[receipt.cause]
    return ngettext(
        "{n:,} message left, because {cause} (tokens of the window before: {total:,}).",
        "{n:,} messages left, because {cause} (tokens of the window before: {total:,}).",
        n,
    ).format(n=n, cause=cause, total=receipt.total_before)


def _price(replay: Replay, receipt: Receipt) -> str:
    heading = replay.planner.gauge.measure(carrier_of(replay.config).message(""))
    if not receipt.version:
        line = ngettext(
            "Its {before:,} tokens are gone: no summariser is switched on.",
            "Their {before:,} tokens are gone: no summariser is switched on.",
            receipt.messages,
        )
    elif receipt.version > 1:
        line = _(
            "{before:,} tokens, the summary before among them, became a summary of {after:,}: "
            "its heading takes {heading:,} of them, its text might take up to {cap:,}."
        )
    else:
        line = _(
            "{before:,} tokens became a summary of {after:,}: its heading takes {heading:,} of "
            "them, its text might take up to {cap:,}."
        )
    return line.format(
        before=receipt.tokens_before,
        after=receipt.tokens_after,
        heading=heading,
        cap=receipt.cap,
    )


def _newest_receipt(replay: Replay, plan: Plan) -> Receipt | None:
    return next(reversed(replay.receipts_until(plan)), None)


def _earlier(replay: Replay, plan: Plan) -> Summary | None:
    """The summary that the one in force replaced."""
    receipt = replay.receipt_of(plan)
    return replay.summary_before(replay.plans[receipt.ordinal]) if receipt else None


def _prompts(prompts: Sequence[str]) -> None:
    with st.expander(_("The exact prompt")):
        for prompt in prompts:
            st.code(prompt[:LONGEST_PROMPT], language=None, wrap_lines=True, height=280)
            if len(prompt) > LONGEST_PROMPT:
                line = _("The first {n:,} of {length:,} characters.")
                st.caption(line.format(n=LONGEST_PROMPT, length=len(prompt)))
