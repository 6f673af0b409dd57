"""The planner: one step per call point, the same for the running agent, replay and sweep.

`advance` feeds what is new and decides; where it returns a `SummaryRequest` the caller asks the
summariser; `commit` ends the step. A step costs what is new plus, at a compaction, the window.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory_core import cutting
from memory_core.acceptance import accepted, carrier_of, text_cap
from memory_core.behind import Behind, Masker
from memory_core.compaction import Chooser, Compaction
from memory_core.config import MemoryConfig
from memory_core.cutting import Room
from memory_core.errors import InvalidConfig
from memory_core.gauge import Gauge, counting_of
from memory_core.laps import Clock, Laps
from memory_core.ledger import Ledger
from memory_core.messages import ChatMessage
from memory_core.plan import Cause, Parts, Plan, Receipt, Summary
from memory_core.prefix import shared_tokens
from memory_core.profiles import OPENING, PROFILES, opening_tokens
from memory_core.summarizing.request import SummaryRequest
from memory_core.tape import Tape
from memory_core.texts import _
from memory_core.trimming import Trimming

MOST_STRIKES = 2
"""Compactions without gain after which no summary is asked for any more."""


class Planner:
    """Plans the windows of one growing history under one config."""

    def __init__(
        self,
        config: MemoryConfig,
        *,
        anchor: ChatMessage | None = None,
        gauge: Gauge | None = None,
        mask: Masker | None = None,
        given_up: Sequence[tuple[int, int]] = (),
        tape: Tape | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.config = config
        self.gauge = gauge or Gauge(config)
        if self.gauge.counts_like != counting_of(config):
            raise InvalidConfig(_("the gauge was made for a config that counts otherwise"))
        self.set_anchor(anchor)
        self.profile = PROFILES[config.provider_profile]
        self.ledger = Ledger(config, self.gauge, self.profile, given_up=given_up, tape=tape)
        self.trimming = Trimming(config, self.ledger)
        self.summary: Summary | None = None
        """The summary in force."""
        self.receipts: list[Receipt] = []
        self.strikes = 0
        self.last: Plan | None = None
        self._due: Compaction | None = None
        self._last_anchor = anchor
        self._behind = Behind(self.ledger, mask)
        self.mask = mask
        self.laps = Laps(clock)
        self._carrier = carrier_of(config)
        self._carried: tuple[Summary, ChatMessage] | None = None

    def set_anchor(self, anchor: ChatMessage | None) -> None:
        """Put this message first from now on."""
        self.anchor = anchor
        self._anchor_tokens = self.gauge.measure(anchor) if anchor else 0

    def carried(self, summary: Summary) -> ChatMessage:
        """The message that carries a summary; made once for the one in force."""
        if self._carried is None or self._carried[0] is not summary:
            self._carried = summary, self._carrier.message(summary.text)
        return self._carried[1]

    def advance(
        self, new: Sequence[ChatMessage], *, skip_first: bool = False
    ) -> SummaryRequest | None:
        """Take what is new of the history, decide, and ask for a summary where one is due.

        `skip_first` leaves out message 0 of the history: the anchor itself.
        """
        self.decide(new, skip_first=skip_first)
        return self._request(self._due) if self._due and self.awaits_summary else None

    @property
    def awaits_summary(self) -> bool:
        """Whether a compaction is due that asks for a summary."""
        if self._due is None or self.config.summarizer == "none":
            return False
        return text_cap(self._due, self._carrier, self.gauge) > 0

    def decide(self, new: Sequence[ChatMessage], *, skip_first: bool = False) -> None:
        """Take what is new of the history and decide, without making a request of it."""
        self.laps.start()
        self.ledger.extend(new, skip=skip_first)
        self.ledger.seal()
        self.laps.end("repair")
        self.trimming.collect()
        if self.config.prune_when == "always":
            self.trimming.by_age(Cause.AGE)
        elif self.config.prune_when == "trigger" and self._total() > self.config.trigger_tokens:
            self.trimming.by_age(Cause.TRIGGER)
        self.laps.end("prune")
        self._due = self._compaction()
        self.laps.end("choose")

    def commit(self, text: str | None, *, failure: str | None = None) -> Plan:
        """End the step: with the summary asked for, or None where it failed or none was asked."""
        self.laps.end("summarise")
        due, self._due = self._due, None
        receipt: Receipt | None = None
        if due is not None and self.config.summarizer == "none":
            receipt = self._leave(due, None)
        elif due is not None and text is not None:
            summary = accepted(
                text,
                due,
                self.ledger,
                previous=self.summary,
                carrier=self._carrier,
                gauge=self.gauge,
            )
            if summary is None:
                self.strikes += 1
                failure = _("The summary was empty or not shorter than what it replaces.")
            else:
                self.strikes = 0
                self.summary = summary
                receipt = self._leave(due, summary)
        return self._finish(receipt, failure)

    def reserve(self) -> Plan:
        """End the step as if a summary that fills its cap had been given: numbers, no text.

        What is planned so is a draft: real summaries are a little shorter than their cap.
        """
        self.laps.end("summarise")
        due, self._due = self._due, None
        receipt: Receipt | None = None
        if due is not None:
            version = Summary.next_version(self.summary)
            self.summary = Summary(version, "", due.cap, is_reserved=True)
            receipt = self._leave(due, self.summary)
        return self._finish(receipt, None)

    def go_on_after(self, plan: Plan) -> None:
        """Take over the newest plan of an earlier run, to measure the next one against it."""
        self.last = replace(plan, summary=self.summary)
        self._last_anchor = self.anchor

    def _compaction(self) -> Compaction | None:
        summarises = self.config.summarizer != "none"
        total = self._total()
        is_due = total > self.config.trigger_tokens or self.config.window_when == "every_call"
        if not is_due or (summarises and self.strikes >= MOST_STRIKES):
            return None
        needs_opening = not summarises and self.profile.single_system
        opening = self.gauge.tokens(OPENING) if needs_opening else 0
        room = Room(
            budget=self.config.max_token_budget,
            fixed=self._fixed() + opening,
            summary=self.summary.tokens if self.summary else 0,
            cap=self.config.summary_cap if summarises else 0,
        )
        chooser = Chooser(self.config, self.ledger, self.trimming, room, self._held_tokens())
        return chooser.choose(total)

    def _fixed(self) -> int:
        return self._anchor_tokens + self.config.fixed_overhead_tokens + self.config.reply_reserve

    def _held(self) -> tuple[int, ...]:
        return cutting.held_before(self.ledger, self.ledger.mark) if self.ledger.mark else ()

    def _held_tokens(self) -> int:
        return sum(self.ledger.sent[at] for at in self._held())

    def _total(self) -> int:
        summary = self.summary.tokens if self.summary else 0
        total = self._fixed() + summary + self._held_tokens() + self.ledger.rest
        if self.profile.single_system:
            total += self._opening(self._held(), self.ledger.mark)
        return total

    def _opening(self, before: Sequence[int], start: int) -> int:
        """Tokens of the opening line, where the provider wants the user to speak first.

        `before`: exchanges sent before `start`, from where on everything is sent.
        """
        rows, first = self.ledger.rows, before[0] if before else start
        if self.summary or first >= len(rows):
            return 0
        return opening_tokens(self.profile, rows[first].exchange, self.gauge.tokens)

    def _request(self, due: Compaction) -> SummaryRequest:
        new = self._behind.from_mark(due.cut.at)
        return SummaryRequest(
            behind=(*self._behind.until_mark(), *new),
            new=new,
            previous=self.summary.text if self.summary else "",
            cap=text_cap(due, self._carrier, self.gauge),
            count=self.gauge.count,
        )

    def _leave(self, due: Compaction, summary: Summary | None) -> Receipt:
        ledger = self.ledger
        receipt = Receipt(
            ordinal=ledger.ordinal,
            at=len(ledger.messages),
            cause=due.cause,
            start=ledger.mark,
            end=due.cut.at,
            messages=sum(
                len(ledger.recorded(at, at + 1))
                for at in range(ledger.mark, due.cut.at)
                if not cutting.must_stay(ledger, at)
            ),
            tokens_before=due.cut.replaced,
            tokens_after=summary.tokens if summary else 0,
            total_before=due.total_before,
            version=summary.version if summary else 0,
            cap=max(0, text_cap(due, self._carrier, self.gauge)) if summary else 0,
        )
        ledger.move_mark(due.cut.at)
        self.receipts.append(receipt)
        return receipt

    def _finish(self, receipt: Receipt | None, failure: str | None) -> Plan:
        ledger, config = self.ledger, self.config
        drop_end, spared, gone = ledger.mark, tuple[int, ...](), list[int]()
        if self._total() > config.max_token_budget:
            self.trimming.newest(ledger.mark, self._total() - config.max_token_budget)
            drop_end = self._drop_end(self._total() - config.max_token_budget)
            at_all = range(ledger.mark, drop_end)
            spared = tuple(at for at in at_all if cutting.must_stay(ledger, at))
            gone = [at for at in at_all if at not in spared]
        held = self._held()
        short = ledger.rest_short - sum(ledger.short[at] for at in gone)
        parts = Parts(
            system=self._anchor_tokens,
            overhead=config.fixed_overhead_tokens,
            summary=self.summary.tokens if self.summary else 0,
            opening=self._opening((*held, *spared), drop_end),
            kept=ledger.rest
            - short
            + sum(ledger.sent[at] for at in held)
            - sum(ledger.sent[at] for at in gone),
            pruned=short,
            reserve=config.reply_reserve,
        )
        plan = Plan(
            at=len(ledger.messages),
            ordinal=ledger.ordinal,
            exchanges=len(ledger.rows),
            mark=ledger.mark,
            behind=ledger.behind,
            held=held,
            drop_end=drop_end,
            spared=spared,
            summary=self.summary,
            parts=parts,
            raw_tokens=parts.system + parts.overhead + ledger.raw,
            over_budget=parts.total > config.max_token_budget,
            cached_prefix_tokens=0,
            receipt=receipt,
            failure=failure,
            repairs=len(ledger.pairing.repairs),
        )
        plan = replace(plan, cached_prefix_tokens=self._shared(plan))
        self.last, self._last_anchor = plan, self.anchor
        ledger.next_point()
        self.laps.end("finish")
        self.laps.next_point()
        return plan

    def _shared(self, now: Plan) -> int:
        same = self.anchor is self._last_anchor or self.anchor == self._last_anchor
        return shared_tokens(self.ledger, self.last, now) if self.last and same else 0

    def _drop_end(self, excess: int) -> int:
        """Where dropping the oldest exchanges may end, so that the budget holds."""
        ledger = self.ledger
        if excess > 0 and self.profile.single_system and not self.summary:
            excess += self.gauge.tokens(OPENING) - self._opening(self._held(), ledger.mark)
        at = ledger.mark
        while excess > 0 and at < cutting.last_cut(ledger):
            if not cutting.must_stay(ledger, at):
                excess -= ledger.sent[at]
            at += 1
        return at
