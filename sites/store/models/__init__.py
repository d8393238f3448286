"""Every table of the store, as classes; `Base.metadata` holds them all."""

from __future__ import annotations

from .access import (
    AuditRow,
    Draft,
    LoginCode,
    Notification,
    NotificationRead,
    SavedView,
    Sequence,
    Setting,
    Staff,
    WebSession,
)
from .base import Base
from .cart import Cart, CartItem
from .catalogue import (
    Brand,
    Category,
    CustomerTag,
    File,
    OptionType,
    OptionValue,
    OrderTag,
    Product,
    ProductCategory,
    ProductImage,
    ProductOptionType,
    ProductSpec,
    ProductTag,
    Tag,
    Variant,
    VariantOption,
)
from .documents import (
    Invoice,
    InvoiceItem,
    Payment,
    Refund,
    RefundItem,
    Return,
    ReturnItem,
    Shipment,
    ShipmentItem,
    ShipmentTrack,
)
from .marketing import (
    Banner,
    Coupon,
    CouponUse,
    MenuItem,
    Page,
    Promotion,
    PromotionGroup,
    PromotionTarget,
    SearchTerm,
)
from .orders import Order, OrderAddress, OrderEvent, OrderItem
from .people import Address, Customer, CustomerGroup, NewsletterEntry, StoreCreditEntry, WishlistItem
from .plumbing import ImportJob, OutboxEmail, ShippingMethod, TaxRate
from .stock import Stock, StockAlert, StockMove
from .voice import ContactMessage, MessageReply, Review, ReviewVote

__all__ = [
    "Address", "AuditRow", "Banner", "Base", "Brand", "Cart", "CartItem", "Category", "ContactMessage", "Coupon",
    "CouponUse", "Customer", "CustomerGroup", "CustomerTag", "Draft", "File", "ImportJob", "Invoice", "InvoiceItem",
    "LoginCode", "MenuItem", "MessageReply", "NewsletterEntry", "Notification", "NotificationRead", "OptionType",
    "OptionValue", "Order", "OrderAddress", "OrderEvent", "OrderItem", "OrderTag", "OutboxEmail", "Page", "Payment",
    "Product", "ProductCategory", "ProductImage", "ProductOptionType", "ProductSpec", "ProductTag", "Promotion",
    "PromotionGroup", "PromotionTarget", "Refund", "RefundItem", "Return", "ReturnItem", "Review", "ReviewVote",
    "SavedView", "SearchTerm", "Sequence", "Setting", "Shipment", "ShipmentItem", "ShipmentTrack", "ShippingMethod",
    "Staff", "Stock", "StockAlert", "StockMove", "StoreCreditEntry", "Tag", "TaxRate", "Variant", "VariantOption",
    "WebSession", "WishlistItem",
]  # fmt: skip
