"""Losses are measured off the page's thread: only what is shown, and never while it is drawn."""

from __future__ import annotations

import time
from collections.abc import Callable

from memory_core.config import MemoryConfig
from memory_core.loss import Index, measure, needs_of
from memory_core.replay import Replay, replay
from memory_core.sessions import load_file
from pages.ui.losses import Book
from pages.ui.samples import FOLDER

MESSAGES = load_file(FOLDER / "customer_service_ko.json").sessions[0].messages
PATIENCE = 30
"""Seconds."""


def replayed(budget: int) -> Replay:
    return replay(MESSAGES, MemoryConfig(max_token_budget=budget))


def eventually(holds: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.02)
    return holds()


def test_what_is_wanted_is_measured_and_the_session_is_read_once() -> None:
    book, index = Book(MESSAGES), Index(MESSAGES)
    readings: list[object] = []
    for budget in (1_000, 2_000):
        found = replayed(budget)
        book.want(found)
        assert eventually(lambda found=found: book.known(found) is not None)
        loss = book.known(found)
        assert loss is not None
        assert loss.to_dict() == measure(found, index, needs_of(index)).to_dict()
        readings.append(book.reading)
    assert readings[0] is readings[1]


def test_nothing_is_worked_out_while_a_page_is_drawn() -> None:
    book = Book(MESSAGES * 40)
    book.want(replayed(1_000))
    assert eventually(lambda: book.done > 0)
    book.rest()
    time.sleep(0.1)
    done = book.done
    time.sleep(0.3)
    assert book.done == done < len(book.messages)
    book.want(None)
    assert eventually(lambda: book.done > done)


def test_a_config_that_is_no_longer_shown_is_not_measured() -> None:
    book = Book(MESSAGES)
    first = replayed(1_000)
    book.rest()
    book.want(first)
    book.want(None)
    assert eventually(lambda: book.reading is not None)
    time.sleep(0.2)
    assert book.known(first) is None


def test_what_goes_wrong_is_told_and_tried_again_when_asked() -> None:
    book = Book(())
    found = replayed(1_000)
    book.want(found)
    assert eventually(lambda: book.failure != "")
    assert "Traceback" not in book.failure
    assert book.known(found) is None
