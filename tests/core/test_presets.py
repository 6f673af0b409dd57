"""Each preset does what its story says, on our own sessions."""

from __future__ import annotations

from functools import cache

import pytest

from memory_core.config import MemoryConfig
from memory_core.facts import extract
from memory_core.messages import ChatMessage
from memory_core.plan import Cause, State
from memory_core.presets import ARTICLE, PRESETS, differing
from memory_core.pruning import is_error_output
from memory_core.replay import Replay, replay
from memory_core.sessions import load_file
from tests.saying import assistant, calling, result, settings, user
from tests.setup.folders import ROOT

SAMPLES = sorted(path.stem for path in (ROOT / "sample_sessions").glob("*.json"))
CODING = "coding_agent"
KOREAN = "customer_service_ko"


@cache
def messages(sample: str) -> tuple[ChatMessage, ...]:
    return load_file(ROOT / "sample_sessions" / f"{sample}.json").sessions[0].messages


def replayed(sample: str, preset: str, **changes: object) -> Replay:
    config = PRESETS[preset].config
    return replay(messages(sample), config.model_copy(update=changes))


def cached_share(found: Replay) -> float:
    sent = sum(plan.parts.sent for plan in found.plans)
    return sum(plan.cached_prefix_tokens for plan in found.plans) / sent


def kept_facts(found: Replay) -> float:
    """Mean share, over the calls, of the facts said so far that stand in the window."""
    said: set[str] = set()
    shares: list[float] = []
    seen = 0
    for plan in found.plans:
        for message in found.messages[seen : plan.at]:
            said |= {fact.text for fact in extract(message.text)}
        seen = plan.at
        window = "\n".join(message.text for message in found.window(plan))
        shares += [sum(fact in window for fact in said) / len(said)] if said else []
    return sum(shares) / len(shares)


def test_the_article_comes_first_and_has_the_defaults() -> None:
    assert next(iter(PRESETS)) == ARTICLE
    assert PRESETS[ARTICLE].config == MemoryConfig()


def test_every_preset_is_told_apart_by_words_and_by_values() -> None:
    for words in ("label", "story"):
        told = [getattr(preset, words) for preset in PRESETS.values()]
        assert len({*told, ""}) == len(PRESETS) + 1
    for name, preset in PRESETS.items():
        same = [other for other in PRESETS if not differing(preset.config, PRESETS[other].config)]
        assert same == [name]
        assert preset.config.pins == ()


def test_pins_make_no_difference_to_a_preset_and_every_other_field_does() -> None:
    assert differing(settings(pins=[3]), MemoryConfig()) == []
    changed = settings(pins=[3], sliding_window_size=4, model="gpt-4")
    assert differing(changed, MemoryConfig()) == ["sliding_window_size", "model"]


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_holds_its_budget_on_every_sample(preset: str, sample: str) -> None:
    assert [plan.at for plan in replayed(sample, preset).plans if plan.over_budget] == []


@pytest.mark.parametrize("preset", ["cache_friendly", "long_coding", "keep_facts"])
def test_presets_for_agents_shorten_outputs_over_1000_tokens(preset: str) -> None:
    config = PRESETS[preset].config
    assert (config.tool_pruning_threshold, config.threshold_unit) == (1000, "tokens")


@pytest.mark.parametrize("budget", [16_000, 32_000, 64_000])
def test_cache_friendly_repeats_more_of_each_request_than_the_article(budget: int) -> None:
    ours = replayed(CODING, "cache_friendly", max_token_budget=budget)
    article = replayed(CODING, ARTICLE, max_token_budget=budget)
    assert cached_share(ours) > cached_share(article) + 0.02


def test_cache_friendly_compacts_rarely_and_far() -> None:
    found = replayed(CODING, "cache_friendly")
    receipts = [plan.receipt for plan in found.plans if plan.receipt]
    assert 0 < len(receipts) <= 2
    for receipt in receipts:
        assert found.plans[receipt.ordinal].total < 0.5 * receipt.total_before


def test_long_coding_shortens_large_outputs_to_their_shape_and_leaves_errors_whole() -> None:
    rows = ", ".join(f'{{"id": {number}, "name": "item {number}"}}' for number in range(400))
    history = [
        user("list them"),
        calling("a", "b", "c"),
        result("a", f'{{"rows": [{rows}], "total": 400}}'),
        result("b", "Traceback (most recent call last):\n" + "  File x, line 1\n" * 600),
        result("c", "short output\n" * 20),
        *[assistant(f"step {number}") for number in range(12)],
        user("go on"),
    ]
    found = replay(history, PRESETS["long_coding"].config)
    large, error, small = found.window(found.plans[-1])[2:5]
    assert is_error_output(history[3])
    assert (error, small) == (history[3], history[4])
    assert "total" in large.text
    assert len(large.text) < len(history[2].text) / 2


def test_long_coding_shortens_nothing_of_up_to_1000_tokens_and_keeps_the_newest_20() -> None:
    found = replayed(CODING, "long_coding", max_token_budget=32_000)
    gauge = found.planner.gauge
    for plan in found.plans:
        fates = found.fates(plan)
        by_age = [fate for fate in fates if fate.pruning and fate.pruning.cause is Cause.AGE]
        assert all(gauge.count(found.messages[fate.index].text) > 1000 for fate in by_age)
        gone = [fate for fate in fates[-20:] if fate.state is State.SUMMARISED]
        assert gone == []
    assert any(plan.receipt for plan in found.plans)


def test_chat_leaves_the_newest_30_messages_word_for_word() -> None:
    found = replayed(KOREAN, "chat")
    assert any(plan.summary for plan in found.plans)
    for plan in found.plans:
        recorded = found.messages[max(0, plan.at - 30) : plan.at]
        sent = found.window(plan)
        assert [one.text for one in recorded if one.text not in {two.text for two in sent}] == []
        assert plan.parts.pruned == 0
        assert plan.summary is None or plan.summary.tokens <= 1500


@pytest.mark.parametrize("budget", [4000, 8000])
@pytest.mark.parametrize("sample", [CODING, KOREAN])
def test_keep_facts_keeps_more_facts_than_the_article_at_the_same_budget(
    sample: str, budget: int
) -> None:
    ours = replayed(sample, "keep_facts", max_token_budget=budget)
    article = replayed(sample, ARTICLE, max_token_budget=budget)
    assert kept_facts(ours) > kept_facts(article) + 0.1


@pytest.mark.parametrize("sample", SAMPLES)
def test_keep_everything_sends_the_whole_history(sample: str) -> None:
    found = replayed(sample, "keep_everything")
    for plan in found.plans:
        assert plan.total == plan.raw_tokens
        assert plan.summary is None
        states = {fate.state for fate in found.fates(plan)}
        assert states <= {State.KEPT, State.REPAIRED}


def test_keep_everything_still_holds_a_million_tokens() -> None:
    history = [user("x"), *[assistant("word " * 3000) for _ in range(400)], user("end")]
    found = replay(history, PRESETS["keep_everything"].config)
    assert found.plans[-1].raw_tokens > 1_000_000
    assert max(plan.total for plan in found.plans) <= 1_000_000
