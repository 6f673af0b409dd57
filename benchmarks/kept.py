"""What stays of the facts of a session: cumulative against folding summaries, and the baselines.

    python -m benchmarks.kept [SESSION_FILE ...]

Budget = system message + 10, 20 and 40 % of all other tokens. "facts" = mean share, over call
points, of all facts said so far that stand in the window. "needed" = share of the facts an
assistant message uses that were last said at least 10 messages before, and stand in the window of
its call. Facts are found by the library's own extractor, in text; presence is plain occurrence, so
read the figures as a comparison of methods, not as a promise.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from memory_core.config import MemoryConfig
from memory_core.facts import extract
from memory_core.gauge import Gauge
from memory_core.messages import ChatMessage
from memory_core.replay import Replay, leading_anchor, replay
from memory_core.sessions import load_file
from memory_core.summarizing import SUMMARIZERS, ExtractiveSummarizer, Numbered
from memory_core.summarizing.request import Summarizer, SummaryRequest

SAMPLES = ("sample_sessions/coding_agent.json", "sample_sessions/customer_service_ko.json")
SHARES = (0.1, 0.2, 0.4)
OLDEST_GAP = 10


LINE = re.compile(r"\[#(\d+)\] (user: )?(.*)")


def folding(request: SummaryRequest) -> str:
    """The extractive summariser made to fold: it sees the previous summary and only what is new."""
    lines = [LINE.fullmatch(line) for line in request.previous.splitlines()]
    said = [
        Numbered(int(line[1]), ChatMessage(role="user" if line[2] else "tool", content=line[3]))
        for line in lines
        if line
    ]
    given = (*said, *request.new)
    return ExtractiveSummarizer()(SummaryRequest(given, given, "", request.cap, request.count))


METHODS: dict[str, tuple[str, Summarizer | None]] = {
    "cumulative": ("extractive", None),
    "folding": ("extractive", folding),
    "article, 50 characters": ("article", SUMMARIZERS["article"]()),
    "no summary": ("none", None),
}


def texts(message: ChatMessage) -> str:
    """All a message says, arguments of calls included."""
    return "\n".join([message.text, *(call.arguments for call in message.tool_calls)])


def kept(result: Replay, facts: Sequence[frozenset[str]]) -> tuple[float, float, int]:
    """Mean share of facts kept, share of needed facts kept, and how many were needed."""
    shares: list[float] = []
    needed: list[bool] = []
    last_said: dict[str, int] = {}
    seen = 0
    for plan in result.plans:
        for index in range(seen, plan.at):
            last_said.update(dict.fromkeys(facts[index], index))
        seen = plan.at
        window = "\n".join(texts(message) for message in result.window(plan))
        present = {fact for fact in last_said if fact in window}
        if last_said:
            shares.append(len(present) / len(last_said))
        used = facts[plan.at] if plan.at < len(facts) else frozenset[str]()
        old = [one for one in used if plan.at - last_said.get(one, plan.at) >= OLDEST_GAP]
        needed += [fact in present for fact in old]
    mean = sum(shares) / max(1, len(shares))
    return mean, sum(needed) / max(1, len(needed)), len(needed)


def main() -> None:
    """Print a table per session."""
    for file in sys.argv[1:] or SAMPLES:
        session = load_file(file).sessions[0]
        facts = [
            frozenset(fact.text for fact in extract(texts(message))) for message in session.messages
        ]
        gauge = Gauge(MemoryConfig())
        anchor = leading_anchor(session.messages)
        system = gauge.tokens(anchor) if anchor else 0
        total = sum(gauge.tokens(message) for message in session.messages)
        print(f"{file}: {len(session.messages)} messages, {total:,} tokens")
        for share in SHARES:
            budget = system + int(share * (total - system))
            measure(session.messages, facts, gauge, budget, share)


def measure(
    messages: Sequence[ChatMessage],
    facts: Sequence[frozenset[str]],
    gauge: Gauge,
    budget: int,
    share: float,
) -> None:
    """Print a line per method at one budget."""
    for name, (setting, summarizer) in METHODS.items():
        config = MemoryConfig.model_validate(
            {
                "max_token_budget": budget,
                "sliding_window_size": 4,
                "tool_pruning_threshold": 1000,
                "threshold_unit": "tokens",
                "summarizer": setting,
            }
        )
        result = replay(messages, config, gauge=gauge, summarizer=summarizer)
        facts_kept, needed_kept, needs = kept(result, facts)
        largest = max(plan.total for plan in result.plans)
        print(
            f"  {share:4.0%} {name:<24} facts {facts_kept:6.1%}   needed {needed_kept:6.1%}"
            f" of {needs}   largest window {largest:,} of {budget:,}"
        )


if __name__ == "__main__":
    main()
