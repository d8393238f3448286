"""What a search text finds (R24): conditions on orders, customers and products, for lists and the global search."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from sqlalchemy import ColumnElement, case, func, literal, or_

from ..kit.phones import digits_of
from ..kit.text import query_tokens, tokens
from .models import Customer, Order, Product, Review

PHONE = re.compile(r"\+?[\d\s().\-/]+")
SHORTEST_PHONE = 5


def orders(text: str) -> list[ColumnElement[bool]]:
    """Orders by the words of number, name, e-mail and SKUs."""
    return _words(Order.search_key, text)


def customers(text: str) -> list[ColumnElement[bool]]:
    """Customers by the words of name and e-mail, or by the digits of a phone number however it is written."""
    digits = phone_digits(text)
    return [Customer.phone.contains(digits, autoescape=True)] if digits else _words(Customer.search_key, text)


def products(text: str) -> list[ColumnElement[bool]]:
    """Products by the words of name, brand, category, SKU and tag."""
    return _words(Product.search_key, text)


def reviews(text: str) -> list[ColumnElement[bool]]:
    """Reviews by the words of title, body and nickname."""
    return _words(Review.search_key, text)


def documents(model: Any) -> Callable[[str], list[ColumnElement[bool]]]:
    """Papers of orders (joined with their order) by the start of their own number, or what finds the order."""

    def found(text: str) -> list[ColumnElement[bool]]:
        return [
            or_(
                func.lower(model.number).startswith(token, autoescape=True),
                Order.search_key.contains(f" {token}", autoescape=True),
            )
            for token in query_tokens(text)
        ]

    return found


def product_rank(text: str) -> list[ColumnElement[Any]]:
    """The order of found products: more words found in the name come first, then name, then id."""
    name = literal(" ") + Product.name_key
    hits: Any = literal(0)
    for token in tokens(text):
        hits = hits + case((name.contains(f" {token}", autoescape=True), 1), else_=0)
    return [hits.desc(), Product.name_key, Product.id]


def phone_digits(text: str) -> str:
    """The digits of a text that can only be (part of) a phone number, without prefixes dialled inside a country."""
    if not PHONE.fullmatch(text.strip()):
        return ""
    digits = digits_of(text.replace("(0)", "")).lstrip("0")
    return digits if len(digits) >= SHORTEST_PHONE else ""


def _words(column: Any, text: str) -> list[ColumnElement[bool]]:
    return [column.contains(f" {token}", autoescape=True) for token in query_tokens(text)]
