"""Who may do what: roles by use case, and how a control looks to somebody who may not use it.

The look is a fixed map, because whether a person is not allowed something must be found out on the page: half of the
forbidden controls are hidden, a quarter are disabled with a tooltip, a quarter are there and answered with a 403.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Look = Literal["shown", "hidden", "disabled"]

OWNER = frozenset({"owner"})
MANAGERS = frozenset({"owner", "manager"})
CLERKS = frozenset({"owner", "manager", "clerk"})
EVERYBODY = frozenset({"owner", "manager", "clerk", "analyst"})
ROLES = ("owner", "manager", "clerk", "analyst")


class Permission(NamedTuple):
    """The roles that may run a use case, the look of its control to the others, and the words for a refusal."""

    roles: frozenset[str]
    look: Look
    doing: str
    """Completes "Your role may not …"."""


PERMISSIONS: dict[str, Permission] = {
    "orders.cancel": Permission(CLERKS, "shown", "cancel orders"),
    "orders.hold": Permission(CLERKS, "disabled", "put orders on hold"),
    "orders.unhold": Permission(CLERKS, "shown", "release orders from hold"),
    "orders.accept_fraud": Permission(CLERKS, "hidden", "decide fraud reviews"),
    "orders.reject_fraud": Permission(CLERKS, "hidden", "decide fraud reviews"),
    "orders.comment": Permission(CLERKS, "hidden", "comment on orders"),
    "orders.edit_address": Permission(CLERKS, "disabled", "edit order addresses"),
    "orders.assign": Permission(CLERKS, "hidden", "assign orders"),
    "orders.tag": Permission(CLERKS, "hidden", "tag orders"),
    "orders.edit_items": Permission(MANAGERS, "shown", "edit the items of orders"),
    "invoices.create": Permission(CLERKS, "hidden", "invoice orders"),
    "invoices.mark_paid": Permission(CLERKS, "disabled", "mark invoices paid"),
    "invoices.void": Permission(CLERKS, "hidden", "void invoices"),
    "shipments.create": Permission(CLERKS, "hidden", "ship orders"),
    "shipments.add_track": Permission(CLERKS, "shown", "add tracking numbers"),
    "shipments.mark_delivered": Permission(CLERKS, "hidden", "mark shipments delivered"),
    "shipments.mark_lost": Permission(CLERKS, "hidden", "mark shipments lost"),
    "refunds.create": Permission(CLERKS, "disabled", "refund orders"),
    "returns.approve": Permission(CLERKS, "hidden", "decide returns"),
    "returns.reject": Permission(CLERKS, "hidden", "decide returns"),
    "returns.receive": Permission(CLERKS, "hidden", "receive returns"),
    "refunds.decide": Permission(MANAGERS, "disabled", "decide refunds"),
    "notifications.read": Permission(EVERYBODY, "shown", "read notifications"),
    "notifications.read_all": Permission(EVERYBODY, "shown", "read notifications"),
    "customers.create": Permission(CLERKS, "hidden", "create customers"),
    "customers.edit": Permission(MANAGERS, "disabled", "edit customer names, e-mails and groups"),
    "customers.contact": Permission(CLERKS, "hidden", "edit customer phones and notes"),
    "customers.add_address": Permission(CLERKS, "hidden", "add customer addresses"),
    "customers.edit_address": Permission(CLERKS, "hidden", "edit customer addresses"),
    "customers.delete_address": Permission(CLERKS, "disabled", "delete customer addresses"),
    "customers.default_address": Permission(CLERKS, "hidden", "choose default addresses"),
    "customers.tag": Permission(CLERKS, "hidden", "tag customers"),
    "customers.group": Permission(MANAGERS, "shown", "move customers to another group"),
    "customers.block": Permission(MANAGERS, "shown", "block customers"),
    "customers.unblock": Permission(MANAGERS, "shown", "unblock customers"),
    "customers.merge": Permission(MANAGERS, "disabled", "merge customers"),
    "customers.erase": Permission(OWNER, "shown", "erase customers"),
    "lists.export": Permission(frozenset({"owner", "manager", "analyst"}), "disabled", "export lists"),
    "views.save": Permission(EVERYBODY, "shown", "save views"),
    "views.update": Permission(EVERYBODY, "shown", "change views"),
    "views.rename": Permission(EVERYBODY, "shown", "rename views"),
    "views.make_default": Permission(EVERYBODY, "shown", "choose default views"),
    "views.delete": Permission(EVERYBODY, "shown", "delete views"),
    "products.create": Permission(MANAGERS, "hidden", "create products"),
    "products.edit": Permission(MANAGERS, "disabled", "edit products other than their texts"),
    "products.text": Permission(CLERKS, "hidden", "edit the texts of products"),
    "products.save": Permission(CLERKS, "hidden", "edit products"),
    "products.set_status": Permission(MANAGERS, "shown", "put products into the shop or take them off"),
    "products.set_categories": Permission(MANAGERS, "disabled", "move products to other categories"),
    "products.tag": Permission(MANAGERS, "hidden", "tag products"),
    "products.duplicate": Permission(MANAGERS, "hidden", "duplicate products"),
    "products.delete": Permission(MANAGERS, "shown", "delete products"),
    "products.add_image": Permission(CLERKS, "hidden", "add pictures of products"),
    "products.edit_image": Permission(CLERKS, "shown", "describe pictures of products"),
    "products.order_images": Permission(CLERKS, "hidden", "arrange pictures of products"),
    "products.put_on_sale": Permission(MANAGERS, "hidden", "put products on sale"),
    "products.end_sale": Permission(MANAGERS, "hidden", "end sales of products"),
    "products.save_images": Permission(CLERKS, "shown", "describe pictures of products"),
    "products.remove_image": Permission(CLERKS, "disabled", "remove pictures of products"),
    "reviews.moderate": Permission(CLERKS, "hidden", "approve or reject reviews"),
    "reviews.reply": Permission(CLERKS, "disabled", "reply to reviews"),
    "reviews.delete": Permission(MANAGERS, "shown", "delete reviews"),
    "variants.edit": Permission(MANAGERS, "hidden", "edit variants"),
    "variants.change_prices": Permission(MANAGERS, "shown", "change prices"),
    "variants.generate": Permission(MANAGERS, "disabled", "create variants"),
    "variants.delete": Permission(MANAGERS, "hidden", "delete variants"),
    "stock.set_status": Permission(CLERKS, "hidden", "put variants in stock or out of stock"),
    "stock.receive": Permission(CLERKS, "disabled", "receive goods"),
    "stock.set_on_hand": Permission(CLERKS, "shown", "correct stock"),
    "stock.set_low_at": Permission(CLERKS, "hidden", "set low levels"),
    "stock.set_backorder": Permission(CLERKS, "hidden", "allow backorders"),
    "stock.save": Permission(CLERKS, "disabled", "edit stock"),
    "brands.create": Permission(MANAGERS, "hidden", "create brands"),
    "brands.edit": Permission(MANAGERS, "disabled", "edit brands"),
    "brands.delete": Permission(MANAGERS, "hidden", "delete brands"),
    "categories.create": Permission(MANAGERS, "disabled", "create categories"),
    "categories.edit": Permission(MANAGERS, "disabled", "edit categories"),
    "categories.delete": Permission(MANAGERS, "hidden", "delete categories"),
    "categories.move": Permission(MANAGERS, "hidden", "move categories"),
    "categories.order_products": Permission(MANAGERS, "hidden", "arrange the products of a category"),
    "categories.pin": Permission(MANAGERS, "shown", "pin products to the top"),
    "options.create_type": Permission(MANAGERS, "hidden", "create options"),
    "options.edit_type": Permission(MANAGERS, "disabled", "edit options"),
    "options.delete_type": Permission(MANAGERS, "hidden", "delete options"),
    "options.create_value": Permission(MANAGERS, "shown", "add option values"),
    "options.edit_value": Permission(MANAGERS, "disabled", "edit option values"),
    "options.delete_value": Permission(MANAGERS, "hidden", "delete option values"),
    "options.order_values": Permission(MANAGERS, "shown", "arrange option values"),
    "profile.edit": Permission(EVERYBODY, "shown", "edit the own profile"),
    "profile.password": Permission(EVERYBODY, "shown", "change the own password"),
    "profile.preferences": Permission(EVERYBODY, "shown", "change the own preferences"),
    "staff.view": Permission(MANAGERS, "hidden", "see the accounts of staff"),
    "staff.invite": Permission(OWNER, "shown", "invite staff"),
    "staff.edit": Permission(OWNER, "shown", "edit staff"),
    "staff.deactivate": Permission(OWNER, "shown", "deactivate staff"),
    "staff.activate": Permission(OWNER, "shown", "activate staff"),
    "settings.view": Permission(MANAGERS, "hidden", "see the settings"),
    "settings.edit": Permission(OWNER, "disabled", "change the settings"),
    "settings.save": Permission(OWNER, "disabled", "change the settings"),
}


def allowed(role: str | None, use_case: str) -> bool:
    """Whether staff of this role may run the use case. `KeyError` for a use case that the map does not know."""
    return role in PERMISSIONS[use_case].roles


def control(role: str | None, use_case: str) -> Look:
    """How the control of a use case looks to this role; "shown" to the forbidden means: there, and answered by 403."""
    return "shown" if allowed(role, use_case) else PERMISSIONS[use_case].look


def sees_phones(role: str | None) -> bool:
    """Whether this role sees customers' phone numbers in full (analysts see the last three digits)."""
    return role in CLERKS


def mask_phone(phone: str) -> str:
    """A phone number of which only the country's prefix and the last three digits can be read."""
    shown = {0, 1, *range(len(phone) - 3, len(phone))}
    return "".join(char if i in shown or not char.isdigit() else "•" for i, char in enumerate(phone))
