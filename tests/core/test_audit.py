"""Estimators are measured against the count, per message and at every call point."""

from __future__ import annotations

from statistics import median

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.audit import Audit, audit, reference_config, verdict_text, verdicts
from memory_core.config import MemoryConfig
from memory_core.gauge import Gauge
from memory_core.messages import ChatMessage
from memory_core.models import ESTIMATORS
from memory_core.raw import raw_totals
from memory_core.replay import replay, tape_of
from memory_core.scripts import Kind
from memory_core.sessions import load_file
from memory_core.tokens.counting import text_counter
from tests.histories import histories
from tests.saying import assistant, user
from tests.setup.folders import ROOT

RULES = list(ESTIMATORS)
KOREAN = "주문하신 상품의 배송 상태를 확인해 주시면 감사하겠습니다. "


def audited(messages: list[ChatMessage], config: MemoryConfig | None = None) -> Audit:
    config = config or MemoryConfig()
    gauge = Gauge(reference_config(config))
    return audit(messages, config, gauge=gauge, tape=tape_of(messages))


def talk(text: str, *, rounds: int) -> list[ChatMessage]:
    return [one for _ in range(rounds) for one in (user(text), assistant(text))]


@given(histories(), st.sampled_from(["openai", "strict"]))
def test_the_raw_totals_are_those_of_a_replay_that_keeps_everything(
    messages: list[ChatMessage], profile: str
) -> None:
    kept = MemoryConfig.model_validate(
        {
            "max_token_budget": 10**9,
            "prune_when": "never",
            "window_when": "never",
            "provider_profile": profile,
        }
    )
    models = ["gpt-5", *RULES]
    configs = [kept.model_copy(update={"model": model}) for model in models]
    gauges = [Gauge(config) for config in configs]
    found = raw_totals(messages, kept, gauges, tape=tape_of(messages))
    for row, config in enumerate(configs):
        plans = replay(messages, config, gauge=gauges[row]).plans
        assert found.tokens[row].tolist() == [plan.raw_tokens for plan in plans]
        assert list(found.at) == [plan.at for plan in plans]


@given(histories(), st.integers(0, 200), st.integers(0, 60))
def test_late_and_early_are_the_calls_where_a_slow_comparison_finds_them(
    messages: list[ChatMessage], budget: int, reserve: int
) -> None:
    config = MemoryConfig(max_token_budget=budget, reply_reserve=reserve, fixed_overhead_tokens=9)
    found = audited(messages, config)
    for row, verdict in enumerate(verdicts(found, config), 1):
        due = [int(one) + reserve + 9 > config.trigger_tokens for one in found.raw.tokens[0]]
        seems = [int(one) + reserve + 9 > config.trigger_tokens for one in found.raw.tokens[row]]
        pairs = list(zip(due, seems, strict=True))
        assert list(verdict.late) == [at for at, one in enumerate(pairs) if one == (True, False)]
        assert list(verdict.early) == [at for at, one in enumerate(pairs) if one == (False, True)]
        assert verdict.first == (seems.index(True) if True in seems else None)


@given(st.lists(st.text(min_size=1, max_size=200), min_size=1, max_size=8))
def test_the_ratios_are_those_of_the_plain_texts(texts: list[str]) -> None:
    count = text_counter("gpt-5")
    messages = [user(text) for text in texts]
    exact = [count(text) for text in texts]
    whole, role, *_kinds = audited(messages).groups
    assert (whole.by, role.by, role.name) == ("all", "role", "user")
    assert whole.tokens == role.tokens == sum(exact)
    for rule, estimate in ESTIMATORS.items():
        guesses = [estimate(text) for text in texts]
        ratios = [guess / real for guess, real in zip(guesses, exact, strict=True)]
        for group in (whole, role):
            made = group.estimates[rule]
            assert made.tokens == sum(guesses)
            assert group.ratio(rule) == pytest.approx(sum(guesses) / sum(exact))
            assert (made.median, made.lowest, made.highest) == pytest.approx(
                (median(ratios), min(ratios), max(ratios))
            )


@given(histories())
def test_roles_and_kinds_each_hold_all_texts(messages: list[ChatMessage]) -> None:
    found = audited(messages).groups
    for by in ("role", "kind"):
        parts = [group for group in found if group.by == by]
        assert sum(group.tokens for group in parts) == sum(one.tokens for one in found[:1])
        assert sum(group.messages for group in parts) == sum(one.messages for one in found[:1])
        for rule in RULES:
            together = sum(group.estimates[rule].tokens for group in parts)
            assert together == sum(one.estimates[rule].tokens for one in found[:1])


@pytest.mark.parametrize("model", ["gpt-5", "gpt-4", "len // 3", "chars / 4", "some-model"])
def test_korean_is_underestimated_whatever_the_config_counts_with(model: str) -> None:
    found = audited(talk(KOREAN * 5, rounds=3), MemoryConfig(model=model))
    korean = next(group for group in found.groups if group.name == Kind.KOREAN)
    assert 0.3 < korean.ratio("len // 3") < 0.85
    assert korean.ratio("chars / 4") < korean.ratio("len // 3")


def test_an_estimator_as_the_model_is_compared_with_a_tokenizer() -> None:
    found = audited(talk("hello", rounds=1), MemoryConfig(model="len // 3"))
    assert found.reference.exact
    assert found.reference.encoding == "o200k_base"


def test_a_korean_session_is_compacted_too_late_by_estimates_and_the_sentence_says_where() -> None:
    session = load_file(ROOT / "sample_sessions" / "customer_service_ko.json").sessions[0]
    config = MemoryConfig()
    for verdict in verdicts(audited(list(session.messages), config), config):
        text = verdict_text(verdict, config)
        assert verdict.late
        assert not verdict.early
        assert f"At {len(verdict.late)} of {verdict.calls} calls {verdict.estimator}" in text
        assert f"first at call {verdict.late[0] + 1}" in text
        over = verdict.total_at_first - config.max_token_budget
        assert over > 0
        assert f"{over:,} over the budget" in text


def test_english_prose_is_compacted_too_early_by_thirds() -> None:
    config = MemoryConfig(max_token_budget=900)
    messages = talk("Please look at the failing test and tell me why it fails. " * 4, rounds=10)
    thirds, _quarters = verdicts(audited(messages, config), config)
    assert thirds.early
    assert "too early, first at call" in verdict_text(thirds, config)


def test_an_estimate_that_never_reaches_the_trigger_is_said_to() -> None:
    messages = talk(KOREAN, rounds=4)
    exact = int(audited(messages).raw.tokens[0].max())
    config = MemoryConfig(max_token_budget=exact - 1, summary_trigger_ratio=1.0)
    thirds, _quarters = verdicts(audited(messages, config), config)
    assert thirds.first is None
    assert "never would have compacted" in verdict_text(thirds, config)


def test_where_nothing_is_due_all_agree() -> None:
    config = MemoryConfig()
    for verdict in verdicts(audited(talk("hello", rounds=2)), config):
        assert (verdict.late, verdict.early, verdict.first) == ((), (), None)
        assert "same side of the trigger" in verdict_text(verdict, config)


def test_a_session_without_any_text_has_no_groups() -> None:
    found = audited([user(""), assistant("")])
    assert found.groups == ()
    assert np.array_equal(found.raw.tokens[0], [4])


def test_a_total_that_equals_the_trigger_is_not_over_it() -> None:
    found = audited(talk(KOREAN, rounds=4))
    exact = int(found.raw.tokens[0].max())
    at, below = (
        MemoryConfig(max_token_budget=budget, summary_trigger_ratio=1.0)
        for budget in (exact, exact - 1)
    )
    assert [verdict.late for verdict in verdicts(found, at)] == [(), ()]
    assert [verdict.late for verdict in verdicts(found, below)] == [(3,), (3,)]
