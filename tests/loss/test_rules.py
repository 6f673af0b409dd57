"""Whether a rule that somebody set still stands, in English and in Korean."""

from __future__ import annotations

import pytest

from memory_core.config import MemoryConfig
from memory_core.loss import Form, Index, Rule, follow, lifeline, measure, needs_of
from memory_core.messages import ChatMessage
from memory_core.replay import replay
from memory_core.summarizing.request import Summarizer
from tests.saying import assistant, settings, system, talk, user

TIGHT = settings(max_token_budget=400, sliding_window_size=4)
ENGLISH = "Never deploy the billing service on Fridays."
KOREAN = "금요일에는 결제 서비스를 배포하지 마세요."


def rules_under(
    messages: list[ChatMessage], config: MemoryConfig, summarizer: Summarizer | None = None
) -> tuple[Rule, ...]:
    index = Index(messages)
    return measure(replay(messages, config, summarizer=summarizer), index, needs_of(index)).rules


@pytest.mark.parametrize("rule", [ENGLISH, KOREAN])
def test_a_rule_stands_until_it_leaves_and_the_call_is_named(rule: str) -> None:
    messages = [user(rule), *talk(30)]
    (kept,) = rules_under(messages, MemoryConfig())
    assert (kept.text, kept.said, kept.stands, kept.lost_at) == (rule, 0, True, None)
    config = TIGHT.model_copy(update={"summarizer": "none"})
    (lost,) = rules_under(messages, config)
    plans = replay(messages, config).plans
    windows = [replay(messages, config).window(plan) for plan in plans]
    stands = [any(rule in message.text for message in window) for window in windows]
    assert not lost.stands
    assert lost.lost_at == stands.index(False)
    assert (lost.reached.kept, lost.reached.of) == (sum(stands), len(plans))


@pytest.mark.parametrize(
    ("rule", "line", "stands"),
    [
        (ENGLISH, f"- [#0] user: {ENGLISH}", True),
        (ENGLISH, "- never deploy the billing service on fridays (said at the start)", True),
        (ENGLISH, "- The billing service must not be deployed on Fridays: never deploy it", True),
        (ENGLISH, "- deploy the billing service on Fridays", False),
        (ENGLISH, "- never forget the milk", False),
        (ENGLISH, "- Fridays", False),
        (KOREAN, f"- [#0] {KOREAN}", True),
        (KOREAN, "- 금요일에는 결제 서비스 배포하지 말 것", True),
        (KOREAN, "- 금요일에 결제 서비스를 배포하세요", False),
        (KOREAN, "- 금요일 회의", False),
    ],
)
def test_a_summary_keeps_a_rule_with_most_of_its_words_and_its_refusal(
    rule: str,
    line: str,
    stands: bool,  # noqa: FBT001
) -> None:
    messages = [user(rule), *talk(30)]
    (found,) = rules_under(messages, TIGHT, lambda _request: line)
    assert found.stands == stands


def test_rules_of_the_anchor_are_not_counted_as_they_never_leave() -> None:
    assert rules_under([system(ENGLISH), *talk(30)], TIGHT) == ()


def test_a_rule_that_is_said_again_stands_again() -> None:
    messages = [user(ENGLISH), *talk(30), user(ENGLISH), assistant("Understood.")]
    config = TIGHT.model_copy(update={"summarizer": "none"})
    (rule,) = rules_under(messages, config)
    assert rule.stands
    assert rule.lost_at is not None


@pytest.mark.parametrize("rule", [ENGLISH, KOREAN])
def test_the_lifeline_of_a_rule_ends_where_the_rule_is_lost(rule: str) -> None:
    messages = [user(rule), *talk(30)]
    config = TIGHT.model_copy(update={"summarizer": "none"})
    index = Index(messages)
    life = lifeline(replay(messages, config), index, follow(index, rule))
    (found,) = rules_under(messages, config)
    assert [span.form for span in life.spans] == [Form.WHOLE, Form.GONE]
    assert life.spans[1].first == found.lost_at


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("Never listen on port 8080.", "- Never listen on port 9090."),
        ("A refund must not exceed 100 EUR.", "- A refund must not exceed 500 EUR."),
        ("절대 80만원 이상은 쓰지 마세요.", "- 절대 90만원 이상은 쓰지 마세요."),
    ],
)
def test_a_rule_with_another_number_is_another_rule(rule: str, line: str) -> None:
    messages = [user(rule), *talk(30)]
    (found,) = rules_under(messages, TIGHT, lambda _request: line)
    assert not found.stands
    (found,) = rules_under(messages, TIGHT, lambda _request: f"- {rule}")
    assert found.stands
