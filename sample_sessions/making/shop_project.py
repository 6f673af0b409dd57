"""Lay out the small shop project the coding session works on, with a recorded day of orders."""

from __future__ import annotations

import csv
import io
import json
import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

SOURCES: Final = Path(__file__).parent / "shop"
SUFFIX: Final = ".txt"
"""The project's files carry it here, so that no tool takes their planted faults for ours."""

DAY: Final = "2026-03-12"
FIRST_NUMBER: Final = 301
ORDERS: Final = 168
LOST_PRODUCT: Final = "TEA-OLD"
SPECIAL_NUMBER: Final = 417
"""The order a customer complains about: goods for exactly 50,000 won, sent to Jeju."""

RATES: Final = {"SPRING7": 7, "NEWBIE5": 5, "STAFF15": 15}
COUPONS: Final = (
    (),
    (),
    (),
    ("SPRING7",),
    ("SPRING7",),
    ("NEWBIE5",),
    ("SPRING7", "FLAT3000"),
    ("FLAT3000",),
)
POSTCODES: Final = ("04100", "06236", "13494", "21984", "34126", "48060", "61452", "63124", "63309")


@dataclass(frozen=True, slots=True)
class _Order:
    number: int
    placed_at: datetime
    customer: str
    postcode: str
    lines: tuple[tuple[str, int], ...]
    coupons: tuple[str, ...]

    @property
    def order_id(self) -> str:
        return f"ORD-20260312-{self.number:04d}"


def lay_out(folder: Path) -> None:
    """Write the project with its data into an empty folder."""
    for source in sorted(SOURCES.rglob(f"*{SUFFIX}")):
        target = folder / source.relative_to(SOURCES).with_suffix("")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
    with (folder / "data" / "products.csv").open(encoding="utf-8", newline="") as file:
        prices = {row["sku"]: int(row["price"]) for row in csv.DictReader(file)}
    orders = _orders(sorted(prices))
    log = "".join(_log_line(order) for order in orders)
    (folder / "data" / f"orders-{DAY}.jsonl").write_text(log, encoding="utf-8")
    (folder / "data" / f"ledger-{DAY}.csv").write_text(_ledger(orders, prices), encoding="utf-8")


def _orders(skus: list[str]) -> list[_Order]:
    dice = random.Random(20260312)  # noqa: S311

    def pick(options: tuple[object, ...] | list[str], share: float) -> int:
        return int(share * len(options))

    start = datetime(2026, 3, 11, 14, 20, tzinfo=UTC)
    orders: list[_Order] = []
    for index in range(ORDERS):
        count = 1 + int(dice.random() * 3)
        lines = tuple(
            (skus[pick(skus, dice.random())], 1 + int(dice.random() * 2)) for _ in range(count)
        )
        order = _Order(
            number=FIRST_NUMBER + index,
            placed_at=start + timedelta(seconds=int(540 * index + 200 * dice.random())),
            customer=f"C-{2000 + int(dice.random() * 400)}",
            postcode=POSTCODES[pick(POSTCODES, dice.random())],
            lines=lines,
            coupons=COUPONS[pick(COUPONS, dice.random())],
        )
        orders.append(_planted(order))
    return orders


def _planted(order: _Order) -> _Order:
    if order.number == SPECIAL_NUMBER:
        lines = (("MUG-WHT", 1), ("MUG-BLK", 1), ("PLT-LRG", 1), ("CST-CRK", 1))
        return _Order(order.number, order.placed_at, "C-2044", "63124", lines, ())
    if order.number in (350, 402, 455):
        lines = ((LOST_PRODUCT, 1), *order.lines[:1])
        return _Order(order.number, order.placed_at, order.customer, order.postcode, lines, ())
    return order


def _log_line(order: _Order) -> str:
    record = {
        "order_id": order.order_id,
        "placed_at": order.placed_at.isoformat(),
        "customer": order.customer,
        "postcode": order.postcode,
        "lines": [{"sku": sku, "quantity": quantity} for sku, quantity in order.lines],
        "coupons": list(order.coupons),
    }
    return json.dumps(record, ensure_ascii=False) + "\n"


def _ledger(orders: list[_Order], prices: dict[str, int]) -> str:
    """What finance booked: the rules of decision 7, written a second time on purpose."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(("order_id", "goods", "shipping"))
    for order in orders:
        korean = order.placed_at + timedelta(hours=9)
        if korean.strftime("%Y-%m-%d") != DAY or order.lines[0][0] == LOST_PRODUCT:
            continue
        subtotal = sum(prices[sku] * quantity for sku, quantity in order.lines)
        percent = sum(RATES.get(coupon, 0) for coupon in order.coupons)
        discount = subtotal * percent // 1000 * 10 + (3000 if "FLAT3000" in order.coupons else 0)
        goods = max(0, subtotal - discount)
        fee = (3000 if order.postcode.startswith("63") else 0) + (0 if goods >= 50_000 else 3000)
        table.writerow((order.order_id, goods, fee))
    return text.getvalue()
