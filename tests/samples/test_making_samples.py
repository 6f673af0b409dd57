"""Making the sample sessions again gives the files that lie there."""

import sys

import pytest

from sample_sessions.making.files import FOLDER, MAKERS, make
from sample_sessions.making.support_desk import SupportDesk
from sample_sessions.making.support_shop import Shop, ShopOrder, Stock

PINNED = ((3, 11), "9")
HERE = (sys.version_info[:2], pytest.__version__.split(".")[0])


@pytest.mark.parametrize("name", MAKERS)
def test_making_a_sample_again_gives_the_same_bytes(name: str) -> None:
    if name == "coding_agent.json" and HERE != PINNED:
        pytest.skip("tracebacks and test reports are worded by Python 3.11 and pytest 9")
    assert make(name).splitlines() == (FOLDER / name).read_bytes().splitlines()


ORDER = {
    "order_id": "H1",
    "status": "배송완료",
    "ordered_on": "2026-02-01",
    "delivered_on": "2026-03-06",
    "payment": "카드",
    "shipping_fee": 0,
    "address": "없는로 1",
    "items": [{"item_id": "A", "name": "에이", "price": 5000, "quantity": 2}],
}


@pytest.mark.parametrize(
    ("delivered", "reason", "quantity", "answer"),
    [
        ("2026-03-06", "단순 변심", 2, '"refund": 4000'),
        ("2026-03-05", "단순 변심", 2, "접수 기간이 2026-03-12에 끝났습니다"),
        ("2026-02-11", "불량", 1, '"refund": 5000'),
        ("2026-02-10", "불량", 1, "접수 기간이 2026-03-12에 끝났습니다"),
        ("2026-03-06", "불량", 3, "환불할 수 있는 수량은 2개입니다"),
    ],
)
def test_the_desk_keeps_the_policy_of_its_system_prompt(
    delivered: str, reason: str, quantity: int, answer: str
) -> None:
    order = ShopOrder.model_validate(ORDER | {"delivered_on": delivered})
    desk = SupportDesk(Shop(customers=[], orders=[order], stock={}))
    asked = {"order_id": "H1", "item_id": "A", "quantity": quantity, "reason": reason}
    assert answer in desk.tools()["quote_refund"](asked)


def test_a_cancelled_exchange_gives_its_piece_back() -> None:
    order = ShopOrder.model_validate(ORDER)
    stock = {"B": Stock(name="비", pieces=1, next_delivery=None)}
    tools = SupportDesk(Shop(customers=[], orders=[order], stock=stock)).tools()
    wanted = {"order_id": "H1", "item_id": "A", "new_item_id": "B", "quantity": 1}
    assert "E-3001" in tools["exchange"](wanted)
    assert "재고가 부족합니다" in tools["exchange"](wanted)
    tools["cancel_exchange"]({"exchange_id": "E-3001"})
    assert '"pieces": 1' in tools["check_stock"]({"item_id": "B"})
