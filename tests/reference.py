"""The planner's rules written a second time, slowly: everything anew from the full history.

An oracle for tests: no sums, no pointers, no caches. It shares only single measurements (tokens
of a message, the shortened form of an output, pairing) with the planner.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from memory_core.config import MemoryConfig
from memory_core.exchanges import Exchange, Fault, Pairing
from memory_core.gauge import Gauge
from memory_core.messages import ChatMessage
from memory_core.profiles import OPENING, PROFILES, adapt
from memory_core.pruning import is_error_output
from memory_core.summarizing import HEADINGS, clip
from memory_core.summarizing.request import Numbered, Summarizer, SummaryRequest


@dataclass
class Reference:
    """Plans call point after call point; `window` is what it would send."""

    config: MemoryConfig
    gauge: Gauge
    summarizer: Summarizer | None
    anchor: ChatMessage | None = None
    skips_first: bool = False
    given_up: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    pruned: set[int] = field(default_factory=set[int])
    mark: int = 0
    summary: str = ""
    strikes: int = 0

    def window(self, history: Sequence[ChatMessage]) -> list[ChatMessage]:
        self.history = history
        self._pair()
        self._prune_old()
        self._compact()
        self._shorten_newer(self.mark, self._total(self.mark) - self.config.max_token_budget)
        dropped = self._drop()
        sent = [at for at in range(len(self.exchanges)) if self._stays(at, self.mark)]
        sent = [at for at in sent if at not in dropped]
        head = [self.anchor] if self.anchor else []
        head += [self._carrier(self.summary)] if self.summary else []
        head += [OPENING] if self._opening(sent) else []
        return head + [message for at in sent for message in self._messages(at)]

    def _pair(self) -> None:
        pairing = Pairing(given_up=self.given_up)
        for index, message in enumerate(self.history):
            if index or not self.skips_first:
                pairing.add(index, message)
        pairing.seal()
        self.given_up = pairing.given_up
        profile = PROFILES[self.config.provider_profile]
        self.exchanges = [adapt(exchange, profile) for exchange in pairing.exchanges]
        users = [at for at in range(len(self.exchanges)) if self._is_user(at, pairing)]
        self.last_user = max(users, default=-1)

    def _is_user(self, at: int, pairing: Pairing) -> bool:
        first = pairing.exchanges[at].entries[0]
        return first.message.role == "user" and first.fault is None

    def _is_pinned(self, exchange: Exchange) -> bool:
        names = set(self.config.pins)
        return any(
            entry.index in names or self.history[entry.index].id in names
            for entry in exchange.entries
        )

    def _outputs(self) -> list[tuple[int, int, int]]:
        """(index, exchange, place) of every recorded output, oldest first."""
        return sorted(
            (entry.index, at, place)
            for at, exchange in enumerate(self.exchanges)
            for place, entry in enumerate(exchange.entries)
            if entry.is_output and entry.fault is not Fault.MISSING_RESULT
        )

    def _saving(self, at: int, place: int) -> int:
        exchange = self.exchanges[at]
        entry = exchange.entries[place]
        if entry.index in self.pruned or exchange.pending or self._is_pinned(exchange):
            return 0
        short = self.gauge.shortened(entry, self.config)
        return self.gauge.tokens(entry.message) - short.tokens if short else 0

    def _prune_old(self) -> None:
        config = self.config
        over = self._total(self.mark) > config.trigger_tokens
        if config.prune_when == "never" or (config.prune_when == "trigger" and not over):
            return
        outputs = self._outputs()
        old = outputs[: max(0, len(outputs) - config.keep_recent_tool_outputs)]
        saving = {
            index: self._saving(at, place)
            for index, at, place in old
            if index < len(self.history) - config.keep_recent_messages
            and at >= self.mark
            and not (config.protect_errors and self._is_error(at, place))
        }
        ready = {index for index, saved in saving.items() if saved}
        if sum(saving.values()) >= config.prune_min_clear:
            self.pruned |= ready

    def _is_error(self, at: int, place: int) -> bool:
        return is_error_output(self.exchanges[at].entries[place].message)

    def _shorten_newer(self, start: int, excess: int) -> None:
        if self.config.prune_when == "never":
            return
        found = [(at, place) for _, at, place in self._outputs() if at >= start]
        found = [one for one in found if self._saving(*one)]
        found.sort(key=lambda one: -self._full(*one))
        for at, place in found:
            if excess > 0:
                excess -= self._saving(at, place)
                self.pruned.add(self.exchanges[at].entries[place].index)

    def _full(self, at: int, place: int) -> int:
        return self.gauge.tokens(self.exchanges[at].entries[place].message)

    def _messages(self, at: int) -> list[ChatMessage]:
        messages: list[ChatMessage] = []
        for entry in self.exchanges[at].entries:
            short = None
            if entry.is_output and entry.index in self.pruned:
                short = self.gauge.shortened(entry, self.config)
            messages.append(short.message if short else entry.message)
        return messages

    def _tokens(self, at: int) -> int:
        return sum(self.gauge.tokens(message) for message in self._messages(at))

    def _must_stay(self, at: int) -> bool:
        is_new = at >= self._last_cut()
        return is_new or self._is_pinned(self.exchanges[at]) or at == self.last_user

    def _stays(self, at: int, cut: int) -> bool:
        return at >= cut or self._is_pinned(self.exchanges[at]) or at == self.last_user

    def _fixed(self) -> int:
        anchor = self.gauge.tokens(self.anchor) if self.anchor else 0
        return anchor + self.config.reply_reserve + self.config.fixed_overhead_tokens

    def _carrier(self, text: str) -> ChatMessage:
        role = PROFILES[self.config.provider_profile].summary_role
        return ChatMessage(role=role, content=HEADINGS[self.config.summary_heading] + text)

    def _summary_tokens(self) -> int:
        return self.gauge.tokens(self._carrier(self.summary)) if self.summary else 0

    def _opening(self, sent: Sequence[int]) -> int:
        if not PROFILES[self.config.provider_profile].single_system or self.summary or not sent:
            return 0
        is_user = self.exchanges[sent[0]].entries[0].message.role == "user"
        return 0 if is_user else self.gauge.tokens(OPENING)

    def _rest(self, cut: int) -> int:
        return sum(self._tokens(at) for at in range(len(self.exchanges)) if self._stays(at, cut))

    def _total(self, cut: int) -> int:
        sent = [at for at in range(len(self.exchanges)) if self._stays(at, cut)]
        return self._fixed() + self._summary_tokens() + self._opening(sent) + self._rest(cut)

    def _leaving(self, cut: int) -> list[int]:
        return [at for at in range(self.mark, cut) if not self._must_stay(at)]

    def _replaced(self, cut: int) -> int:
        return self._summary_tokens() + sum(self._tokens(at) for at in self._leaving(cut))

    def _bound(self, cut: int, *, full_cap: bool) -> int:
        cap = 0 if self.config.summarizer == "none" else self.config.summary_cap
        if not self._leaving(cut):
            return self._summary_tokens()
        return cap if full_cap else max(0, min(cap, self._replaced(cut) - 1))

    def _fits(self, cut: int, limit: int, *, full_cap: bool = False) -> bool:
        fixed = self._fixed()
        strict = PROFILES[self.config.provider_profile].single_system
        if self.config.summarizer == "none" and strict:
            fixed += self.gauge.tokens(OPENING)
        return fixed + self._bound(cut, full_cap=full_cap) + self._rest(cut) <= limit

    def _first(self, start: int, limit: int, *, full_cap: bool = False) -> int | None:
        found = (
            cut
            for cut in range(start, self._last_cut() + 1)
            if self._fits(cut, limit, full_cap=full_cap)
        )
        return next(found, None)

    def _last_cut(self) -> int:
        count = len(self.exchanges)
        return count - 1 if count and self.exchanges[-1].messages[0].tool_calls else count

    def _newest_cut(self) -> int:
        cut, kept = len(self.exchanges), 0
        while cut > self.mark and kept < self.config.sliding_window_size:
            cut -= 1
            kept += sum(
                entry.fault is not Fault.MISSING_RESULT and not self.history[entry.index].is_system
                for entry in self.exchanges[cut].entries
            )
        return max(self.mark, min(cut, self._last_cut()))

    def _wanted(self) -> int:
        config = self.config
        if config.window_when == "never":
            ratio = config.target_ratio or config.summary_trigger_ratio
            found = self._first(self.mark, int(ratio * config.max_token_budget), full_cap=True)
            return self._last_cut() if found is None else found
        newest = self._newest_cut()
        if config.target_ratio is None:
            return newest
        limit = int(config.target_ratio * config.max_token_budget)
        found = self._first(self.mark, limit, full_cap=True)
        return newest if found is None else min(found, newest)

    def _compact(self) -> bool:
        config = self.config
        over = self._total(self.mark) > config.trigger_tokens
        if not over and config.window_when != "every_call":
            return False
        if config.summarizer != "none" and self.strikes >= 2:
            return False
        wanted = cut = self._wanted()
        if not self._fits(cut, config.max_token_budget):
            strict = PROFILES[config.provider_profile].single_system
            opening = config.summarizer == "none" and strict
            total = self._fixed() + (self.gauge.tokens(OPENING) if opening else 0)
            total += self._bound(cut, full_cap=False) + self._rest(cut)
            self._shorten_newer(wanted, total - config.max_token_budget)
            found = self._first(wanted, config.max_token_budget)
            cut = self._last_cut() if found is None else found
        if not self._leaving(cut):
            return False
        if config.summarizer == "none":
            self.mark = cut
            return True
        return self._summarise(cut)

    def _summarise(self, cut: int) -> bool:
        config = self.config
        room = config.max_token_budget - self._fixed() - self._rest(cut)
        cap = max(0, min(config.summary_cap, self._replaced(cut) - 1, room))
        text_cap = cap - self.gauge.tokens(self._carrier(""))
        if text_cap <= 0 or self.summarizer is None:
            return False
        behind = tuple(
            Numbered(entry.index, self.history[entry.index])
            for at in range(cut)
            if not self._is_pinned(self.exchanges[at])
            for entry in self.exchanges[at].entries
            if entry.fault is not Fault.MISSING_RESULT
        )
        request = SummaryRequest(behind, behind, self.summary, text_cap, self.gauge.count)
        text = clip(self.summarizer(request).strip(), self._characters(cut), len)
        text = clip(text, text_cap, self.gauge.count)
        while text and self.gauge.tokens(self._carrier(text)) > cap:
            text_cap -= self.gauge.tokens(self._carrier(text)) - cap
            text = clip(text, max(0, text_cap), self.gauge.count)
        if not text:
            self.strikes += 1
            return False
        self.summary, self.mark, self.strikes = text, cut, 0
        return True

    def _characters(self, cut: int) -> int:
        before = len(HEADINGS[self.config.summary_heading] + self.summary) if self.summary else 0
        leaving = [message for at in self._leaving(cut) for message in self._messages(at)]
        texts = [message.text for message in leaving]
        texts += [call.arguments for message in leaving for call in message.tool_calls]
        return max(
            0,
            before + sum(len(text) for text in texts) - len(HEADINGS[self.config.summary_heading]),
        )

    def _drop(self) -> set[int]:
        excess = self._total(self.mark) - self.config.max_token_budget
        if excess <= 0:
            return set()
        if PROFILES[self.config.provider_profile].single_system and not self.summary:
            sent = [at for at in range(len(self.exchanges)) if self._stays(at, self.mark)]
            excess += self.gauge.tokens(OPENING) - self._opening(sent)
        dropped: set[int] = set()
        for at in range(self.mark, len(self.exchanges)):
            if excess > 0 and not self._must_stay(at):
                dropped.add(at)
                excess -= self._tokens(at)
        return dropped
