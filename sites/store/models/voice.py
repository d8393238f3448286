"""What customers say: reviews and messages, and the answers."""

from __future__ import annotations

from sqlalchemy import UniqueConstraint
from sqlalchemy.orm import Mapped

from .base import Base, derived, fk, generated, holds, index, one_of, pk, reads, table, version
from .catalogue import Product
from .choices import MESSAGE_STATUSES, MESSAGE_TOPICS, REVIEW_STATUSES
from .people import Customer


class Review(Base):
    """A review; `verified` says that its author has had a unit of the product shipped."""

    __tablename__ = "reviews"
    __table_args__ = table(
        UniqueConstraint("product_id", "customer_id"),
        one_of("status", REVIEW_STATUSES),
        holds("rating", "rating BETWEEN 1 AND 5"),
        index("created_at", "id"),
        index("customer_id"),
    )

    id: Mapped[int] = pk()
    product_id: Mapped[int] = fk("products.id")
    customer_id: Mapped[int | None] = fk("customers.id")
    nickname: Mapped[str]
    nickname_key: Mapped[str] = derived()
    title: Mapped[str]
    title_key: Mapped[str] = derived()
    body: Mapped[str]
    rating: Mapped[int]
    status: Mapped[str]
    verified: Mapped[bool] = derived(default=False)
    reply_body: Mapped[str | None]
    reply_by: Mapped[int | None] = fk("staff.id")
    reply_at: Mapped[str | None] = generated()
    search_key: Mapped[str] = derived()
    created_at: Mapped[str] = generated()
    v: Mapped[int] = version()

    product: Mapped[Product] = reads("Product")
    customer: Mapped[Customer | None] = reads("Customer")


class ReviewVote(Base):
    """That a customer found a review helpful."""

    __tablename__ = "review_votes"
    __table_args__ = table(UniqueConstraint("review_id", "customer_id"))

    id: Mapped[int] = pk()
    review_id: Mapped[int] = fk("reviews.id")
    customer_id: Mapped[int] = fk("customers.id")


class ContactMessage(Base):
    """A message from the contact form; `draft` ones are still their author's own."""

    __tablename__ = "contact_messages"
    __table_args__ = table(one_of("topic", MESSAGE_TOPICS), one_of("status", MESSAGE_STATUSES), index("created_at"))

    id: Mapped[int] = pk()
    customer_id: Mapped[int | None] = fk("customers.id")
    name: Mapped[str]
    name_key: Mapped[str] = derived()
    email: Mapped[str]
    phone: Mapped[str | None]
    order_number: Mapped[str | None]
    topic: Mapped[str]
    body: Mapped[str]
    status: Mapped[str]
    assigned_to: Mapped[int | None] = fk("staff.id")
    created_at: Mapped[str] = generated()
    v: Mapped[int] = version()


class MessageReply(Base):
    """An answer of the shop to a message."""

    __tablename__ = "message_replies"
    __table_args__ = table(index("message_id"))

    id: Mapped[int] = pk()
    message_id: Mapped[int] = fk("contact_messages.id")
    staff_id: Mapped[int] = fk("staff.id")
    body: Mapped[str]
    created_at: Mapped[str] = generated()
