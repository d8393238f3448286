"""The two changes of an account that cannot be undone: merging it into another (R21) and erasing it (R22)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import exists, func, select
from sqlalchemy.orm import Session, aliased

from ..keys import fill_keys, order_search_key
from ..messages import refused
from ..models import (
    Address,
    Customer,
    NewsletterEntry,
    Order,
    OrderAddress,
    OrderItem,
    Review,
    StoreCreditEntry,
    Variant,
    WishlistItem,
)
from .base import Actor, Write, begin, find
from .customers import full_name, refuse_final

if TYPE_CHECKING:
    from ...kit.world import WorldContext

Result = dict[str, Any]

OPEN = ("pending", "processing", "on_hold", "fraud_review")
"""Order states in which something is still to be done."""

ERASED = "Erased"


def merge(world: WorldContext, actor: Actor, *, id: int, into: int, v: int | None = None) -> Result:
    """Give everything that account `id` has to account `into`, whose own fields stay as they are (R21).

    Orders, addresses, wishes and credit move, and reviews of products that `into` has not reviewed. `v` is the version
    of the account that goes. Raises `Refused` MERGE_SELF, MERGE_TARGET, CUSTOMER_FINAL.
    """
    with begin(world, actor, "customers.merge", Customer, id=id) as w:
        gone, stays = w.subject, find(w.db, Customer, id=into)
        w.check(gone, v)
        refuse_merge(gone, stays)
        moved = _move(w, gone, stays)
        w.set(
            gone,
            status="merged",
            merged_into=stays.id,
            default_shipping_id=None,
            default_billing_id=None,
        )
        w.bump(stays)
        w.note(stays, [{"field": "merged from", "old": None, "new": f"{full_name(gone)} (customer {gone.id})"}])
        w.db.flush()
        _verify(w, (gone.id, stays.id))
        return {"id": id, "into": into, **moved}


def refuse_merge(gone: Customer, stays: Customer) -> None:
    """Raise `Refused` where these two accounts cannot become one."""
    if gone.id == stays.id:
        raise refused("MERGE_SELF")
    refuse_final(gone)
    if stays.status not in ("active", "blocked"):
        raise refused("MERGE_TARGET")


def movable(db: Session, gone: Customer, stays: Customer) -> dict[str, list[Any]]:
    """The rows that a merge moves, by kind, oldest first; also what its preview counts."""
    other = aliased(Review)
    clash = exists().where(other.customer_id == stays.id, other.product_id == Review.product_id)
    wish = aliased(WishlistItem)
    same = exists().where(
        wish.customer_id == stays.id,
        wish.product_id == WishlistItem.product_id,
        func.coalesce(wish.variant_id, 0) == func.coalesce(WishlistItem.variant_id, 0),
    )
    found: dict[str, list[Any]] = {}
    for name, model, kept in (
        ("orders", Order, None),
        ("addresses", Address, None),
        ("reviews", Review, clash),
        ("wishes", WishlistItem, same),
        ("credit", StoreCreditEntry, None),
    ):
        wanted = select(model).where(model.customer_id == gone.id)
        if kept is not None:
            wanted = wanted.where(~kept)
        found[name] = list(db.scalars(wanted.order_by(model.id)))
    return found


def _move(w: Write[Customer], gone: Customer, stays: Customer) -> dict[str, int]:
    rows = movable(w.db, gone, stays)
    for name, each in ((name, each) for name, many in rows.items() for each in many):
        w.set(each, tell=name in ("orders", "addresses"), customer_id=stays.id)
    return {name: len(many) for name, many in rows.items()}


def _verify(w: Write[Customer], owners: tuple[int, int]) -> None:
    """Tell again of every review of the two whether its author has had the product shipped (R12)."""
    shipped = (
        select(Order.customer_id, Variant.product_id)
        .join(OrderItem, OrderItem.order_id == Order.id)
        .join(Variant, Variant.id == OrderItem.variant_id)
        .where(Order.customer_id.in_(owners), OrderItem.qty_shipped > 0)
    )
    had = {(owner, product) for owner, product in w.db.execute(shipped)}
    for review in w.db.scalars(select(Review).where(Review.customer_id.in_(owners)).order_by(Review.id)):
        w.set(review, tell=False, verified=(review.customer_id, review.product_id) in had)


def erase(world: WorldContext, actor: Actor, *, id: int, confirm: str, v: int | None = None) -> Result:
    """Remove what tells who a customer is; orders keep their money and places, but no names (R22).

    `confirm` is the account's e-mail address, typed. Raises `Refused` ERASE_CONFIRM, ERASE_OPEN_ORDERS, CUSTOMER_FINAL.
    """
    with begin(world, actor, "customers.erase", Customer, id=id) as w:
        customer = w.subject
        w.check(customer, v)
        refuse_erase(w.db, customer)
        if confirm.strip().lower() != customer.email:
            raise refused("ERASE_CONFIRM", "confirm")
        email = f"erased-{id}@invalid.test"
        for order in w.db.scalars(select(Order).where(Order.customer_id == id).order_by(Order.id)):
            _forget_order(w, order, email)
        for row in _personal(w.db, customer):
            w.db.delete(row)
        _forget_account(w, customer, email)
        return {"id": id, "v": customer.v}


def refuse_erase(db: Session, customer: Customer) -> None:
    """Raise `Refused` while an order of the customer is not finished."""
    refuse_final(customer)
    wanted = select(func.count(Order.id)).where(Order.customer_id == customer.id, Order.status.in_(OPEN))
    if count := db.scalar(wanted):
        raise refused("ERASE_OPEN_ORDERS", name=full_name(customer), count=count)


def _personal(db: Session, customer: Customer) -> list[Any]:
    """Rows that are nothing but personal data: the address book, and the newsletter entry."""
    book = db.scalars(select(Address).where(Address.customer_id == customer.id).order_by(Address.id))
    letters = db.scalars(select(NewsletterEntry).where(NewsletterEntry.customer_id == customer.id))
    return [*book, *letters]


def _forget_account(w: Write[Customer], customer: Customer, email: str) -> None:
    """The account without a person; the audit says that it was erased, not what it held."""
    w.set(
        customer,
        tell=False,
        first_name=ERASED,
        last_name="",
        email=email,
        phone=None,
        note="",
        status="erased",
        default_shipping_id=None,
        default_billing_id=None,
    )
    fill_keys(customer)
    w.note(customer, [{"field": "status", "old": None, "new": "erased"}])


def _forget_order(w: Write[Customer], order: Order, email: str) -> None:
    """An order without names: money, goods and places stay for the books."""
    w.set(order, tell=False, customer_name=ERASED, email=email)
    fill_keys(order)
    skus = w.db.scalars(select(OrderItem.sku).where(OrderItem.order_id == order.id).order_by(OrderItem.id))
    order.search_key = order_search_key(order.number, order.customer_name, order.email, skus)
    for address in w.db.scalars(select(OrderAddress).where(OrderAddress.order_id == order.id)):
        w.set(address, tell=False, full_name=ERASED, company=None, phone=None, line1=ERASED, line2=None)
        fill_keys(address)
