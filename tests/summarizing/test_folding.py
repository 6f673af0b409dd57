"""The summariser that asks a model: what it sends once, what it keeps, how it fails."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.config import MemoryConfig
from memory_core.errors import InvalidConfig
from memory_core.manager import AgentMemoryManager
from memory_core.messages import ChatMessage
from memory_core.plan import Plan
from memory_core.prompt import Prompt, Recorded, UntilFailure, refuse
from memory_core.replay import call_points, replay
from memory_core.summarizing import HEADINGS, SummaryRequest
from memory_core.summarizing.cleaning import holds_facts
from memory_core.summarizing.folding import FoldingSummarizer, fold_of
from memory_core.summarizing.prompting import SYSTEM
from memory_core.summarizing.transcript import SMALLEST, Sizes
from tests.histories import configs, histories
from tests.saying import settings, talk, user
from tests.summarizing.scripted import (
    COUNT,
    Scripted,
    fact,
    failing_at,
    question,
    request,
    sent_numbers,
)

LONG_TALKS = st.builds(talk, st.integers(5, 40), words=st.integers(5, 60))
SESSIONS = st.one_of(histories(), LONG_TALKS)
TIGHT_CONFIGS = st.builds(
    MemoryConfig, max_token_budget=st.integers(500, 3_000), sliding_window_size=st.integers(0, 9)
)
CONFIGS = st.one_of(configs(), TIGHT_CONFIGS).map(
    lambda one: one.model_copy(update={"summarizer": "model"})
)
SMALL = Sizes(chunk_tokens=SMALLEST * 2, message_tokens=SMALLEST)
TIGHT = {"max_token_budget": 800, "sliding_window_size": 4, "summarizer": "model"}


def folding(model: Scripted, config: MemoryConfig) -> FoldingSummarizer:
    return FoldingSummarizer(
        model,
        language=config.summary_heading,
        chunk_tokens=SMALL.chunk_tokens,
        message_tokens=SMALL.message_tokens,
    )


@given(SESSIONS, CONFIGS, st.sets(st.integers(1, 8)))
def test_whatever_fails_each_message_is_answered_once_and_the_cap_holds(
    history: list[ChatMessage], config: MemoryConfig, failures: set[int]
) -> None:
    model = Scripted(failing_at(*failures))
    fold = folding(model, config)

    def summarise(asked: SummaryRequest) -> str:
        text = fold(asked)
        assert not text or asked.count(text) <= asked.cap
        return text

    replay(history, config, summarizer=summarise)
    sent = [number for prompt in model.answered for number in sent_numbers(prompt)]
    assert len(sent) == len(set(sent))


@given(SESSIONS, CONFIGS, st.sets(st.integers(1, 8)))
def test_a_failure_leaves_the_summary_and_the_mark_as_they_were(
    history: list[ChatMessage], config: MemoryConfig, failures: set[int]
) -> None:
    model = Scripted(failing_at(*failures))
    plans = replay(history, config, summarizer=folding(model, config)).plans
    assert sum(_is_down(plan) for plan in plans) == len(model.prompts) - len(model.answered)
    for before, after in pairwise(plans):
        if _is_down(after):
            assert (after.summary, after.mark) == (before.summary, before.mark)
            assert after.receipt is None


def _is_down(plan: Plan) -> bool:
    return "down for maintenance" in (plan.failure or "")


@given(SESSIONS, CONFIGS)
def test_a_manager_asks_a_model_what_a_replay_asks(
    history: list[ChatMessage], config: MemoryConfig
) -> None:
    replayed, managed = Scripted(failing_at(2)), Scripted(failing_at(2))
    replay(history, config, summarizer=folding(replayed, config))
    manager = AgentMemoryManager(config, summarizer=folding(managed, config))

    async def run() -> None:
        for at in call_points(history):
            await manager.prepare_context_window(None, history[:at])

    asyncio.run(run())
    assert managed.prompts == replayed.prompts


@pytest.mark.parametrize("heading", ["korean", "english"])
def test_questions_and_summaries_are_in_the_language_of_the_heading(heading: str) -> None:
    config = settings(**TIGHT, summary_heading=heading)
    model = Scripted(lambda number: f"* [#1] fact {number}")
    result = replay(talk(40), config, summarizer=folding(model, config))
    last = result.plans[-1]
    assert last.summary is not None
    assert last.summary.text == f"- [#1] fact {len(model.prompts)}"
    assert result.window(last)[0].text == HEADINGS[config.summary_heading] + last.summary.text
    for number, prompt in enumerate(model.prompts):
        assert prompt.messages[0].text == SYSTEM[config.summary_heading]
        assert (f"\n- [#1] fact {number}\n" in question(prompt)) == (number > 0)


def test_more_than_a_chunk_is_folded_chunk_by_chunk() -> None:
    model = Scripted(fact)
    messages = talk(20, words=30)
    summary = folding(model, settings())(request(messages, previous="- from before", start=4))
    assert len(model.prompts) > 2
    assert summary == fact(len(model.prompts))
    sent = [number for prompt in model.prompts for number in sent_numbers(prompt)]
    assert sent == list(range(4, 40))
    before = ["- from before", *(fact(number) for number in range(1, len(model.prompts)))]
    for prompt, previous in zip(model.prompts, before, strict=True):
        assert f"\n{previous}\n" in question(prompt)


def test_a_chunk_that_failed_is_asked_again_and_those_before_it_are_not() -> None:
    model = Scripted(failing_at(3))
    fold = folding(model, settings())
    messages = talk(20, words=30)
    with pytest.raises(Exception, match="maintenance"):
        fold(request(messages[:30]))
    assert fold(request(messages)) == fact(len(model.prompts))
    sent = [number for prompt in model.answered for number in sent_numbers(prompt)]
    assert sent == list(range(40))
    assert sent_numbers(model.prompts[3])[0] == sent_numbers(model.prompts[2])[0]


def test_a_summary_that_was_not_taken_is_not_asked_for_again() -> None:
    model = Scripted(fact)
    fold = folding(model, settings())
    messages = talk(3)
    assert fold(request(messages)) == fold(request(messages)) == fact(1)
    assert len(model.prompts) == 1
    fold(request([*messages, user("more")]))
    assert sent_numbers(model.prompts[1]) == [6]


def test_another_conversation_begins_anew() -> None:
    model = Scripted(fact)
    fold = folding(model, settings())
    fold(request(talk(3)))
    fold(request([user("else"), *talk(3)[1:]]))
    fold(request(talk(3), previous="- else"))
    assert [sent_numbers(prompt) for prompt in model.prompts] == [list(range(6))] * 3


def test_an_answer_without_a_fact_never_replaces_what_was_known() -> None:
    model = Scripted(lambda number: "```\n```" if number == 2 else fact(number))
    fold = folding(model, settings())
    asked = request(talk(20, words=30), previous="- dear fact")
    assert fold(asked) == ""
    assert fold(asked) == fact(len(model.prompts))
    assert model.prompts[2] == model.prompts[1]


def test_messages_that_say_nothing_are_not_sent() -> None:
    model = Scripted(fact)
    empty = [ChatMessage(role="user", content=text) for text in ("", " \n", None)]
    assert folding(model, settings())(request(empty, previous="- known")) == "- known"
    assert model.prompts == []


def test_an_answer_over_the_cap_is_cut_at_a_line() -> None:
    model = Scripted(lambda _number: "\n".join(f"- fact number {n}" for n in range(500)))
    text = folding(model, settings())(request(talk(3), cap=60))
    assert 40 < COUNT(text) <= 60
    assert text.splitlines() == [f"- fact number {n}" for n in range(text.count("\n") + 1)]


def test_a_viewer_sees_the_very_prompts_that_are_sent() -> None:
    model = Scripted(fact)
    asked = request(talk(20, words=30), previous="- from before")
    summary = folding(model, settings())(asked)
    shown: list[Prompt] = []
    looked = fold_of(asked, language="korean", sizes=SMALL)
    while looked.prompt is not None:
        shown.append(looked.prompt)
        looked = looked.answered(fact(len(shown)))
    assert shown == model.prompts
    assert looked.text == summary


def test_recorded_answers_give_the_same_replay_without_asking() -> None:
    config = settings(**TIGHT)
    answers: dict[str, str] = {}
    model = Scripted(fact)
    first = replay(
        talk(40), config, summarizer=_recorded(Recorded(model, answers, "m", holds_facts))
    )
    again = replay(
        talk(40), config, summarizer=_recorded(Recorded(refuse, answers, "m", holds_facts))
    )
    assert again.plans == first.plans
    assert len(answers) == len(model.prompts)
    other = replay(
        talk(40), config, summarizer=_recorded(Recorded(refuse, answers, "other", holds_facts))
    )
    assert all(plan.summary is None for plan in other.plans)
    assert any("not been asked" in (plan.failure or "") for plan in other.plans)


@pytest.mark.parametrize("answer", ["", "```\n```", "# Facts", "<think>so it goes"])
def test_an_answer_without_a_fact_is_not_kept_and_can_be_asked_anew(answer: str) -> None:
    answers: dict[str, str] = {}
    for kept in (0, 1):
        model = Scripted(lambda number, kept=kept: fact(number) if kept else answer)
        replay(
            talk(40),
            settings(**TIGHT),
            summarizer=_recorded(Recorded(model, answers, "m", holds_facts)),
        )
        assert model.prompts
        assert bool(answers) == bool(kept)


def _recorded(complete: Recorded) -> FoldingSummarizer:
    return FoldingSummarizer(complete, language="korean")


def test_an_endpoint_that_fails_is_asked_once_in_a_replay() -> None:
    config = settings(**TIGHT)
    model = Scripted(failing_at(2))
    steady = FoldingSummarizer(UntilFailure(model), language="korean")
    plans = replay(talk(60), config, summarizer=steady).plans
    assert len(model.prompts) == 2
    assert sum(_is_down(plan) for plan in plans) > 5


def test_the_digest_of_a_prompt_depends_on_all_that_is_sent() -> None:
    messages = (user("가"), user("b"))
    prompts = [
        Prompt(messages, 10),
        Prompt(messages, 11),
        Prompt(messages[:1], 10),
        Prompt((user("가b"),), 10),
        Prompt((ChatMessage(role="system", content="가"), user("b")), 10),
    ]
    digests = {prompt.digest(model) for prompt in prompts for model in ("m", "n")}
    assert len(digests) == 10
    assert prompts[0].digest("m") == Prompt((user("가"), user("b")), 10).digest("m")


@pytest.mark.parametrize(("chunk", "message"), [(99, 99), (1_000, 1_001), (1_000, 0)])
def test_sizes_that_fit_nothing_are_refused(chunk: int, message: int) -> None:
    with pytest.raises(InvalidConfig):
        Sizes(chunk, message)
