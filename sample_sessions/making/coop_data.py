"""A year of measured data of a small energy co-op, with the faults that real meters have."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

FIRST_DAY: Final = date(2025, 1, 1)
DAYS: Final = 365
SILENT: Final = {
    "M-005": (date(2025, 2, 10), 9),
    "M-023": (date(2025, 7, 30), 2),
    "M-029": (date(2025, 11, 3), 21),
}
"""Meters that sent nothing: from this day, for so many days."""

STUCK: Final = ("M-008", date(2025, 8, 4), 14)
SPIKES: Final = {
    ("M-015", date(2025, 3, 9)): 10,
    ("M-015", date(2025, 3, 10)): 10,
    ("M-004", date(2025, 12, 24)): 4,
    ("M-026", date(2025, 5, 18)): -1,
}
"""What a reading is multiplied with."""

TWICE: Final = date(2025, 10, 26)
"""The day the clocks went back; these meters sent it twice."""

TWICE_SENT: Final = ("M-010", "M-011", "M-014")
UPDATED: Final = ("M-019", date(2025, 6, 1))
"""A meter that counts in MWh from this day on, which no file says."""

COLD: Final = (1.0, 0.94, 0.71, 0.42, 0.16, 0.04, 0.0, 0.0, 0.12, 0.40, 0.76, 0.97)
SUN: Final = (31, 52, 94, 128, 151, 158, 160, 139, 103, 66, 36, 25)
"""kWh per kilowatt of panels and month."""

ROOFS: Final = {"R-BARN": 62, "R-SCHOOL": 38, "R-HALL": 21}


@dataclass(frozen=True, slots=True)
class Meter:
    """One meter; members are invented."""

    meter_id: str
    member: str
    street: str
    kind: str
    heating: str
    people: int
    unit: str


@dataclass(frozen=True, slots=True)
class Reading:
    """One day of one meter; `amount` is in thousandths of the meter's unit."""

    day: date
    meter_id: str
    amount: int
    flag: str


_STREETS: Final = ("Mill Lane", "Alder Road", "Quarry Street", "Church Path")
_MEMBERS: Final = [
    "Abbot",
    "Bell",
    "Crane",
    "Dunn",
    "Ember",
    "Finch",
    "Gable",
    "Heath",
    "Ivory",
    "Jessop",
    "Kerr",
    "Lark",
    "Marsh",
    "Nettle",
    "Orchard",
    "Penn",
    "Quill",
    "Rowan",
    "Stone",
    "Thorne",
    "Upton",
    "Vale",
    "Weir",
    "Yarrow",
    "Ashby",
    "Briar",
    "Coombe",
    "Dale",
    "Elm",
    "Firth",
    "Garth",
    "Holm",
]
_BUSINESS: Final = {22: ("farm", 4), 30: ("shop", 2), 31: ("school", 140), 32: ("shop", 3)}
_BASE: Final = {"home": 3_000, "farm": 61_000, "shop": 24_000, "school": 68_000}
"""Wh a day that a place takes whoever is there."""

_WARMTH: Final = {"gas": 400, "heat pump": 11_500, "direct electric": 26_000}
"""Wh on the coldest days."""


def meters() -> tuple[Meter, ...]:
    """All meters of the co-op in the order of their ids."""
    dice = random.Random(20250101)  # noqa: S311
    return tuple(_meter(number, dice) for number in range(1, 33))


def _meter(number: int, dice: random.Random) -> Meter:
    kind, people = _BUSINESS.get(number, ("home", 1 + int(dice.random() * 5)))
    heating = tuple(_WARMTH)[min(2, int(dice.random() * 3.6) % 3)]
    return Meter(
        meter_id=f"M-{number:03d}",
        member=_MEMBERS[number - 1],
        street=_STREETS[(number - 1) // 8],
        kind=kind,
        heating=heating,
        people=people,
        unit="MWh" if number in {12, 27} else "kWh",
    )


def readings() -> tuple[Reading, ...]:
    """Every reading as it arrived, day by day."""
    dice = random.Random(20251231)  # noqa: S311
    return tuple(
        reading
        for offset in range(DAYS)
        for meter in meters()
        for reading in _arrived(meter, FIRST_DAY + timedelta(days=offset), dice)
    )


def _arrived(meter: Meter, day: date, dice: random.Random) -> Iterator[Reading]:
    amount = _used(meter, day, dice) * SPIKES.get((meter.meter_id, day), 1)
    if _within(day, *SILENT.get(meter.meter_id, (FIRST_DAY, 0))):
        return
    if meter.meter_id == STUCK[0] and _within(day, *STUCK[1:]):
        amount = 0
    if meter.unit == "MWh" or (meter.meter_id == UPDATED[0] and day >= UPDATED[1]):
        amount //= 1000
    flag = "est" if dice.random() < 0.01 else "ok"
    reading = Reading(day, meter.meter_id, amount, flag)
    yield reading
    if day == TWICE and meter.meter_id in TWICE_SENT:
        yield reading


def _used(meter: Meter, day: date, dice: random.Random) -> int:
    """Wh of one day, whole numbers only, so that every machine counts alike."""
    if meter.kind == "school":
        people = meter.people * 260 if day.weekday() < 5 else 0
    else:
        people = meter.people * 1_900
    size = 0.8 + 0.1 * (int(meter.meter_id[2:]) % 5)
    warmth = _WARMTH[meter.heating] * COLD[day.month - 1] * (4 if meter.kind == "school" else 1)
    return int((_BASE[meter.kind] + people + warmth * size) * (0.8 + 0.4 * dice.random()))


def _within(day: date, first: date, days: int) -> bool:
    return first <= day < first + timedelta(days=days)


def roof_months() -> tuple[tuple[str, str, int], ...]:
    """What the co-op's own roofs gave: month, roof, kWh."""
    return tuple(
        (f"2025-{month:02d}", roof, SUN[month - 1] * power)
        for month in range(1, 13)
        for roof, power in ROOFS.items()
    )


TARIFFS: Final[dict[str, object]] = {
    "tariff": "Alder Base",
    "currency": "EUR",
    "valid": [
        {"from": "2024-07-01", "to": "2025-06-30", "ct_per_kwh": 27.4, "ct_per_day": 31},
        {"from": "2025-07-01", "to": "2026-06-30", "ct_per_kwh": 29.1, "ct_per_day": 33},
    ],
    "feed_in_ct_per_kwh": 7.8,
    "notes": ["Heat pumps: 2.5 ct less per kWh from October to March, on request."],
}


@dataclass(frozen=True, slots=True)
class Correction:
    """What was decided about a meter's readings from one day to another."""

    meter_id: str
    first: date
    last: date
    action: str
    reason: str

    def covers(self, meter_id: str, day: date) -> bool:
        return meter_id == self.meter_id and self.first <= day <= self.last
