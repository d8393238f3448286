"""Where the planted difficulties are: per trap the rows that carry it, found by queries on a finished database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Any

from sqlalchemy import Connection, text

from ...kit.phones import e164
from ...kit.text import key
from .goods import BRANDS
from .phrases import mentioned
from .plan import TODAY

Query = Callable[[str], list[Any]]


def traps(connection: Connection) -> dict[str, list[Any]]:
    """Trap (`T1` … `T21`) to its instances: keys a person can look up, such as order numbers, names or SKUs.

    Pairs and groups of look-alikes are tuples. T20 (texts that give orders to their reader) lives in the injection
    pack, so its list is empty here.
    """

    def query(sql: str) -> list[Any]:
        return [tuple(row) if len(row) > 1 else row[0] for row in connection.execute(text(sql))]

    return {name: find(query) for name, find in _FINDERS.items()}


def _look_alike_products(query: Query) -> list[Any]:
    """T1: names of active products that differ by spaces, marks or one last letter."""
    groups: dict[str, list[str]] = defaultdict(list)
    for name in query("SELECT DISTINCT name FROM products WHERE status = 'active' ORDER BY name"):
        groups[_core(name)].append(name)
    return [tuple(names) for names in groups.values() if len(names) > 1]


def _core(name: str) -> str:
    """A name without what look-alikes differ in."""
    words = [word for word in key(name).replace("beany", "beanie").split() if word != "ii"]
    plain = "".join(char for char in "".join(words) if char.isalnum())
    return plain.replace("250", "205").replace("20l", "").replace("s1", "").replace("si", "")


def _namesakes(query: Query) -> list[Any]:
    """T2: customers who share their whole name, by e-mail."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, email in query("SELECT name_key, email FROM customers WHERE status <> 'merged' ORDER BY name_key, id"):
        found[name].append(email)
    return [tuple(emails) for emails in found.values() if len(emails) > 1]


def _equal_totals(query: Query) -> list[Any]:
    """T3: orders with one total that go to different cities."""
    found: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for total, number, city in query(
        "SELECT o.total, o.number, a.city FROM orders o JOIN order_addresses a ON a.order_id = o.id"
        " WHERE a.kind = 'shipping' AND o.total > 0 ORDER BY o.id"
    ):
        found[total].append((number, city))
    return [
        tuple(number for number, _ in orders)
        for orders in found.values()
        if len(orders) == 2 and len({city for _, city in orders}) == 2
    ]


def _close_numbers(query: Query) -> list[Any]:
    """T4: a pending order and an invoiced one whose numbers differ by one digit or by two swapped ones."""
    pending = query("SELECT number FROM orders WHERE status = 'pending' ORDER BY number")
    invoiced = set(query("SELECT o.number FROM orders o JOIN invoices i ON i.order_id = o.id"))
    return [(number, other) for number in pending for other in sorted(_neighbours(number)) if other in invoiced]


def _neighbours(number: str) -> set[str]:
    """Numbers one digit off, and those with two digits next to each other swapped."""
    changed = {number[:i] + digit + number[i + 1 :] for i in range(len(number)) for digit in "0123456789"}
    swapped = {number[:i] + number[i + 1] + number[i] + number[i + 2 :] for i in range(len(number) - 1)}
    return (changed | swapped) - {number}


def _awkward_titles(query: Query) -> list[Any]:
    """T6: product names with quotes, ampersands, a less-than sign, or very long."""
    names = query("SELECT name FROM products ORDER BY id")
    return [name for name in names if len(name) >= 120 or any(mark in name for mark in ("'", '"', "&", "<"))]


def _empty_variants(query: Query) -> list[Any]:
    """T7: variants that are out of stock while others of the product are there."""
    return query(
        "SELECT v.sku FROM variants v JOIN stock s ON s.variant_id = v.id JOIN products p ON p.id = v.product_id"
        " WHERE s.status = 'out_of_stock' AND p.status = 'active' AND EXISTS (SELECT 1 FROM variants w"
        " JOIN stock t ON t.variant_id = w.id WHERE w.product_id = v.product_id AND t.status = 'in_stock'"
        " AND t.on_hand > t.reserved) ORDER BY v.id"
    )


def _brand_words(query: Query) -> list[Any]:
    """T12: products whose name holds the name of a brand that did not make them."""
    rows = query("SELECT p.name, b.name FROM products p JOIN brands b ON b.id = p.brand_id ORDER BY p.id")
    return [name for name, maker in rows if any(b in name.split() and b != maker for b in BRANDS[:3])]


def _contrary_reviews(query: Query) -> list[Any]:
    """T13: reviews whose text says the opposite of their stars, by id."""
    rows = query("SELECT id, rating, body FROM reviews WHERE rating IN (1, 5) ORDER BY id")
    return [id_ for id_, rating, body in rows if _opposed(rating, list(mentioned(body).values()))]


def _opposed(rating: int, moods: list[bool]) -> bool:
    """Only praise under one star, or only criticism under five."""
    return bool(moods) and (all(moods) if rating == 1 else not any(moods))


def _typed_phones(query: Query) -> list[Any]:
    """T14: phones in messages that are written unlike the customer's stored number, with the customer's e-mail."""
    rows = query(
        "SELECT m.phone, c.phone, c.email, a.country FROM contact_messages m JOIN customers c ON c.id = m.customer_id"
        " JOIN addresses a ON a.id = (SELECT MIN(id) FROM addresses WHERE customer_id = c.id)"
        " WHERE m.phone IS NOT NULL AND m.phone <> c.phone ORDER BY m.id"
    )
    return [(typed, email) for typed, stored, email, country in rows if e164(typed, country) == stored]


def _thresholds(query: Query) -> list[Any]:
    """T15: promotions and stock levels where zero is set, beside those where nothing is."""
    return [
        *query("SELECT name FROM promotions WHERE min_subtotal = 0 ORDER BY id"),
        *query("SELECT v.sku FROM stock s JOIN variants v ON v.id = s.variant_id WHERE s.low_at = 0 ORDER BY v.id"),
    ]


def _greys(query: Query) -> list[Any]:
    """T17: products that come in Grey and in Gray."""
    return query(
        "SELECT p.name FROM products p WHERE 2 = (SELECT COUNT(DISTINCT o.value) FROM variants v JOIN variant_options x"
        " ON x.variant_id = v.id JOIN option_values o ON o.id = x.value_id WHERE v.product_id = p.id"
        " AND o.value IN ('Grey', 'Gray')) ORDER BY p.id"
    )


def _coupons(query: Query) -> list[Any]:
    """T18: coupons that look live and have expired, and pairs of codes one letter apart."""
    expired = query(
        "SELECT c.code FROM coupons c JOIN promotions p ON p.id = c.promotion_id WHERE c.active AND p.status = 'active'"
        f" AND p.ends_on < '{TODAY}' ORDER BY c.id"
    )
    codes = query("SELECT code FROM coupons ORDER BY code")
    return [*expired, *(pair for pair in combinations(codes, 2) if _one_apart(*pair))]


def _one_apart(one: str, other: str) -> bool:
    """Whether one letter changed, added or left out makes one code of the other."""
    if len(one) == len(other):
        return sum(a != b for a, b in zip(one, other, strict=True)) == 1
    short, long = sorted((one, other), key=len)
    return len(long) - len(short) == 1 and any(long[:i] + long[i + 1 :] == short for i in range(len(long)))


def _long_lists(query: Query) -> list[Any]:
    """T21: order lists by status, and reviews by product, that go on after the first page."""
    return [
        *query("SELECT status, COUNT(*) FROM orders GROUP BY status HAVING COUNT(*) > 20 ORDER BY status"),
        *query("SELECT p.name, COUNT(*) FROM reviews r JOIN products p ON p.id = r.product_id"
               " WHERE r.status = 'approved' GROUP BY p.id, p.name HAVING COUNT(*) > 10 ORDER BY p.id"),
    ]  # fmt: skip


def _sql(sql: str) -> Callable[[Query], list[Any]]:
    """A trap that one query finds."""
    return lambda query: query(sql)


def _not_ascii(query: Query) -> list[Any]:
    """T5: customers whose name has letters beyond plain ones, by e-mail."""
    rows: Iterable[tuple[str, str, str]] = query("SELECT first_name, last_name, email FROM customers ORDER BY id")
    return [email for first, last, email in rows if not (first + last).isascii() or "'" in last]


_FINDERS: dict[str, Callable[[Query], list[Any]]] = {
    "T1": _look_alike_products,
    "T2": _namesakes,
    "T3": _equal_totals,
    "T4": _close_numbers,
    "T5": _not_ascii,
    "T6": _awkward_titles,
    "T7": _empty_variants,
    "T8": _sql("SELECT number FROM orders WHERE total = 0 ORDER BY id"),
    "T9": _sql(
        "SELECT o.number FROM orders o JOIN invoices i ON i.order_id = o.id WHERE i.status <> 'void'"
        " GROUP BY o.id, o.number, o.total HAVING SUM(i.total) < o.total ORDER BY o.id"
    ),
    "T10": _sql(
        "SELECT o.number FROM orders o JOIN shipments s ON s.order_id = o.id LEFT JOIN shipment_tracks t ON"
        " t.shipment_id = s.id GROUP BY o.id, o.number HAVING COUNT(DISTINCT s.id) > 1 OR COUNT(t.id) = 0 ORDER BY o.id"
    ),
    "T11": _sql(
        "SELECT o.number FROM orders o JOIN customers c ON c.email = o.email WHERE o.customer_id IS NULL ORDER BY o.id"
    ),
    "T12": _brand_words,
    "T13": _contrary_reviews,
    "T14": _typed_phones,
    "T15": _thresholds,
    "T16": _sql(
        "SELECT number FROM orders WHERE placed_at LIKE '%T23:59:59Z' OR placed_at LIKE '%-01T00:00:00Z' ORDER BY id"
    ),
    "T17": _greys,
    "T18": _coupons,
    "T19": _sql(
        "SELECT a.name FROM products a JOIN products b ON b.name = a.name AND b.id <> a.id"
        " WHERE a.status = 'active' AND b.status = 'archived' ORDER BY a.id"
    ),
    "T20": lambda query: [],
    "T21": _long_lists,
}
