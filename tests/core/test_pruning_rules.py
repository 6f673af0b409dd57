"""Which tool outputs are shortened, in which order, and which are left whole."""

from __future__ import annotations

import pytest

from memory_core.config import MemoryConfig
from memory_core.gauge import Gauge
from memory_core.messages import ChatMessage
from memory_core.plan import Cause, State
from memory_core.pruning import is_marked
from memory_core.replay import Replay, replay
from memory_core.report import Report
from tests.saying import assistant, calling, once, result, sent, settings, talk, user, words

LONG = "line of output " * 20
"""60 words."""

ROOMY = {"max_token_budget": 10**6}


def work(*outputs: str) -> list[ChatMessage]:
    """A user message, then a call and its output for each of `outputs`."""
    history = [user("go")]
    for number, output in enumerate(outputs):
        history += [calling(f"c{number}"), result(f"c{number}", output)]
    return history


def shortened(report: Report) -> list[int]:
    return [fate.index for fate in report.fates if fate.state is State.PRUNED]


def run(history: list[ChatMessage], config: MemoryConfig) -> Replay:
    return replay(history, config, gauge=Gauge(config, count=words))


@pytest.mark.parametrize("recent", [0, 1, 2, 3, 5, 9])
def test_only_outputs_older_than_the_newest_messages_are_shortened(recent: int) -> None:
    report = once(work(LONG, LONG, LONG, LONG), keep_recent_messages=recent, **ROOMY)
    assert shortened(report) == [at for at in (2, 4, 6, 8) if at < 9 - recent]


def test_by_default_the_newest_three_messages_of_any_role_are_left_whole() -> None:
    history = [*work(LONG), assistant("seen"), user("and?")]
    assert shortened(once(history, **ROOMY)) == []
    assert shortened(once([*history, assistant("so")], **ROOMY)) == [2]


def test_an_output_at_the_threshold_stays_and_one_over_it_is_shortened() -> None:
    history = [*work("word " * 30, "word " * 30 + "w"), *talk(2)]
    assert shortened(once(history, tool_pruning_threshold=150, **ROOMY)) == [4]
    tokens = {"threshold_unit": "tokens", "tool_pruning_threshold": 30}
    assert shortened(once(history, **tokens, **ROOMY)) == [4]


def test_only_tool_outputs_are_shortened() -> None:
    history = [user(LONG), assistant(LONG), *talk(3)]
    report = once(history, **ROOMY)
    assert list(report.messages) == history


def test_keeping_recent_outputs_may_leave_a_parallel_group_half_shortened() -> None:
    history = [user("go"), calling("a", "b", "c"), *(result(one, LONG) for one in "abc"), *talk(3)]
    report = once(history, keep_recent_tool_outputs=1, **ROOMY)
    assert shortened(report) == [2, 3]
    assert sent(report) == list(range(len(history)))


def test_outputs_of_a_call_that_is_still_open_are_left_whole() -> None:
    history = [user("go"), calling("a", "b"), result("a", LONG)]
    report = once(history, keep_recent_messages=0, max_token_budget=60)
    assert list(report.messages) == history
    assert report.over_budget


ERRORS = {
    "a traceback": result("c0", "Traceback (most recent call last):\n" + LONG),
    "a named error": result("c0", "ValueError: bad\n" + LONG),
    "a marked result": result("c0", LONG, metadata={"is_error": True}),
    "a JSON error": result("c0", '{"error": "not found", "seen": "' + LONG + '"}'),
}


@pytest.mark.parametrize("kind", ERRORS)
def test_an_error_is_not_shortened_for_its_age(kind: str) -> None:
    history = [user("go"), calling("c0"), ERRORS[kind], *talk(3)]
    assert shortened(once(history, **ROOMY)) == []
    assert shortened(once(history, protect_errors=False, **ROOMY)) == [2]


def test_an_error_is_shortened_where_the_budget_cannot_be_held_otherwise() -> None:
    history = [user("go"), calling("c0"), ERRORS["a traceback"], assistant("hm")]
    report = once(history, max_token_budget=60, keep_recent_messages=10)
    assert shortened(report) == [2]
    assert report.fates[2].pruning is not None
    assert report.fates[2].pruning.cause is Cause.BUDGET


def test_the_budget_takes_the_largest_newer_output_first_and_no_more_than_needed() -> None:
    history = [*work(LONG, LONG * 3, LONG * 2), assistant("seen")]
    whole = {"keep_recent_messages": 10, "summary_trigger_ratio": 1.0}
    everything = once(history, **whole, **ROOMY).total_tokens
    saved = once(history, max_token_budget=everything - 1, **whole)
    assert shortened(saved) == [4]
    more = once(history, max_token_budget=saved.total_tokens - 1, **whole)
    assert shortened(more) == [4, 6]
    for report in (saved, more):
        assert sent(report) == list(range(8))
        assert report.plan.receipt is None


def test_shortening_comes_before_moving_the_cut_and_a_summary_before_dropping() -> None:
    history = [*work(LONG, LONG, LONG), *talk(3)]
    shared = {"keep_recent_messages": 20, "sliding_window_size": 20, "tool_pruning_threshold": 90}
    shorter = once(history, max_token_budget=200, **shared)
    assert shorter.states()["pruned"] > 0
    assert shorter.states()["summarised"] == shorter.states()["dropped"] == 0
    cut = once(history, lambda _: "in short", max_token_budget=100, **shared)
    assert cut.states()["summarised"] > 0
    assert cut.states()["dropped"] == 0
    without = once(history, lambda _: "", max_token_budget=100, **shared)
    assert without.states()["summarised"] == 0
    assert without.states()["dropped"] > 0
    assert shorter.total_tokens <= 200
    assert max(cut.total_tokens, without.total_tokens) <= 100


def test_what_is_shortened_once_stays_shortened_to_the_same_text() -> None:
    history = [*work(LONG), *talk(8)]
    config = settings(**ROOMY)
    result_ = run(history, config)
    texts = [result_.window(plan)[2].text for plan in result_.plans if plan.at > 5]
    assert len(set(texts)) == 1
    assert is_marked(texts[0])


def test_a_shortened_output_names_its_message_so_that_it_can_be_found_again() -> None:
    report = once([*work(LONG), *talk(3)], **ROOMY)
    assert report.messages[2].text.endswith(f"Total Length {len(LONG)} chars] [#2]")


def test_a_window_that_was_shortened_before_is_not_shortened_again() -> None:
    first = once([*work(LONG), *talk(3)], **ROOMY)
    assert once(first.messages, **ROOMY).messages == first.messages


def test_in_batches_nothing_is_shortened_until_the_batch_frees_enough() -> None:
    history = [*work(LONG, LONG, LONG, LONG), *talk(4)]
    one = once([*work(LONG), *talk(3)], **ROOMY).fates[2]
    frees = one.tokens - one.sent_tokens
    config = settings(prune_min_clear=frees * 3, keep_recent_messages=0, **ROOMY)
    result_ = run(history, config)
    counts = [
        (plan.at, len([fate for fate in result_.fates(plan) if fate.state is State.PRUNED]))
        for plan in result_.plans
    ]
    assert counts[:5] == [(1, 0), (3, 0), (5, 0), (7, 3), (10, 3)]
    assert counts[-1][1] == 3


@pytest.mark.parametrize(("when", "expected"), [("always", 1), ("trigger", 0), ("never", 0)])
def test_below_the_trigger_outputs_are_shortened_only_always(when: str, expected: int) -> None:
    report = once([*work(LONG), *talk(3)], prune_when=when, **ROOMY)
    assert len(shortened(report)) == expected


def test_above_the_trigger_old_outputs_are_shortened_before_anything_leaves() -> None:
    history = [*work(LONG, LONG), *talk(2)]
    total = once(history, prune_when="never", **ROOMY).total_tokens
    budget = {"max_token_budget": total, "summary_trigger_ratio": 0.9, "sliding_window_size": 2}
    report = once(history, prune_when="trigger", **budget)
    assert shortened(report) == [2, 4]
    assert report.receipt is None
    pruning = report.fates[2].pruning
    assert pruning is not None
    assert pruning.cause is Cause.TRIGGER


def test_never_pruning_shortens_nothing_for_the_budget_either() -> None:
    history = [*work(LONG, LONG), *talk(2)]
    report = once(history, lambda _: "", prune_when="never", max_token_budget=100)
    assert shortened(report) == []
    assert report.total_tokens <= 100


@pytest.mark.parametrize("budget", [10**6, 40])
def test_a_pinned_output_is_never_shortened(budget: int) -> None:
    report = once([*work(LONG), *talk(3)], pins=[2], max_token_budget=budget)
    assert report.fates[2].state is State.PINNED
    assert LONG in {message.text for message in report.messages}


def test_an_orphan_output_is_shortened_like_any_other() -> None:
    report = once([user("go"), result("z", LONG), *talk(3)], **ROOMY)
    assert shortened(report) == [1]
    assert report.messages[1].role == "user"


def test_images_of_an_output_stay_when_its_text_is_shortened() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 9000}}
    output = ChatMessage.model_validate(
        {"role": "tool", "tool_call_id": "a", "content": [{"type": "text", "text": LONG}, image]}
    )
    report = once([user("go"), calling("a"), output, *talk(3)], **ROOMY)
    assert shortened(report) == [2]
    assert [part.is_image for part in report.messages[2].parts] == [False, True]


@pytest.mark.parametrize("text", ["a" * 5_000_000, "가나다라 " * 1_000_000], ids=["letter", "한글"])
def test_an_output_of_five_megabytes_is_shortened_like_any_other(text: str) -> None:
    config = settings(max_token_budget=1_000)
    result_ = replay([*work(text), *talk(3)], config)
    assert all(plan.total <= 1_000 for plan in result_.plans)
    assert len(result_.window(result_.plans[-1])[2].text) <= config.tool_pruning_threshold
