"""Promotions, coupons, pages, menus, banners and what people search for."""

from __future__ import annotations

from sqlalchemy import UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from .base import VOLATILE, Base, column, derived, fk, holds, index, one_of, pk, position, table, version
from .choices import MENUS, PAGE_STATUSES, PROMOTION_ACTIONS, PROMOTION_SCOPES, PROMOTION_STATUSES


class Promotion(Base):
    """A rule that lowers prices. `amount`: basis points for percent, cents for the fixed ones, 0 for free shipping."""

    __tablename__ = "promotions"
    __table_args__ = table(
        one_of("status", PROMOTION_STATUSES),
        one_of("action", PROMOTION_ACTIONS),
        one_of("scope", PROMOTION_SCOPES),
        holds("percent", "action <> 'percent' OR amount BETWEEN 1 AND 10000"),
    )

    id: Mapped[int] = pk()
    name: Mapped[str]
    name_key: Mapped[str] = derived()
    description: Mapped[str] = mapped_column(default="")
    status: Mapped[str]
    starts_on: Mapped[str | None]
    ends_on: Mapped[str | None]
    priority: Mapped[int] = mapped_column(default=10)
    stop_further: Mapped[bool] = mapped_column(default=False)
    action: Mapped[str]
    amount: Mapped[int]
    min_subtotal: Mapped[int | None]
    uses_total: Mapped[int | None]
    uses_per_customer: Mapped[int | None]
    scope: Mapped[str] = mapped_column(default="all")
    v: Mapped[int] = version()


class PromotionGroup(Base):
    """A customer group that a promotion is for; none listed means all."""

    __tablename__ = "promotion_groups"
    __table_args__ = table()

    promotion_id: Mapped[int] = fk("promotions.id", primary_key=True)
    group_id: Mapped[int] = fk("customer_groups.id", primary_key=True)


class PromotionTarget(Base):
    """A category, brand or product (by the promotion's scope) that a promotion touches."""

    __tablename__ = "promotion_targets"
    __table_args__ = table()

    promotion_id: Mapped[int] = fk("promotions.id", primary_key=True)
    target_id: Mapped[int] = mapped_column(primary_key=True)


class Coupon(Base):
    """A code, upper case, that switches its promotion on."""

    __tablename__ = "coupons"
    __table_args__ = table(index("promotion_id"))

    id: Mapped[int] = pk()
    promotion_id: Mapped[int] = fk("promotions.id")
    code: Mapped[str] = mapped_column(unique=True)
    active: Mapped[bool] = mapped_column(default=True)
    used_count: Mapped[int] = derived(default=0)


class CouponUse(Base):
    """That an order was placed with a coupon."""

    __tablename__ = "coupon_uses"
    __table_args__ = table(UniqueConstraint("coupon_id", "order_id"), index("order_id"))

    id: Mapped[int] = pk()
    coupon_id: Mapped[int] = fk("coupons.id")
    order_id: Mapped[int] = fk("orders.id")
    customer_id: Mapped[int | None] = fk("customers.id")


class Page(Base):
    """A page of text."""

    __tablename__ = "pages"
    __table_args__ = table(one_of("status", PAGE_STATUSES))

    id: Mapped[int] = pk()
    slug: Mapped[str] = mapped_column(unique=True)
    title: Mapped[str]
    title_key: Mapped[str] = derived()
    heading: Mapped[str]
    body_html: Mapped[str]
    meta_desc: Mapped[str] = mapped_column(default="")
    status: Mapped[str]
    v: Mapped[int] = version()
    updated_at: Mapped[str | None] = column(cls=VOLATILE)


class MenuItem(Base):
    """A link in the header or footer."""

    __tablename__ = "menu_items"
    __table_args__ = table(one_of("menu", MENUS))

    id: Mapped[int] = pk()
    menu: Mapped[str]
    parent_id: Mapped[int | None] = fk("menu_items.id")
    label: Mapped[str]
    url: Mapped[str]
    position: Mapped[int] = position("menu", "parent_id")


class Banner(Base):
    """A banner of the front page, shown from `starts_on` to `ends_on` inclusive."""

    __tablename__ = "banners"
    __table_args__ = table()

    id: Mapped[int] = pk()
    title: Mapped[str]
    body: Mapped[str] = mapped_column(default="")
    link: Mapped[str]
    file_id: Mapped[int | None] = fk("files.id")
    active: Mapped[bool] = mapped_column(default=True)
    starts_on: Mapped[str | None]
    ends_on: Mapped[str | None]
    position: Mapped[int] = position()


class SearchTerm(Base):
    """Something that people searched for; `results` is the number of products it finds today."""

    __tablename__ = "search_terms"
    __table_args__ = table()

    id: Mapped[int] = pk()
    term: Mapped[str] = mapped_column(unique=True)
    term_key: Mapped[str] = derived()
    results: Mapped[int] = derived(default=0)
    hits: Mapped[int] = column(cls=VOLATILE, default=0)
    redirect_url: Mapped[str | None]
    synonym_of: Mapped[int | None] = fk("search_terms.id")
