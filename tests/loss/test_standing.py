"""What stands at every call is what a reader of the windows finds there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import settings as effort

from memory_core.config import MemoryConfig
from memory_core.errors import NotMeasurable
from memory_core.loss import Index, item_of, lifeline, measure, needs_of
from memory_core.loss.standing import standing
from memory_core.messages import ChatMessage
from memory_core.presets import PRESETS
from memory_core.replay import Replay, draft, replay
from memory_core.sessions import load_file
from tests.histories import configs, histories
from tests.loss.brute import said_in, standing_in
from tests.saying import settings
from tests.setup.folders import ROOT

SAMPLES = ("coding_agent", "customer_service_ko", "stuck_agent")
TIGHT = settings(max_token_budget=1_500, sliding_window_size=4, tool_pruning_threshold=80, pins=[3])
CONFIGS = {"tight": TIGHT, **{name: one.config for name, one in PRESETS.items()}}


def sample(name: str) -> list[ChatMessage]:
    return list(load_file(ROOT / "sample_sessions" / f"{name}.json").sessions[0].messages)


def standing_names(result: Replay, index: Index) -> Iterator[tuple[int, set[str], set[str]]]:
    names = {number: name for name, number in index.said.numbers.items()}
    for step in standing(result, index):
        known = {name for number, name in names.items() if index.said.first[number] < step.plan.at}
        yield step.plan.at, known, {names[one] for one in step.items.nonzero()[0].tolist()}


@pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)
@pytest.mark.parametrize("name", SAMPLES)
def test_the_items_that_stand_are_those_a_reader_of_the_window_finds(
    name: str, config: MemoryConfig
) -> None:
    messages = sample(name)
    index = Index(messages)
    result, said = replay(messages, config), said_in(messages)
    for at, known, found in islice(standing_names(result, index), 1, None, 7):
        report = result.report(result.plan_at(at))
        assert found & known == standing_in(report, said) & known, at


@effort(max_examples=60)
@given(histories(), configs())
def test_on_any_history_nothing_fails_and_every_share_is_one(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    index = Index(history)
    needs = needs_of(index)
    if config.summarizer == "model":
        config = config.model_copy(update={"summarizer": "extractive"})
    loss = measure(replay(history, config), index, needs)
    assert loss.needs.of == len(needs.items)
    assert sum(share.of for share in loss.by_gap.values()) == loss.needs.of
    assert sum(share.kept for share in loss.by_kind.values()) == loss.needs.kept
    assert len(loss.lost) == loss.needs.lost
    assert sum(loss.places.values()) == loss.needs.kept
    assert all(0 <= one <= 1 for one in loss.words.tolist())
    for kind, stands in loss.standing.items():
        assert (stands <= loss.said[kind]).all()


@pytest.mark.parametrize("name", SAMPLES)
def test_the_full_window_scores_one(name: str) -> None:
    messages = sample(name)
    index = Index(messages)
    loss = measure(replay(messages, PRESETS["keep_everything"].config), index, needs_of(index))
    assert loss.needs.of > 3
    for share in (loss.needs, loss.rare_words, loss.salience):
        assert share.ratio == 1.0
    assert loss.word_recall == 1.0
    assert (loss.lost, loss.refetch_tokens, loss.question_tokens) == ((), 0, 0)


def test_a_draft_and_a_replay_of_other_messages_are_refused() -> None:
    messages = sample("coding_agent")
    index = Index(messages)
    needs = needs_of(index)
    for result in (draft(messages, TIGHT), replay(messages[:-2], TIGHT), replay([], TIGHT)):
        with pytest.raises(NotMeasurable):
            measure(result, index, needs)
        with pytest.raises(NotMeasurable):
            lifeline(result, index, item_of(index, 0))


def test_a_replay_that_ends_early_is_measured_up_to_there() -> None:
    messages = sample("coding_agent")
    index = Index(messages)
    needs = needs_of(index)
    whole = measure(replay(messages, TIGHT), index, needs)
    until = replay(messages, TIGHT).plans[25].at
    part = measure(replay(messages, TIGHT, until=until), index, needs)
    assert part.calls == 26
    assert part.needs.of == sum(need.call <= 25 for need in needs.items) < whole.needs.of
    assert part.lost == tuple(one for one in whole.lost if one.need.call <= 25)
