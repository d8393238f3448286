"""The list of customers, and the pages of one customer: profile, addresses, orders, reviews, credit, activity."""

from __future__ import annotations

from typing import Any

from flask import abort, g, url_for
from sqlalchemy import ColumnElement, Select, case, exists, func, select
from sqlalchemy.orm import Session, aliased
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form
from ...kit.grid import Column, Shape
from ...kit.listing import Page, Source
from ...kit.phones import digits_of, written
from ...kit.text import key
from .. import finding, labels
from ..models import Address, Customer, CustomerGroup, CustomerTag, Order, Tag
from ..services import customers as service
from ..services.permissions import sees_phones
from . import blueprint, customer_facts, frame, grids

bp = blueprint("customers", __name__, url_prefix="/customers")

Home = aliased(Address)
Group = aliased(CustomerGroup)


def joins(statement: Select[Any]) -> Select[Any]:
    """A customer, the group, and the default shipping address."""
    return (
        statement.select_from(Customer)
        .join(Group, Group.id == Customer.group_id)
        .outerjoin(Home, Home.id == Customer.default_shipping_id)
    )


NAME = Customer.first_name + " " + Customer.last_name
SOURCE = Source(
    id=Customer.id,
    joins=joins,
    search=finding.customers,
    needs={"name": NAME, "email": Customer.email, "status": Customer.status, "v": Customer.v},
    whole=True,
)

OWN_ORDERS = Order.customer_id == Customer.id
ORDERS = select(func.count(Order.id)).where(OWN_ORDERS).correlate(Customer).scalar_subquery()
# no condition on the status: SQLite would go through all complete orders for each customer
COMPLETE = case((Order.status == "complete", Order.total - Order.refunded), else_=0)
SPEND = select(func.coalesce(func.sum(COMPLETE), 0)).where(OWN_ORDERS).correlate(Customer).scalar_subquery()
LAST_ORDER = select(func.max(Order.placed_at)).where(OWN_ORDERS).correlate(Customer).scalar_subquery()


def tag_options(db: Session) -> grids.Options:
    """All tags by name."""
    names = select(Tag.id, Tag.name).order_by(Tag.name_key, Tag.id)
    return grids.once(db, "tags", lambda: tuple((str(id), name) for id, name in db.execute(names)))


def shape(db: Session) -> Shape:
    """The columns of the list; who may not see phone numbers cannot filter by them either."""
    groups = tuple((code, labels.GROUP[code]) for code in labels.GROUP)
    return Shape(
        path="/customers",
        nouns=("customer", "customers"),
        sort=("name",),
        columns=(
            Column(
                name="name", label="Name", show=NAME, sort=Customer.last_name_key, match=Customer.name_key, typed=key
            ),
            Column(name="email", label="E-mail", show=Customer.email, typed=str.lower),
            Column(
                name="phone",
                label="Phone",
                show=Customer.phone,
                typed=digits_of,
                sortable=sees_phones(g.actor.role),
                filterable=sees_phones(g.actor.role),
            ),
            Column(name="group", label="Group", kind="enum", show=Group.code, options=groups),
            Column(
                name="status",
                label="Status",
                kind="enum",
                show=Customer.status,
                options=tuple(labels.CUSTOMER_STATUS.items()),
            ),
            Column(name="city", label="City", show=Home.city, sort=Home.city_key, match=Home.city_key, typed=key),
            Column(name="orders_count", label="Orders", kind="number", show=ORDERS),
            Column(name="spend", label="Spend", kind="money", show=SPEND),
            Column(name="last_order", label="Last order", kind="time", show=LAST_ORDER),
            Column(name="created_at", label="Since", kind="time", show=Customer.created_at, default=False),
            Column(
                name="tags",
                label="Tags",
                kind="enum",
                show=None,
                options=tag_options(db),
                where=tagged,
                sortable=False,
                default=False,
            ),
        ),
    )


def tagged(codes: tuple[str, ...]) -> ColumnElement[bool]:
    """Customers with any of these tags."""
    ids = [int(code) for code in codes]
    return exists().where(CustomerTag.customer_id == Customer.id, CustomerTag.tag_id.in_(ids))


def tags_of(db: Session, page: Page) -> grids.Loaded:
    """The tags of the customers on a page."""
    found: dict[int, list[str]] = {}
    if "tags" not in page.query.columns:
        return {}
    wanted = (
        select(CustomerTag.customer_id, Tag.name)
        .join(Tag, Tag.id == CustomerTag.tag_id)
        .where(CustomerTag.customer_id.in_([row.id for row in page.rows]))
        .order_by(CustomerTag.customer_id, Tag.name_key, Tag.id)
    )
    for customer_id, name in db.execute(wanted):
        found.setdefault(customer_id, []).append(name)
    return {"tags": found}


def tag_names(db: Session) -> grids.Options:
    """All tags, named by themselves."""
    return tuple((name, name) for _, name in tag_options(db))


def changeable(row: Any) -> bool:
    """Whether an account is not merged or erased."""
    return row.status not in service.FINAL


GROUPS = tuple(labels.GROUP.items())

ACTIONS = (
    grids.Action(
        name="group",
        label="Change group",
        use_case="customers.edit",
        permission="customers.group",
        title="Move {rows} to another group?",
        submit="Change group",
        done="moved",
        icon="people",
        fields=(grids.Field(name="group", label="Group", options=GROUPS),),
        when=changeable,
    ),
    grids.Action(
        name="tag",
        label="Add tags",
        use_case="customers.tag",
        title="Add tags to {rows}?",
        submit="Add tags",
        done="tagged",
        icon="tag",
        fields=(grids.Field(name="tags", label="Tags", kind="choices", options=tag_names),),
        into=lambda values: {"add": values["tags"]},
        when=changeable,
    ),
    grids.Action(
        name="untag",
        label="Remove tags",
        use_case="customers.tag",
        title="Remove tags from {rows}?",
        submit="Remove tags",
        done="untagged",
        icon="tags",
        fields=(grids.Field(name="tags", label="Tags", kind="choices", options=tag_names),),
        into=lambda values: {"remove": values["tags"]},
        when=changeable,
    ),
    grids.Action(
        name="block",
        label="Block",
        use_case="customers.block",
        title="Block {rows}?",
        submit="Block customers",
        done="blocked",
        text="Blocked customers cannot sign in or buy; their orders stay as they are.",
        tone="danger",
        icon="slash-circle",
        when=lambda row: row.status == "active",
    ),
    grids.Action(
        name="unblock",
        label="Unblock",
        use_case="customers.unblock",
        title="Unblock {rows}?",
        submit="Unblock customers",
        done="unblocked",
        icon="check-circle",
        when=lambda row: row.status == "blocked",
    ),
)

CUSTOMERS = grids.declare(
    grids.Grid(
        name="customers",
        title="Customers",
        shape=shape,
        source=SOURCE,
        search="Name, e-mail or phone",
        called=lambda row: str(row.name),
        href="/customers/{id}",
        cells={
            "name": grids.link("/customers/{id}"),
            "phone": grids.PHONE,
            "status": grids.BADGE,
            "last_order": grids.DAY,
            "created_at": grids.DAY,
            "tags": grids.TAGS,
        },
        load=tags_of,
        actions=ACTIONS,
        edits={"group": grids.Edit(use_case="customers.edit", permission="customers.group")},
        items=(
            grids.Item(label="Open", href="/customers/{id}"),
            grids.Item(label="Orders", href="/customers/{id}/orders"),
        ),
        buttons=(grids.Button(label="New customer", href="/customers/new", use_case="customers.create"),),
        copy=("e-mail addresses", "email"),
        template="admin/customers/index.html",
    )
)


@bp.get("")
def index() -> Answer:
    """Customers by last name."""
    return grids.show(CUSTOMERS)


@bp.get("/<int:id>")
def show(id: int) -> Answer:
    """The profile."""
    return profile_page(id)


def profile_page(id: int, form: Form | None = None, status: int = 200, dialog: str = "") -> Answer:
    """The profile with its form: as stored, or as somebody sent it wrongly. `dialog` names one that stays open."""
    customer = load(id)
    stored = service.profile(frame.db(), customer)
    stored["phone"] = written(customer.phone) if customer.phone else ""
    erase_form, form = (form, None) if dialog else (None, form)
    if form is not None:
        form.initial = stored
    return page(
        customer,
        "profile",
        status=status,
        form=form or frame.blank(stored),
        erase_form=erase_form or frame.blank(),
        dialog=dialog,
        defaults=customer_facts.defaults(frame.db(), customer),
        groups=list(labels.GROUP.items()),
    )


@bp.get("/<int:id>/addresses")
def addresses(id: int) -> Answer:
    """The address book."""
    return addresses_page(id)


def addresses_page(id: int, form: Form | None = None, status: int = 200, editing: str = "") -> Answer:
    """The address book; `editing` names the dialog that comes back open with what was typed: `add` or an entry's id."""
    customer = load(id)
    book = frame.db().scalars(select(Address).where(Address.customer_id == id).order_by(Address.id)).all()
    return page(customer, "addresses", status=status, book=book, form=form or frame.blank(), editing=editing)


@bp.get("/<int:id>/<any(orders, reviews, credit, activity):tab>")
def records(id: int, tab: str) -> Answer:
    """What the customer did: orders, reviews, store credit, and what was done to the account."""
    customer = load(id)
    reader = {
        "orders": customer_facts.orders,
        "reviews": customer_facts.reviews,
        "credit": customer_facts.credit,
        "activity": customer_facts.activity,
    }[tab]
    return page(customer, tab, rows=reader(frame.db(), customer))


def load(id: int) -> Customer:
    """A customer, or 404."""
    customer = frame.db().get(Customer, id)
    if customer is None:
        abort(404)
    return customer


def page(customer: Customer, tab: str, *, status: int = 200, **context: Any) -> Answer:
    """One tab of a customer's pages inside their common head."""
    db = frame.db()
    tallies = customer_facts.tallies(db, customer)
    base = url_for("admin.customers.show", id=customer.id)
    names = ("profile", "addresses", "orders", "reviews", "credit", "activity")
    tabs = [
        {
            "label": name.capitalize(),
            "href": base if name == "profile" else f"{base}/{name}",
            "current": name == tab,
            "tally": tallies.get(name),
            "dot": False,
        }
        for name in names
    ]
    target = db.get(Customer, customer.merged_into) if customer.merged_into else None
    return frame.page(
        f"admin/customers/{tab}.html",
        status=status,
        customer=customer,
        group=db.get_one(CustomerGroup, customer.group_id).code,
        name=service.full_name(customer),
        final=customer.status in service.FINAL,
        merged_into=target,
        tabs=tabs,
        facts=customer_facts.summary(db, customer),
        **context,
    )
