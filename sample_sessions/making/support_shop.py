"""Customers, orders and stock of the small shop behind the customer-service session."""

from __future__ import annotations

from datetime import date

from pydantic import BaseModel


class Item(BaseModel):
    """One line of an order; `returned` of its pieces are on their way back."""

    item_id: str
    name: str
    price: int
    quantity: int
    returned: int = 0


class ShopOrder(BaseModel):
    """One order of a customer."""

    order_id: str
    status: str
    ordered_on: date
    delivered_on: date | None
    payment: str
    shipping_fee: int
    address: str
    items: list[Item]
    memo: str = ""

    @property
    def total(self) -> int:
        """What the order cost, shipping included, in won."""
        return self.shipping_fee + sum(item.price * item.quantity for item in self.items)


class Customer(BaseModel):
    """One customer; everything about them is invented."""

    user_id: str
    name: str
    email: str
    phone: str
    birthday: str
    address: str
    postcode: str
    grade: str
    points: int
    orders: list[str]


class Stock(BaseModel):
    """Pieces of one item in the warehouse."""

    name: str
    pieces: int
    next_delivery: date | None


class Shop(BaseModel):
    """What the desk can look up and change."""

    customers: list[Customer]
    orders: list[ShopOrder]
    stock: dict[str, Stock]
