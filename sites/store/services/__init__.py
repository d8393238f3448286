"""The use cases of the store: one function each, called alike by pages, by the harness and by tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from . import (
    accounts,
    address_book,
    addresses,
    brands,
    categories,
    comments,
    customers,
    images,
    invoices,
    notifications,
    options,
    orders,
    product_life,
    product_sales,
    products,
    profile,
    refunds,
    returns,
    reviews,
    settings,
    shipments,
    staff,
    stock,
    tracking,
    variants,
    views,
)
from .base import Actor, actor_for
from .permissions import PERMISSIONS, allowed, control

USE_CASES: Mapping[str, Callable[..., Any]] = {
    "orders.cancel": orders.cancel,
    "orders.hold": orders.hold,
    "orders.unhold": orders.unhold,
    "orders.accept_fraud": orders.accept_fraud,
    "orders.reject_fraud": orders.reject_fraud,
    "orders.comment": comments.comment,
    "orders.edit_address": addresses.edit_address,
    "orders.assign": orders.assign,
    "orders.tag": orders.tag,
    "invoices.create": invoices.create,
    "invoices.mark_paid": invoices.mark_paid,
    "invoices.void": invoices.void,
    "shipments.create": shipments.create,
    "shipments.add_track": tracking.add_track,
    "shipments.mark_delivered": shipments.mark_delivered,
    "shipments.mark_lost": shipments.mark_lost,
    "refunds.create": refunds.create,
    "refunds.decide": refunds.decide,
    "customers.create": customers.create,
    "customers.edit": customers.edit,
    "customers.block": customers.block,
    "customers.unblock": customers.unblock,
    "customers.tag": customers.tag,
    "customers.add_address": address_book.add_address,
    "customers.edit_address": address_book.edit_address,
    "customers.delete_address": address_book.delete_address,
    "customers.default_address": address_book.default_address,
    "customers.merge": accounts.merge,
    "customers.erase": accounts.erase,
    **products.USE_CASES,
    **product_life.USE_CASES,
    **product_sales.USE_CASES,
    **images.USE_CASES,
    **returns.USE_CASES,
    **views.USE_CASES,
    **notifications.USE_CASES,
    **reviews.USE_CASES,
    **profile.USE_CASES,
    **staff.USE_CASES,
    **settings.USE_CASES,
    **stock.USE_CASES,
    **variants.USE_CASES,
    **brands.USE_CASES,
    **categories.USE_CASES,
    **options.USE_CASES,
}
"""Every use case by name; `fn(world, actor, **fields)`, with an entry in the permission map."""

__all__ = ["PERMISSIONS", "USE_CASES", "Actor", "actor_for", "allowed", "control"]
