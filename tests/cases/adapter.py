"""Translates the shared cases into calls of the library; it decides nothing."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from memory_core.config import MemoryConfig
from memory_core.manager import AgentMemoryManager, compress
from memory_core.messages import ChatMessage
from memory_core.summarizing.request import Summarizer, SummaryRequest

Json = dict[str, Any]


def _expand(value: Any) -> Any:
    match value:
        case {"$repeat": text, "times": times}:
            return text * times
        case {"$concat": parts}:
            return "".join(_expand(part) for part in parts)
        case dict():
            fields = cast("Json", value)
            return {key: _expand(item) for key, item in fields.items()}
        case list():
            return [_expand(item) for item in cast("list[Any]", value)]
        case _:
            return value


class Scripted:
    """A summariser that does what a case's script says and remembers what it was given."""

    def __init__(self, script: Json) -> None:
        self._script = script
        self._calls = 0
        self.inputs: list[str] = []

    def __call__(self, request: SummaryRequest) -> str:
        lines = [f"{one.message.role}: {one.message.text}" for one in request.new]
        given = "\n".join([request.previous, *lines] if request.previous else lines)
        self.inputs.append(given)
        self._calls += 1
        mode = self._script["mode"]
        if mode == "fail_then_echo" and self._calls <= self._script.get("failures", 1):
            raise RuntimeError(self._script.get("error", "failed"))
        if mode == "longer":
            return given * int(self._script.get("factor", 2))
        if mode == "keep_fact_lines":
            return "\n".join(line for line in given.splitlines() if "FACT" in line)
        return given[:200]


def _config(given: Json) -> MemoryConfig:
    known = {key: given[key] for key in given if key in MemoryConfig.model_fields}
    if isinstance(known.get("summarizer"), dict):
        del known["summarizer"]
    return MemoryConfig.model_validate(known)


def _rounds(given: Json) -> list[list[Json]]:
    rounds: Any = given.get("rounds", [[]])
    if isinstance(rounds, list):
        return cast("list[list[Json]]", rounds)
    each: list[Json] = rounds["each"]
    count: int = rounds["count"]
    return [[_numbered(message, number) for message in each] for number in range(1, count + 1)]


def _numbered(message: Json, number: int) -> Json:
    content = message.get("content")
    if isinstance(content, str):
        return {**message, "content": content.replace("{n}", str(number))}
    return message


def _sent(messages: list[ChatMessage]) -> list[Json]:
    return [message.to_openai() for message in messages]


def run_context(case: Json) -> Json:
    """The windows of every round of a context case."""
    given, config = _expand(case["input"]), _config(case["config"])
    script: Any = case["config"].get("summarizer")
    scripted = Scripted(cast("Json", script)) if isinstance(script, dict) else None
    summarizer: Summarizer | None = scripted
    manager = AgentMemoryManager(config, summarizer=summarizer)
    history: list[Json] = list(given["messages"])
    results: list[Json] = []
    for new in _rounds(given):
        history = history + new
        already = len(scripted.inputs) if scripted else 0
        messages = asyncio.run(manager.prepare_context_window(given["system"], history))
        assert manager.report is not None
        results.append(
            {
                "messages": _sent(messages),
                "input": history,
                "report": manager.report.to_dict(),
                "summarizer_inputs": scripted.inputs[already:] if scripted else [],
            }
        )
    for _ in range(given.get("feed_back", 0)):
        fed = results[-1]["messages"]
        report = compress(fed, config, summarizer=summarizer)
        results.append(
            {
                "messages": _sent(list(report.messages)),
                "input": fed,
                "report": report.to_dict(),
                "summarizer_inputs": [],
            }
        )
    return {"rounds": results}
