"""Messages as cards: what became of each, why, its text as recorded and as sent, what to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from memory_core.calls import tools_by_result
from memory_core.messages import ChatMessage
from memory_core.plan import State
from memory_core.pruning.marker import marker
from memory_core.reasons import why
from memory_core.replay import Replay
from memory_core.report import Report
from memory_core.texts import _
from memory_core.window import Fate
from pages.ui.diffs import shortening
from pages.ui.marked import Block, Button, Card, Chip, Span
from pages.ui.speakers import spoken, unspoken, who
from pages.ui.states import ANSWER, LOOKS, state_name

MOST_RESULTS: Final = 4
"""Results of one message that have a button each."""


@dataclass(frozen=True)
class Cards:
    """The cards of one call point."""

    replay: Replay
    report: Report
    focus: int | None = None

    def of(self, fate: Fate) -> Card:
        """The card of a message before the call."""
        message = self.replay.messages[fate.index]
        return Card(
            id=str(fate.index),
            chip=_chip(fate),
            title=f"#{fate.index} {who(message, tool=self._tool(fate))}",
            aside=_tokens(fate),
            bar=fate.sent_tokens / fate.tokens if fate.tokens else None,
            why=why(fate, self.report.plan, self.replay.config),
            marked=fate.index == self.focus,
            blocks=self._blocks(fate),
            buttons=[*self._jumps(fate), *self._pin(fate)],
        )

    def answer(self) -> Card:
        """The card of what the model answered at this call."""
        at = self.report.plan.at
        message = self.replay.messages[at]
        return Card(
            id=str(at),
            chip=Chip(ANSWER.glyph, _("answer"), ANSWER.colour),
            title=f"#{at} {who(message)}",
            why=_("What the model answered here, as recorded; it enters the next window."),
            marked=at == self.focus,
            blocks=[_block([Span("plain", spoken(message))], message)],
        )

    def text(self, fate: Fate) -> str:
        """The text that a search looks through, with the names of its tools."""
        message = self.replay.messages[fate.index]
        name = message.name or self._tools.get(fate.index, "")
        return f"{spoken(message)}\n{name}" if name else spoken(message)

    @cached_property
    def _exchanges(self) -> Mapping[int, Sequence[Fate]]:
        found: dict[int, list[Fate]] = {}
        for fate in self.report.fates:
            if fate.position >= 0:
                found.setdefault(fate.position, []).append(fate)
        return found

    @cached_property
    def _tools(self) -> Mapping[int, str]:
        return tools_by_result(self.replay.messages)

    def _tool(self, fate: Fate) -> str:
        """The tool whose output a message is, where it does not say so itself."""
        message = self.replay.messages[fate.index]
        if message.role != "tool" or message.name:
            return ""
        call = self.report.call_of(fate)
        return call.name if call else ""

    def _blocks(self, fate: Fate) -> list[Block]:
        message = self.replay.messages[fate.index]
        recorded = spoken(message)
        if not _differs(fate):
            return [_block([Span("plain", recorded)], message)]
        original, sent = _both(message, self.report.sent(fate), fate.index)
        return [
            _block(original, message, label=_("as recorded")),
            _block(sent, message, label=_("as sent")),
        ]

    def _jumps(self, fate: Fate) -> Iterator[Button]:
        first, *others = self._exchanges.get(fate.position, [fate])
        if first.index != fate.index:
            title = _("Look at message #{n:,}").format(n=first.index)
            yield Button(_("to its call"), title, "message", first.index)
            return
        for other in others[:MOST_RESULTS]:
            word = _("to its result #{n}").format(n=other.index)
            title = _("Look at message #{n:,}").format(n=other.index)
            yield Button(word, title, "message", other.index)

    def _pin(self, fate: Fate) -> Iterator[Button]:
        if fate.position < 0:
            return
        title = _("A pinned message is always sent and never summarised.")
        if fate.pinned_with is not None:
            word = _("unpin #{n}").format(n=fate.pinned_with)
            yield Button(word, title, "pin", fate.pinned_with, pressed=True)
            return
        is_pinned = fate.state is State.PINNED
        word = _("unpin") if is_pinned else _("pin")
        yield Button(word, title, "pin", fate.index, pressed=is_pinned)


def _chip(fate: Fate) -> Chip:
    look = LOOKS[fate.state]
    return Chip(look.glyph, state_name(fate.state), look.colour)


def _tokens(fate: Fate) -> str:
    if fate.tokens == fate.sent_tokens:
        return _("{tokens:,} tokens").format(tokens=fate.tokens)
    line = _("{before:,} → {after:,} tokens")
    return line.format(before=fate.tokens, after=fate.sent_tokens)


def _differs(fate: Fate) -> bool:
    return bool(fate.sent_tokens and (fate.pruning or fate.fault))


def _both(recorded: ChatMessage, sent: ChatMessage, index: int) -> tuple[list[Span], list[Span]]:
    """A text as recorded, with what is not sent marked, and as sent, with what is new marked."""
    mark = marker(len(recorded.text), index)
    body = sent.text.removesuffix(mark)
    pieces = shortening(recorded.text, body)
    before = [Span("plain" if one.kind == "plain" else "cut", one.text)
              for one in pieces if one.kind != "added"]  # fmt: skip
    after = [Span(one.kind, one.text) for one in pieces if one.kind != "removed"]
    if len(body) < len(sent.text):
        after.append(Span("added", mark))
    return _with_rest(before, recorded), _with_rest(after, sent)


def _with_rest(spans: list[Span], message: ChatMessage) -> list[Span]:
    rest = unspoken(message)
    start = "\n" if spans else ""
    return [*spans, Span("plain", start + "\n".join(rest))] if rest else spans


def _block(spans: Sequence[Span], message: ChatMessage, *, label: str = "") -> Block:
    return Block(spans, label, mono=message.role == "tool" or bool(message.tool_calls))
