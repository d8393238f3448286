"""What templates may call: filters for values, the navigation, icons and addresses of static files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any
from urllib.parse import parse_qsl

from flask import Flask, current_app, g, request
from markupsafe import Markup

from ...kit import csrf
from ...kit.icons import icon
from ...kit.phones import written
from .. import labels
from ..messages import say
from ..regions import LABELS as ADDRESS_FIELDS
from ..regions import REGIONS, region_name
from ..services import permissions
from . import category_picker, fields, frame, present
from .assets import ALL_STYLES, asset_url
from .scripts import PLACE


@dataclass(frozen=True, kw_only=True)
class Sub:
    """A second-level entry of the navigation."""

    label: str
    href: str
    current: bool = False


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A first-level entry; `exact` where the page shown is this very entry, not one below it."""

    label: str
    href: str
    icon: str
    current: bool
    exact: bool
    subs: tuple[Sub, ...] = ()


NAVIGATION: tuple[tuple[str, str, str, tuple[tuple[str, str], ...]], ...] = (
    ("Dashboard", "/", "speedometer2", ()),
    (
        "Orders",
        "/orders",
        "receipt",
        (
            ("All orders", "/orders"),
            ("Pending", "/orders?f=status:in:pending"),
            ("On hold", "/orders?f=status:in:on_hold"),
            ("Fraud review", "/orders?f=status:in:fraud_review"),
            ("Invoices", "/invoices"),
            ("Shipments", "/shipments"),
            ("Refunds", "/refunds"),
            ("Returns", "/returns"),
        ),
    ),
    (
        "Catalogue",
        "/products",
        "box-seam",
        (
            ("Products", "/products"),
            ("Inventory", "/inventory"),
            ("Receive stock", "/inventory/receive"),
            ("Brands", "/brands"),
            ("Categories", "/categories"),
            ("Options", "/options"),
        ),
    ),
    ("Customers", "/customers", "people", (("All customers", "/customers"), ("New customer", "/customers/new"))),
    (
        "Reviews",
        "/reviews",
        "star",
        (
            ("All reviews", "/reviews"),
            ("Pending reviews", "/reviews?f=status:in:pending"),
            ("Rejected reviews", "/reviews?f=status:in:rejected"),
        ),
    ),
    ("Audit log", "/audit", "clock-history", ()),
    ("Staff", "/staff", "person-badge", (("All staff", "/staff"), ("Invite somebody", "/staff/new"))),
    (
        "Settings",
        "/settings",
        "gear",
        (
            ("Store", "/settings"),
            ("Orders and stock", "/settings/orders"),
            ("Shipping", "/settings/shipping"),
            ("Taxes", "/settings/taxes"),
        ),
    ),
)

NEEDED = {
    "/customers/new": "customers.create",
    "/inventory/receive": "stock.receive",
    "/staff": "staff.view",
    "/staff/new": "staff.invite",
    "/settings": "settings.view",
}
"""Entries that are there only for who may use them."""


BELOW = {
    "/orders": ("/invoices", "/shipments", "/refunds", "/returns"),
    "/products": ("/inventory", "/movements", "/brands", "/categories", "/options"),
}
"""Pages that belong to an entry although their addresses do not lie below its own."""


def nav() -> Markup:
    """The main navigation as markup."""
    return _nav(request.path, tuple(_asked()), g.actor.role if g.get("actor") else "")


@lru_cache(maxsize=512)
def _nav(path: str, asked: tuple[tuple[str, str], ...], role: str) -> Markup:
    """Drawn once for each page and role: nothing else decides what it shows."""
    template = current_app.jinja_env.get_template("admin/nav.html")
    return Markup(template.render(navigation=navigation()))


def topbar(q: str) -> Markup:
    """The bar at the top; `q` stands in its search field."""
    person, told = frame.staff(), frame.bell()
    assert person is not None
    token = csrf.token(g.world.secret, frame.session_key())
    return _topbar(person.name, person.role, frame.preferences()["theme"], token, told["unread"], told["last"], q)


@lru_cache(maxsize=512)
def _topbar(name: str, role: str, theme: str, token: str, unread: int, last: int, q: str) -> Markup:
    """Drawn once for all that it shows."""
    template = current_app.jinja_env.get_template("admin/topbar.html")
    shown = {"name": name, "role": role, "theme": theme, "unread": unread, "last": last, "q": q}
    return Markup(template.render(csrf_field=csrf.FIELD, csrf_token=token, **shown))


@lru_cache(maxsize=2048)
def choices(options: tuple[tuple[str, str], ...], chosen: frozenset[str]) -> Markup:
    """The options of a select, drawn once for each choice: some lists have a hundred regions."""
    template = Markup('<option value="{}"{}>{}</option>')
    return Markup().join(template.format(code, Markup(" selected" * (code in chosen)), text) for code, text in options)


def navigation() -> list[Entry]:
    """The main navigation, with what is current marked."""
    return [_entry(*item) for item in NAVIGATION if _offered(item[1])]


def _offered(href: str) -> bool:
    """Whether the person signed in gets an entry."""
    return href not in NEEDED or frame.may(NEEDED[href])


def _entry(label: str, href: str, icon_name: str, subs: tuple[tuple[str, str], ...]) -> Entry:
    path = request.path
    current = path == href or (href != "/" and path.startswith((f"{href}/", *BELOW.get(href, ()))))
    shown = [sub for sub in subs if _offered(sub[1])]
    entries = tuple(Sub(label=text, href=to, current=_is_here(to)) for text, to in shown)
    return Entry(label=label, href=href, icon=icon_name, current=current, exact=path == href, subs=entries)


def _is_here(href: str) -> bool:
    """Whether an address is the one shown; the order and writing of its query do not matter."""
    path, _, query = href.partition("?")
    return request.path == path and _asked() == sorted(parse_qsl(query))


def _asked() -> list[tuple[str, str]]:
    """What decides which ready filter an address is."""
    return sorted(p for p in request.args.items(multi=True) if p[0] in ("q", "f", "view") and p[1] != "all")


def why_not(use_case: str) -> str:
    """The tooltip of a control that the role may not use."""
    return say("FORBIDDEN", doing=permissions.PERMISSIONS[use_case].doing)


def stored_address(address: Any) -> dict[str, str]:
    """The fields of an address as its form shows them; the phone as people write it."""
    fields = {name: getattr(address, name) or "" for name in ("label", *ADDRESS_FIELDS) if hasattr(address, name)}
    return {**fields, "phone": written(address.phone) if address.phone else ""}


def conflict_value(field: str, value: str) -> str:
    """A value on the page of a conflict: a phone as people write it, nothing as "(empty)"."""
    if not value:
        return "(empty)"
    return present.phone(value) if field == "phone" and value.startswith("+") else value


@cache
def region_options(country: str, region: str) -> Markup:
    """The regions of all countries as options, one chosen; the page shows those of the country beside it."""
    return Markup("").join(
        Markup('<option value="{}" data-of="{}"{}>{}</option>').format(
            code, of, Markup(" selected") if (of, code) == (country, region) else "", name
        )
        for of, names in REGIONS.items()
        for code, name in names.items()
    )


def install(app: Flask) -> None:
    """Give templates their filters and functions."""
    app.jinja_env.filters.update(
        money=present.amount,
        number=present.number,
        short_money=present.short_money,
        day=present.day,
        clock=present.clock,
        moment=present.moment,
        ago=present.ago,
        count=present.count,
        initials=present.initials,
        lines=present.lines,
        phone=present.phone,
        label=labels.label,
        tone=labels.tone,
        frozen=frozenset,
    )
    tools: dict[str, Any] = {
        "icon": icon,
        "badge": present.badge,
        "stars": present.stars,
        "asset_url": asset_url,
        "nav": nav,
        "topbar": topbar,
        "choices": choices,
        "why_not": why_not,
        "written": written,
        "blank": frame.blank,
        "stored_address": stored_address,
        "region_name": region_name,
        "region_options": region_options,
        "conflict_value": conflict_value,
        "region_label": present.region_label,
        "role_label": labels.ROLE.__getitem__,
        "labels": labels,
        "ALL_STYLES": ALL_STYLES,
        "SCRIPTS": PLACE,
        "category_branches": category_picker.branches,
        "category_options": category_picker.options,
        "field_label": fields.label,
        "field_attributes": fields.attributes,
        "field_below": fields.below,
    }
    app.jinja_env.globals.update(tools)
    app.context_processor(frame.context)
