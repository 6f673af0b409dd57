"""Controls of the gate: names without their setting are worth nothing, quotes everything."""

from __future__ import annotations

import pytest

from memory_core.facts import all_units
from memory_core.loss import Index, coincidence, needs_of
from memory_core.loss.reader import Reader
from tests.loss.test_standing import sample

NAMES = ("coding_agent", "customer_service_ko", "data_analysis", "long_chat_ko")
JOINS = {"one line": ", ", "a line each": "\n", "a list": "\n- "}


def kept(index: Index, text: str) -> float:
    """The share of the session's needs that a text holds."""
    held = {item for line in Reader(index).read(text) for item, _since in line.items}
    needs = needs_of(index).items
    return sum(need.item in held for need in needs) / len(needs)


@pytest.mark.parametrize("join", JOINS.values(), ids=JOINS)
@pytest.mark.parametrize("name", NAMES)
def test_a_bare_list_of_all_items_keeps_next_to_nothing(name: str, join: str) -> None:
    index = Index(sample(name))
    text = join.join(item.text for item in index.items)
    assert kept(index, text) < 0.15


@pytest.mark.parametrize("name", NAMES)
def test_quoted_lines_keep_everything(name: str) -> None:
    messages = sample(name)
    index = Index(messages)
    quoted = [unit for found in all_units(messages, 0) for unit in found]
    assert kept(index, "\n".join(f"- [#{unit.message}] {unit.text}" for unit in quoted)) == 1.0


def test_an_unrelated_session_holds_next_to_nothing_and_the_session_itself_everything() -> None:
    index, other = Index(sample("coding_agent")), Index(sample("customer_service_ko"))
    needs = needs_of(index)
    own, floor = coincidence(index, needs, index), coincidence(index, needs, other)
    assert own.kept == own.of == floor.of == len(needs.items)
    assert floor.kept * 10 < floor.of
