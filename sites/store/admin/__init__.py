"""ShopAdmin: the back office of Fernhill Supply, one blueprint per subject on the host `admin.shop.localhost`."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from flask import Flask

from ...kit.hosts import HostBlueprint

HOST = "admin.shop.localhost"

SUBJECTS = (
    "dashboard",
    "login",
    "search",
    "bell",
    "grid_routes",
    "orders_grid",
    "orders",
    "order_actions",
    "order_refund",
    "order_edit",
    "packing",
    "document_lists",
    "refund_pages",
    "return_pages",
    "documents",
    "customers",
    "customer_forms",
    "customer_merge",
    "reviews",
    "review_pages",
    "audit",
    "profile",
    "staff",
    "settings",
    "pictures",
    "products_list",
    "products",
    "product_forms",
    "product_images",
    "product_variants",
    "product_stock",
    "movements",
    "receive",
    "inventory",
    "brands",
    "categories",
    "options",
)
"""Modules of this package with a blueprint `bp`, in the order in which their routes are tried."""


def blueprint(name: str, import_name: str, **kwargs: Any) -> HostBlueprint:
    """A blueprint of the back office; its endpoints are called `admin.<name>.<function>`."""
    return HostBlueprint(name, import_name, host=HOST, **kwargs)


def register(app: Flask) -> None:
    """Bind every subject of the back office to its host."""
    admin = blueprint("admin", __name__, template_folder="templates")
    import_module(".frame", __name__).install(admin)
    for name in SUBJECTS:
        admin.register_blueprint(import_module(f".{name}", __name__).bp)
    app.register_blueprint(admin)
