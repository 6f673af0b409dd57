"""What summaries by a model will cost, before any is asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from memory_core.prices import price_of
from memory_core.prompt import Prompt
from memory_core.tokens.counting import TokenCounter
from memory_core.tokens.framing import message_tokens


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate of some prompts: calls and tokens by one counter, dollars where known."""

    calls: int
    input_tokens: int
    output_tokens_at_most: int
    dollars: Decimal | None
    """At most this much; None where the price of the model at this address is not known."""
    priced_on: date | None
    """The day whose prices were taken, None without a price."""
    source: str = ""
    """Whose price list it is."""


def estimate(
    prompts: Iterable[Prompt],
    model: str,
    count: TokenCounter,
    *,
    on: date,
    base_url: str | None = None,
) -> Estimate:
    """What asking `prompts` costs if every answer is as long as it may be.

    `count` is the counter of the session's config, which may not be the asked model's. For
    `base_url` see `price_of`.
    """
    calls = input_tokens = output_tokens = 0
    for prompt in prompts:
        calls += 1
        input_tokens += sum(message_tokens(message, count) for message in prompt.messages)
        output_tokens += prompt.max_tokens
    price = price_of(
        model, input_tokens=input_tokens, output_tokens=output_tokens, on=on, base_url=base_url
    )
    return Estimate(
        calls=calls,
        input_tokens=input_tokens,
        output_tokens_at_most=output_tokens,
        dollars=price.dollars if price else None,
        priced_on=price.on if price else None,
        source=price.source if price else "",
    )


class Rehearsal:
    """A `Complete` that asks nobody: it keeps the prompts and answers with as much as is allowed.

    Run what would ask a model with it, then give `prompts` to `estimate`. Behind `Recorded` (with a
    copy of the answers) only what is not known yet is kept.
    """

    def __init__(self) -> None:
        self.prompts: list[Prompt] = []

    def __call__(self, prompt: Prompt) -> str:
        self.prompts.append(prompt)
        # About five tokens a line; what is too much is cut.
        return "\n".join(f"- fact {number}" for number in range(1 + prompt.max_tokens // 4))
