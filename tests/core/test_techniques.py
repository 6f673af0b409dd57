"""What each technique saves adds up, and is measured by the planner itself."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from memory_core.config import MemoryConfig
from memory_core.messages import ChatMessage
from memory_core.replay import Replay, replay
from memory_core.sessions import load_file
from memory_core.techniques import Balance, Technique, balance
from tests.histories import configs, histories
from tests.setup.folders import ROOT


def weighed(history: list[ChatMessage], config: MemoryConfig) -> Balance:
    def replaying(variant: MemoryConfig) -> Replay:
        return replay(history, variant)

    return balance(config, replaying)


def messages(sample: str) -> list[ChatMessage]:
    return list(load_file(ROOT / "sample_sessions" / f"{sample}.json").sessions[0].messages)


@settings(max_examples=25)
@given(histories(), configs())
def test_whole_and_sent_are_the_sums_of_the_replays(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    found, plans = weighed(history, config), replay(history, config).plans
    assert found.sent == sum(plan.parts.sent for plan in plans)
    assert found.calls == len(plans)
    assert found.whole >= 0
    if config.prune_when == "never":
        assert {one.alone for one in found.savings if one.technique is Technique.PRUNING} == {0}
    if config.summarizer == "none":
        assert found.represented == 0
        assert found.savings[2].added == 0


@pytest.mark.parametrize(
    ("sample", "leads"),
    [("coding_agent", Technique.PRUNING), ("customer_service_ko", Technique.WINDOW)],
)
def test_pruning_saves_where_outputs_are_large_and_the_window_where_none_is(
    sample: str, leads: Technique
) -> None:
    found = weighed(messages(sample), MemoryConfig(max_token_budget=8_000))
    if leads is Technique.WINDOW:
        found = weighed(messages(sample), MemoryConfig(max_token_budget=2_000))
        assert found.savings[0].alone < found.savings[1].alone
    else:
        assert found.savings[0].alone > found.whole // 2
    assert found.savings[2].added < 0
    assert found.represented > 10
    assert found.over_budget > 0


def test_pruning_that_waits_for_the_trigger_counts_alone_as_pruning() -> None:
    config = MemoryConfig(prune_when="trigger")
    assert weighed(messages("coding_agent"), config).savings[0].alone > 0
