"""The tools of the customer-service session: a small shop in memory that keeps its own rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Final

from sample_sessions.making.recording import Tool
from sample_sessions.making.support_shop import Item, Shop

TODAY: Final = date(2026, 3, 13)
RETURN_FEE: Final = 6000
DAYS: Final = {"단순 변심": 7, "불량": 30}
COUPON_MOST: Final = 5000
COUPON_DAYS: Final = 30


class Refused(Exception):
    """The desk will not do what was asked; the text says why."""


Answer = dict[str, object]


class SupportDesk:
    """Look-ups and changes over one shop; every change becomes a case with a running number."""

    def __init__(self, shop: Shop) -> None:
        self._customers = {customer.user_id: customer for customer in shop.customers}
        self._orders = {order.order_id: order for order in shop.orders}
        self._stock = dict(shop.stock)
        self._cases: dict[str, Answer] = {}

    def tools(self) -> dict[str, Tool]:
        """All tools by the names the model calls; they answer JSON texts."""
        named: dict[str, Callable[..., object]] = {
            "find_user": self.find_user,
            "get_user": self.get_user,
            "list_orders": self.list_orders,
            "get_order": self.get_order,
            "check_stock": self.check_stock,
            "update_address": self.update_address,
            "quote_refund": self.quote_refund,
            "refund": self.refund,
            "book_pickup": self.book_pickup,
            "exchange": self.exchange,
            "cancel_exchange": self.cancel_exchange,
            "issue_coupon": self.issue_coupon,
            "list_cases": self.list_cases,
            "send_summary": self.send_summary,
        }
        return {name: _answering(action) for name, action in named.items()}

    def find_user(self, *, email: str, postcode: str) -> Answer:
        for customer in self._customers.values():
            if customer.email == email and customer.postcode == postcode:
                return {"user_id": customer.user_id, "verified": True}
        raise Refused("이메일과 우편번호가 일치하는 회원이 없습니다")

    def get_user(self, *, user_id: str) -> Answer:
        return self._customers[user_id].model_dump(mode="json")

    def list_orders(self, *, user_id: str) -> Answer:
        orders = [self._orders[order_id] for order_id in self._customers[user_id].orders]
        rows = [
            {
                "order_id": order.order_id,
                "status": order.status,
                "ordered_on": order.ordered_on.isoformat(),
                "total": order.total,
                "first_item": order.items[0].name,
            }
            for order in orders
        ]
        return {"user_id": user_id, "orders": rows}

    def get_order(self, *, order_id: str) -> Answer:
        order = self._orders[order_id]
        return {**order.model_dump(mode="json"), "total": order.total}

    def check_stock(self, *, item_id: str) -> Answer:
        return {"item_id": item_id, **self._stock[item_id].model_dump(mode="json")}

    def update_address(self, *, order_id: str, address: str, postcode: str, memo: str) -> Answer:
        order = self._orders[order_id]
        if order.status != "상품준비중":
            raise Refused(f"{order.status} 상태에서는 배송지를 바꿀 수 없습니다")
        before = order.address
        order.address = f"{address} ({postcode})"
        order.memo = memo
        return {"order_id": order_id, "before": before, "after": order.address, "memo": memo}

    def quote_refund(self, *, order_id: str, item_id: str, quantity: int, reason: str) -> Answer:
        item = self._item(order_id, item_id)
        delivered = self._orders[order_id].delivered_on
        if delivered is None:
            raise Refused("아직 배송되지 않은 주문입니다")
        last_day = delivered + timedelta(days=DAYS[reason])
        if last_day < TODAY:
            raise Refused(f"{reason} 접수 기간이 {last_day.isoformat()}에 끝났습니다")
        if quantity > item.quantity - item.returned:
            raise Refused(f"환불할 수 있는 수량은 {item.quantity - item.returned}개입니다")
        goods = item.price * quantity
        fee = RETURN_FEE if reason == "단순 변심" else 0
        return {
            "order_id": order_id,
            "item_id": item_id,
            "quantity": quantity,
            "reason": reason,
            "goods": goods,
            "fee": fee,
            "refund": goods - fee,
            "last_day": last_day.isoformat(),
        }

    def refund(self, *, order_id: str, item_id: str, quantity: int, reason: str) -> Answer:
        quote = self.quote_refund(
            order_id=order_id, item_id=item_id, quantity=quantity, reason=reason
        )
        self._item(order_id, item_id).returned += quantity
        paid_by = self._orders[order_id].payment
        return self._open("refund_id", "R", 5001, quote | {"to": paid_by, "status": "회수대기"})

    def book_pickup(self, *, order_id: str, item_id: str, **where: str) -> Answer:
        case: Answer = {"order_id": order_id, "item_id": item_id, **where, "status": "예약됨"}
        return self._open("pickup_id", "P", 7001, case)

    def exchange(
        self, *, order_id: str, item_id: str, new_item_id: str, quantity: int, **where: str
    ) -> Answer:
        if self._stock[new_item_id].pieces < quantity:
            raise Refused("재고가 부족합니다")
        self._stock[new_item_id].pieces -= quantity
        case: Answer = {
            "order_id": order_id,
            "item_id": item_id,
            "new_item_id": new_item_id,
            "quantity": quantity,
            **where,
            "status": "접수됨",
        }
        return self._open("exchange_id", "E", 3001, case)

    def cancel_exchange(self, *, exchange_id: str) -> Answer:
        case = self._cases[exchange_id]
        case["status"] = "취소됨"
        item = str(case["new_item_id"])
        self._stock[item].pieces += int(str(case["quantity"]))
        return {"exchange_id": exchange_id, "status": "취소됨", "stock": self._stock[item].pieces}

    def issue_coupon(self, *, user_id: str, amount: int, reason: str) -> Answer:
        if amount > COUPON_MOST:
            raise Refused(f"보상 쿠폰은 최대 {COUPON_MOST:,}원입니다")
        until = (TODAY + timedelta(days=COUPON_DAYS)).isoformat()
        case: Answer = {
            "user_id": user_id,
            "amount": amount,
            "reason": reason,
            "valid_until": until,
        }
        return self._open("coupon_id", "CP", 9001, case)

    def list_cases(self, *, user_id: str) -> Answer:
        refunds = [case for case in self._cases.values() if "refund_id" in case]
        total = sum(int(str(case["refund"])) for case in refunds)
        return {"user_id": user_id, "cases": list(self._cases.values()), "refund_total": total}

    def send_summary(self, *, user_id: str, email: str) -> Answer:
        if email != self._customers[user_id].email:
            raise Refused("가입 이메일로만 보낼 수 있습니다")
        return {"sent_to": email, "cases": list(self._cases)}

    def _item(self, order_id: str, item_id: str) -> Item:
        return next(item for item in self._orders[order_id].items if item.item_id == item_id)

    def _open(self, key: str, letter: str, first: int, case: Answer) -> Answer:
        number = first + sum(known.startswith(f"{letter}-") for known in self._cases)
        opened = {key: f"{letter}-{number}"} | case
        self._cases[f"{letter}-{number}"] = opened
        return dict(opened)


def open_desk(file: Path) -> SupportDesk:
    """A desk over the shop in a JSON file."""
    return SupportDesk(Shop.model_validate_json(file.read_text(encoding="utf-8")))


def _answering(action: Callable[..., object]) -> Tool:
    def answer(arguments: Mapping[str, object]) -> str:
        try:
            result = action(**arguments)
        except Refused as refusal:
            result = {"error": str(refusal)}
        return json.dumps(result, ensure_ascii=False)

    return answer
