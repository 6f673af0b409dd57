"""A model that answers by a function, and what it was asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from memory_core.errors import EndpointError
from memory_core.messages import ChatMessage
from memory_core.prompt import Prompt
from memory_core.summarizing import Numbered, SummaryRequest
from memory_core.tokens.counting import text_counter

COUNT = text_counter("gpt-5")


class Scripted:
    """A `Complete` that answers from a function of how often it was asked."""

    def __init__(self, answer: Callable[[int], str]) -> None:
        self.prompts: list[Prompt] = []
        self.answered: list[Prompt] = []
        self._answer = answer

    def __call__(self, prompt: Prompt) -> str:
        self.prompts.append(prompt)
        text = self._answer(len(self.prompts))
        self.answered.append(prompt)
        return text


def fact(number: int) -> str:
    return f"- fact {number}"


def failing_at(*numbers: int) -> Callable[[int], str]:
    """Answers with one fact, but fails at these questions (the first is 1)."""

    def answer(number: int) -> str:
        if number in numbers:
            raise EndpointError("down for maintenance", status=503)
        return fact(number)

    return answer


def question(prompt: Prompt) -> str:
    return prompt.messages[-1].text


def sent_numbers(prompt: Prompt) -> list[int]:
    """Numbers of the messages in a prompt: no other line of it starts with one."""
    return [
        int(number) for number in re.findall(r"^\[#([0-9]+)\] ", question(prompt), re.MULTILINE)
    ]


def request(
    messages: Sequence[ChatMessage], *, previous: str = "", cap: int = 200, start: int = 0
) -> SummaryRequest:
    """A question about `messages`, of which those before `start` are in `previous`."""
    behind = tuple(Numbered(index, message) for index, message in enumerate(messages))
    return SummaryRequest(behind, behind[start:], previous, cap, COUNT)
