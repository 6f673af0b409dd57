"""The ranking takes the unit that says most per token, whichever units it has opened so far."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.summarizing import coverage
from memory_core.summarizing.coverage import STALE, ranked

UNITS = st.lists(
    st.tuples(
        st.lists(st.integers(0, 30), min_size=1, max_size=6, unique=True),
        st.sampled_from([0.25, 0.5, 1.0, 2.0]),
    ),
    min_size=1,
    max_size=300,
)
WEIGHTS = st.lists(st.integers(1, 9), min_size=31, max_size=31)


def order(units: list[tuple[list[int], float]], weights: list[int]) -> list[int]:
    return list(
        ranked(
            np.array([feature for own, _ in units for feature in own], np.intp),
            np.cumsum([0, *(len(own) for own, _ in units)], dtype=np.intp),
            weights=np.array(weights, np.float64),
            rates=np.array([rate for _, rate in units]),
        )
    )


def tried_one_by_one(
    units: list[tuple[list[int], float]], weights: list[int], most_found: int = 300
) -> list[int]:
    left = list(weights)
    found: list[int] = []
    while len(found) < most_found:
        best, most = -1, 0.0
        for unit, (own, rate) in enumerate(units):
            gain = sum(left[feature] for feature in own)
            is_new = gain > STALE * sum(weights[feature] for feature in own)
            if is_new and gain * rate > most:
                best, most = unit, gain * rate
        if best < 0:
            return found
        found.append(best)
        for feature in units[best][0]:
            left[feature] = 0
    return found


@settings(max_examples=100, deadline=None)
@given(UNITS, WEIGHTS)
def test_the_order_is_that_of_trying_every_unit(
    units: list[tuple[list[int], float]], weights: list[int]
) -> None:
    assert order(units, weights) == tried_one_by_one(units, weights)


@pytest.mark.parametrize("opened", [1, 20, coverage.FIRST_OPENED])
@pytest.mark.parametrize("features", [40, 700, 3_000])
def test_the_order_is_the_same_however_few_units_are_opened(
    features: int, opened: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coverage, "FIRST_OPENED", opened)
    rng = random.Random(features)
    units = [
        (rng.sample(range(features), rng.randint(1, 7)), 2.0 ** rng.randint(-3, 1))
        for _ in range(700)
    ]
    weights = [rng.randint(1, 5) for _ in range(features)]
    assert order(units, weights)[:300] == tried_one_by_one(units, weights, 300)
