"""Whether a summary may stand for what it replaces: never longer, never over its cap."""

from __future__ import annotations

from memory_core.compaction import Compaction
from memory_core.cutting import must_stay
from memory_core.gauge import Gauge
from memory_core.ledger import Ledger
from memory_core.messages import ChatMessage, clean_text
from memory_core.plan import Summary
from memory_core.profiles import Profile
from memory_core.summarizing import clip, summary_content


def carrier(text: str, profile: Profile) -> ChatMessage:
    """The message that carries a summary text."""
    return ChatMessage(role=profile.summary_role, content=summary_content(text))


def text_cap(due: Compaction, profile: Profile, gauge: Gauge) -> int:
    """Tokens left for the text of a compaction's summary; 0 or less where none fits."""
    return due.cap - gauge.measure(carrier("", profile))


def accepted(
    text: str,
    due: Compaction,
    ledger: Ledger,
    *,
    previous: Summary | None,
    profile: Profile,
    gauge: Gauge,
) -> Summary | None:
    """The summary to commit, None where nothing shorter than what it replaces is left.

    A text that is too long is cut at a sentence: in characters to what it replaces, in tokens to
    the compaction's cap, which is below what it replaces.
    """
    cap = text_cap(due, profile, gauge)
    text = clip(clean_text(text).strip(), _replaced_characters(due, ledger, previous), len)
    tokens = due.cap + 1
    while text and tokens > due.cap:
        text = clip(text, max(0, cap), gauge.count)
        tokens = gauge.measure(carrier(text, profile))
        cap -= max(1, tokens - due.cap)
    version = previous.version + 1 if previous else 1
    return Summary(version, text, tokens) if text else None


def _replaced_characters(due: Compaction, ledger: Ledger, previous: Summary | None) -> int:
    texts = [summary_content(previous.text)] if previous else []
    for at in range(ledger.mark, due.cut.at):
        if not must_stay(ledger, at):
            for sent in ledger.sent_entries(at):
                texts.append(sent.message.text)
                texts += [call.arguments for call in sent.message.tool_calls]
    return max(0, sum(len(text) for text in texts) - len(summary_content("")))
