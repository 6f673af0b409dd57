"""What summaries by a model will cost is known before one is asked for."""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from decimal import Decimal

import pytest

from memory_core.prices import price_of
from memory_core.prompt import Prompt, Recorded
from memory_core.replay import replay
from memory_core.summarizing.cleaning import holds_facts
from memory_core.summarizing.estimate import Rehearsal, estimate
from memory_core.summarizing.folding import FoldingSummarizer
from tests.saying import settings, system, talk, user
from tests.setup.folders import ROOT
from tests.summarizing.scripted import COUNT, Scripted

DAY = date(2026, 1, 2)
OPENAI = "https://api.openai.com/v1"
PROMPTS = [Prompt((system("a b"), user("c")), 100), Prompt((user("d"),), 50)]


def test_it_adds_up_calls_and_tokens() -> None:
    found = estimate(PROMPTS, "gpt-4o-mini", lambda text: len(text.split()), on=DAY)
    assert (found.calls, found.input_tokens, found.output_tokens_at_most) == (2, 6 + 5 + 5, 150)


def test_dollars_are_tokens_times_the_listed_prices() -> None:
    price = price_of("gpt-4o-mini", input_tokens=10**6, output_tokens=10**6, on=DAY)
    assert price is not None
    assert price.dollars == Decimal("0.15") + Decimal("0.6")
    assert price.on == DAY
    assert "genai-prices" in price.source
    found = estimate(PROMPTS, "gpt-4o-mini", COUNT, on=DAY, base_url=OPENAI)
    assert found.dollars is not None
    assert found.dollars < Decimal("0.001")
    assert found.priced_on == DAY


@pytest.mark.parametrize(
    ("model", "base_url"),
    [
        ("no-such-model", None),
        ("no-such-model", OPENAI),
        ("gpt-4o-mini", "http://localhost:11434/v1"),
        ("gpt-4o-mini", "https://llm.example.org/v1"),
    ],
)
def test_a_price_that_is_not_known_is_none(model: str, base_url: str | None) -> None:
    found = estimate(PROMPTS, model, COUNT, on=DAY, base_url=base_url)
    assert (found.dollars, found.priced_on, found.source) == (None, None, "")
    assert found.calls == 2


def test_a_rehearsal_foresees_the_calls_of_a_replay() -> None:
    config = settings(max_token_budget=1_200, sliding_window_size=4, summarizer="model")
    history = talk(160)
    model = Scripted(lambda _number: "\n".join(f"- it was {n}" for n in range(999)))
    replay(history, config, summarizer=FoldingSummarizer(model, language="korean"))
    rehearsal = Rehearsal()
    replay(history, config, summarizer=FoldingSummarizer(rehearsal, language="korean"))
    foreseen, made = (estimate(one.prompts, "m", COUNT, on=DAY) for one in (rehearsal, model))
    assert foreseen.calls == made.calls > 4
    assert abs(foreseen.input_tokens - made.input_tokens) < made.input_tokens // 20


def test_what_is_recorded_costs_nothing_more() -> None:
    config = settings(max_token_budget=1_200, sliding_window_size=4, summarizer="model")
    answers: dict[str, str] = {}
    model = Scripted(lambda number: f"- fact {number}")
    recorded = Recorded(model, answers, "m", holds_facts)
    replay(talk(80), config, summarizer=FoldingSummarizer(recorded, language="korean"))
    rehearsal = Rehearsal()
    again = Recorded(rehearsal, dict(answers), "m", holds_facts)
    replay(talk(80), config, summarizer=FoldingSummarizer(again, language="korean"))
    assert rehearsal.prompts == []
    assert len(answers) == len(model.prompts) > 0


def test_prices_and_clients_are_loaded_only_when_they_are_needed() -> None:
    code = (
        "import sys, memory_core.summarizing.estimate, memory_core.commands; "
        "assert not {'genai_prices', 'httpx', 'httpx2', 'tenacity'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
