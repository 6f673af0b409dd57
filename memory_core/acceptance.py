"""Whether a summary may stand for what it replaces: never longer, never over its cap."""

from __future__ import annotations

from dataclasses import dataclass

from memory_core.compaction import Compaction
from memory_core.config import MemoryConfig
from memory_core.cutting import must_stay
from memory_core.gauge import Gauge
from memory_core.ledger import Ledger
from memory_core.messages import ChatMessage, Role, clean_text
from memory_core.plan import Summary
from memory_core.profiles import PROFILES
from memory_core.summarizing import HEADINGS, clip


@dataclass(frozen=True, slots=True)
class Carrier:
    """How a summary is sent: the role of its message, and the heading before its text."""

    role: Role
    heading: str

    def message(self, text: str) -> ChatMessage:
        """The message that carries a summary text."""
        return ChatMessage(role=self.role, content=self.heading + text)


def carrier_of(config: MemoryConfig) -> Carrier:
    """The carrier of every summary under a config."""
    role = PROFILES[config.provider_profile].summary_role
    return Carrier(role, HEADINGS[config.summary_heading])


def text_cap(due: Compaction, carrier: Carrier, gauge: Gauge) -> int:
    """Tokens left for the text of a compaction's summary; 0 or less where none fits."""
    return due.cap - gauge.measure(carrier.message(""))


def accepted(
    text: str,
    due: Compaction,
    ledger: Ledger,
    *,
    previous: Summary | None,
    carrier: Carrier,
    gauge: Gauge,
) -> Summary | None:
    """The summary to commit, None where nothing shorter than what it replaces is left.

    A text that is too long is cut at a sentence: in characters to what it replaces, in tokens to
    the compaction's cap, which is below what it replaces.
    """
    cap = text_cap(due, carrier, gauge)
    text = clip(clean_text(text).strip(), _replaced_characters(due, ledger, previous, carrier), len)
    tokens = due.cap + 1
    while text and tokens > due.cap:
        text = clip(text, max(0, cap), gauge.count)
        tokens = gauge.measure(carrier.message(text))
        cap -= max(1, tokens - due.cap)
    return Summary(Summary.next_version(previous), text, tokens) if text else None


def _replaced_characters(
    due: Compaction, ledger: Ledger, previous: Summary | None, carrier: Carrier
) -> int:
    texts = [carrier.message(previous.text).text] if previous else []
    for at in range(ledger.mark, due.cut.at):
        if not must_stay(ledger, at):
            for sent in ledger.sent_entries(at):
                texts.append(sent.message.text)
                texts += [call.arguments for call in sent.message.tool_calls]
    return max(0, sum(len(text) for text in texts) - len(carrier.heading))
