"""The dashboard cases from public bug reports, step by step."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.opening import (
    HOME,
    OTHERS,
    figures,
    interpreted,
    opened,
    payload,
    protos,
    upload,
    verbatim,
)
from tests.setup.folders import SHARED

CASES = sorted((SHARED / "cases").glob("ui-s-*.json")) or [SHARED / "cases" / "ui-s-01.json"]

GOOD = json.dumps([{"role": "user", "content": "good"}]).encode()


@dataclass
class Visit:
    """One case on its way: what was seen after each step."""

    app: AppTest
    texts: list[str] = field(default_factory=list[str])
    seconds: list[float] = field(default_factory=list[float])
    errors: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    replaced: list[str] = field(default_factory=list[str])
    """Uploads that failed and took the open session's place all the same."""

    def step(self, app: AppTest) -> None:
        assert [element.value for element in app.exception] == []
        self.app = app

    def run(self, app: AppTest) -> None:
        start = time.perf_counter()
        self.step(app.run())
        self.seconds.append(time.perf_counter() - start)


def load(visit: Visit, messages: list[dict[str, Any]]) -> None:
    visit.texts = [str(message["content"]) for message in messages if message["content"]]
    start = time.perf_counter()
    visit.step(upload(visit.app, "case.json", json.dumps(messages).encode()))
    visit.seconds.append(time.perf_counter() - start)


def generated(wanted: dict[str, int]) -> list[dict[str, Any]]:
    giant = {"role": "tool", "tool_call_id": "g", "content": "x y" * (10**6 // 3)}
    giant["content"] = (giant["content"] * 9)[: wanted["giant_tool_output_chars"]]
    call = {"id": "g", "type": "function", "function": {"name": "read", "arguments": "{}"}}
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": "start"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        giant,
    ]
    while len(messages) < wanted["messages"]:
        number = len(messages)
        messages.append({"role": "user", "content": f"question {number} about file_{number}.py"})
        messages.append({"role": "assistant", "content": f"answer {number}: it has {number} lines"})
    return messages[: wanted["messages"]]


def walk(visit: Visit, case: dict[str, Any]) -> None:
    data = case["input"]
    for step in data.get("steps", []):
        if "load_session" in step:
            name = step["load_session"]
            load(visit, generated(data[name]) if name == "generate" else data[name])
        elif "set" in step:
            visit.app.number_input(key=step["set"]).set_value(step["value"])
            visit.run(visit.app)
        else:
            pages = OTHERS if step.get("visit") else (HOME,)
            for page in pages:
                visit.run(visit.app.switch_page(page))
    if "uploads" in data:
        visit.step(upload(visit.app, "good.json", GOOD))
    for file in data.get("uploads", []):
        text = file.get("text", "").encode(file.get("encoding", "utf-8"))
        before = what_is_open(visit.app)
        visit.step(upload(visit.app, file["name"], bytes.fromhex(file.get("hex", "")) or text))
        visit.errors[file["name"]] = [element.value for element in visit.app.error]
        if visit.errors[file["name"]] and what_is_open(visit.app) != before:
            visit.replaced.append(file["name"])


def what_is_open(app: AppTest) -> tuple[object, dict[str, str], list[str]]:
    return app.selectbox(key="sample").value, figures(app), verbatim(app)


def holds_control(visit: Visit, *, name: str, value: int) -> None:
    assert visit.app.number_input(key=name).value == value


def no_exception(visit: Visit) -> None:
    assert len(visit.app.exception) == 0


def shown_verbatim(visit: Visit) -> None:
    shown = verbatim(visit.app)
    assert [text for text in visit.texts if not any(text in one for one in shown)] == []


def never_interpreted(visit: Visit) -> None:
    marked = interpreted(visit.app)
    assert marked
    assert [text for text in visit.texts if any(text in one for one in marked)] == []


def few_elements(visit: Visit, *, n: int) -> None:
    assert sum(1 for _ in protos(visit.app)) <= n


def small_payload(visit: Visit, *, n: int) -> None:
    assert payload(visit.app) <= n


def quick_scripts(visit: Visit, *, s: float) -> None:
    assert max(visit.seconds) <= s


def one_named_error_each(visit: Visit) -> None:
    for name, errors in visit.errors.items():
        assert len(errors) == 1 or (name == "utf16.json" and not errors)
        assert all(name in error and "Traceback" not in error for error in errors)


def error_mentions(visit: Visit, *, name: str, text: str) -> None:
    assert text in visit.errors[name][0]


def session_kept(visit: Visit) -> None:
    assert visit.errors
    assert visit.replaced == []


CHECKS: dict[str, Callable[..., None]] = {
    "control": holds_control,
    "no_exception_element": no_exception,
    "shown_verbatim": shown_verbatim,
    "no_html_element_with_session_text": never_interpreted,
    "elements_at_most": few_elements,
    "payload_bytes_at_most": small_payload,
    "script_seconds_at_most": quick_scripts,
    "named_error_each": one_named_error_each,
    "error_mentions": error_mentions,
    "previous_session_kept": session_kept,
}


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_case_holds(path: Path) -> None:
    case = json.loads(path.read_text())
    visit = Visit(opened())
    walk(visit, case)
    for wanted in case["expect"]["checks"]:
        CHECKS[wanted.pop("check")](visit, **wanted)
