"""The memory of a running agent: the first article's manager, stateful, exact and resumable."""

from __future__ import annotations

import asyncio
import hashlib
import json
import threading
from collections.abc import Mapping, Sequence
from typing import Any, cast

from memory_core.behind import Masker, numbered
from memory_core.config import MemoryConfig
from memory_core.errors import SummaryFailed
from memory_core.exchanges import Entry
from memory_core.gauge import Gauge
from memory_core.ledger import Ledger
from memory_core.messages import ChatMessage, as_message
from memory_core.pipeline import Planner
from memory_core.plan import Cause
from memory_core.profiles import PROFILES
from memory_core.replay import leading_anchor, summarizer_of
from memory_core.report import Report
from memory_core.snapshot import MemoryState, restore, snapshot
from memory_core.summarizing import clip
from memory_core.summarizing.asking import Answer, ask
from memory_core.summarizing.request import Summarizer, SummaryRequest
from memory_core.trimming import Trimming
from memory_core.window import render

TURN_PAUSE = 0.005
"""Seconds between two looks at whether another call on the same memory has ended."""

AnyMessage = ChatMessage | Mapping[str, Any]


class AgentMemoryManager:
    """Prepares the window of every model call of one conversation.

    Pass the full history every time. Where a history does not extend the one seen before, the
    memory starts afresh and the report says so. `state` continues a memory whose process ended.
    """

    def __init__(
        self,
        config: MemoryConfig | None = None,
        *,
        summarizer: Summarizer | None = None,
        state: MemoryState | None = None,
        gauge: Gauge | None = None,
        mask: Masker | None = None,
    ) -> None:
        self.config = config or MemoryConfig()
        self._summarize = summarizer or summarizer_of(self.config)
        self._gauge = gauge or Gauge(self.config)
        self._mask = mask
        self._resume = state
        self._planner: Planner | None = None
        self._seen: list[ChatMessage] = []
        self._skips_first = False
        self._digest = hashlib.sha256()
        self._digested = 0
        self._turn = threading.Lock()
        self.report: Report | None = None
        """What the newest call did; None before the first."""

    @property
    def summary_buffer(self) -> str:
        """The summary in force, without its heading."""
        if self._planner is not None and self._planner.summary is not None:
            return self._planner.summary.text
        return self._resume.summary.text if self._resume and self._resume.summary else ""

    @property
    def state(self) -> MemoryState | None:
        """The running state as a frozen value, None before the first call."""
        if self._planner is None:
            return self._resume
        return snapshot(self._planner, digest=self._digest_of_seen(), skips_first=self._skips_first)

    def estimate_tokens(self, text: str) -> int:
        """Tokens of a text by the config's model."""
        return self._gauge.count(text)

    def prune_tool_outputs(self, messages: Sequence[AnyMessage]) -> list[ChatMessage]:
        """`messages` with old outputs over the threshold shortened, the newest ones left whole."""
        given = [as_message(message) for message in messages]
        gauge = Gauge(self.config, count=self._gauge.count)
        ledger = Ledger(self.config, gauge, PROFILES["openai"])
        ledger.extend(given)
        trimming = Trimming(self.config, ledger)
        trimming.collect()
        trimming.by_age(Cause.AGE)
        for index in ledger.prunings:
            short = gauge.shortened(Entry(index, given[index]), self.config)
            given[index] = short.message if short else given[index]
        return given

    async def summarize_old_messages(self, messages: Sequence[AnyMessage]) -> str:
        """A summary of `messages` within the config's cap; the memory itself stays as it is.

        Raises `SummaryFailed` where the summariser fails.
        """
        given = [as_message(message) for message in messages]
        everything = numbered(given, range(len(given)), self._mask)
        cap, count = self.config.summary_cap, self._gauge.count
        request = SummaryRequest(everything, everything, "", cap, count)
        answer = await asyncio.to_thread(ask, self._summarize, request)
        if answer.failure is not None:
            raise SummaryFailed(answer.failure)
        return clip(answer.text or "", cap, count)

    async def prepare_context_window(
        self, system_prompt: str | None, conversation_history: Sequence[AnyMessage]
    ) -> list[ChatMessage]:
        """The messages to send now: anchor, summary, window. `report` then says what was done.

        `conversation_history` is the full history, oldest first. A failing summariser raises
        nothing here: the history stays, the budget holds, and the report names the failure.
        """
        # A lock of asyncio would belong to one event loop; a memory may outlive it.
        while not self._turn.acquire(blocking=False):
            await asyncio.sleep(TURN_PAUSE)
        try:
            planner, new, restarted = self._take(system_prompt, conversation_history)
            request = planner.advance(new, skip_first=self._skips_first)
            answer = Answer(failure="cancelled") if request else Answer()
            try:
                if request is not None:
                    answer = await asyncio.to_thread(ask, self._summarize, request)
            finally:
                plan = planner.commit(answer.text, failure=answer.failure)
            self.report = Report(planner, plan, is_restart=restarted)
            return render(planner, plan)
        finally:
            self._turn.release()

    def _take(
        self, system_prompt: str | None, history: Sequence[AnyMessage]
    ) -> tuple[Planner, list[ChatMessage], bool]:
        """The planner to go on with, what it has not seen, and whether it began afresh."""
        anchor = ChatMessage(role="system", content=system_prompt) if system_prompt else None
        is_first = self._planner is None and self._resume is None
        if self._planner is None and self._resume is not None:
            self._continue([as_message(message) for message in history])
        new = self._unseen(history)
        planner = self._planner
        if (
            planner is None
            or new is None
            or (self._skips_first != _is_leading(anchor, self._seen or new))
        ):
            new = [as_message(message) for message in history]
            planner = self._start(anchor, new)
            is_restart = not is_first
        else:
            is_restart = False
        self._seen += new
        anchor = self._seen[0] if self._skips_first else anchor
        if planner.anchor is not anchor and planner.anchor != anchor:
            planner.set_anchor(anchor)
        return planner, new, is_restart

    def _start(self, anchor: ChatMessage | None, history: Sequence[ChatMessage]) -> Planner:
        self._skips_first = _is_leading(anchor, history)
        self._digest, self._digested, self._seen = hashlib.sha256(), 0, []
        self._planner = Planner(self.config, gauge=self._gauge, mask=self._mask)
        return self._planner

    def _continue(self, history: list[ChatMessage]) -> None:
        state, self._resume = self._resume, None
        if state is None or len(history) < state.seen or state.config != self.config:
            return
        self._seen = history[: state.seen]
        if self._digest_of_seen() != state.digest:
            self._digest, self._digested, self._seen = hashlib.sha256(), 0, []
            return
        self._skips_first = state.skips_first
        self._planner = restore(state, history, self.config, gauge=self._gauge, mask=self._mask)

    def _unseen(self, history: Sequence[AnyMessage]) -> list[ChatMessage] | None:
        """The part of the history that is new, None where it does not extend the one seen."""
        seen = len(self._seen)
        if not _starts_with(history, self._seen):
            start = [as_message(message) for message in history[:seen]]
            if start != self._seen:
                return None
        return [as_message(message) for message in history[seen:]]

    def _digest_of_seen(self) -> str:
        for message in self._seen[self._digested :]:
            fields = json.dumps(message.model_dump(), default=repr, sort_keys=True)
            self._digest.update(fields.encode() + b"\n")
        self._digested = len(self._seen)
        return self._digest.hexdigest()


def _is_leading(anchor: ChatMessage | None, history: Sequence[ChatMessage]) -> bool:
    """True where the history itself starts with the anchor, which is then not sent twice."""
    leading = leading_anchor(history)
    return leading is not None and (anchor is None or anchor.text == leading.text)


def _starts_with(history: Sequence[AnyMessage], seen: list[ChatMessage]) -> bool:
    """True where the same objects, or equal ones, lie at the start; quick for the same objects.

    `<=` on lists walks the common prefix by identity and copies nothing; at the first difference
    it asks for an order, which messages do not have.
    """
    if not isinstance(history, list):
        return list(history[: len(seen)]) == seen
    try:
        return cast("list[Any]", seen) <= cast("list[Any]", history)
    except TypeError:
        return False


def compress(
    messages: Sequence[AnyMessage],
    config: MemoryConfig,
    *,
    summarizer: Summarizer | None = None,
    gauge: Gauge | None = None,
    mask: Masker | None = None,
) -> Report:
    """The window over a whole history at once, with no memory of earlier calls."""
    given = [as_message(message) for message in messages]
    anchor = leading_anchor(given)
    planner = Planner(config, anchor=anchor, gauge=gauge, mask=mask)
    request = planner.advance(given, skip_first=anchor is not None)
    answer = ask(summarizer or summarizer_of(config), request)
    return Report(planner, planner.commit(answer.text, failure=answer.failure))
