"""The closed lists of words that columns may hold; every CHECK constraint and every select box is made from these."""

from __future__ import annotations

Choices = tuple[str, ...]

STAFF_ROLES: Choices = ("owner", "manager", "clerk", "analyst")
ACTOR_KINDS: Choices = ("staff", "customer", "system")

PRODUCT_KINDS: Choices = ("simple", "configurable")
PRODUCT_STATUSES: Choices = ("draft", "active", "disabled", "archived")
TAX_CLASSES: Choices = ("standard", "reduced", "exempt")
OPTION_WIDGETS: Choices = ("swatch", "buttons", "select")

STOCK_STATUSES: Choices = ("in_stock", "out_of_stock")
STOCK_MOVE_KINDS: Choices = ("receipt", "correction", "reserve", "release", "ship", "restock", "import")

CUSTOMER_GROUPS: Choices = ("general", "wholesale", "vip")
CUSTOMER_STATUSES: Choices = ("active", "blocked", "merged", "erased")
NEWSLETTER_STATUSES: Choices = ("pending", "subscribed", "unsubscribed")
COUNTRIES: Choices = ("US", "CA", "GB", "DE")

CART_STATUSES: Choices = ("open", "ordered", "merged")

ORDER_STATUSES: Choices = ("pending", "processing", "complete", "on_hold", "fraud_review", "canceled", "closed")
ORDER_CHANNELS: Choices = ("web", "phone", "exchange")
PAY_METHODS: Choices = ("card", "wallet", "bank_transfer", "cod", "store_credit")
CANCEL_REASONS: Choices = ("customer_request", "out_of_stock", "unpaid", "fraud", "duplicate", "other")
HOLD_REASONS: Choices = ("payment_check", "address_check", "stock_check", "customer_request", "other")
ADDRESS_KINDS: Choices = ("billing", "shipping")
EVENT_KINDS: Choices = ("comment", "status", "system")

INVOICE_STATUSES: Choices = ("open", "paid", "void")
PAYMENT_METHODS: Choices = (*PAY_METHODS, "offline")
PAYMENT_KINDS: Choices = ("capture", "refund")
SHIPMENT_STATUSES: Choices = ("shipped", "delivered", "lost")
CARRIERS: Choices = ("fedex", "ups", "usps", "dhl", "other")
REFUND_STATUSES: Choices = ("pending_approval", "issued", "rejected")
REFUND_METHODS: Choices = ("original", "store_credit", "offline")
RETURN_STATUSES: Choices = ("requested", "approved", "rejected", "received", "closed", "canceled")
RETURN_REASONS: Choices = ("damaged", "wrong_item", "wrong_size", "not_as_described", "changed_mind")
RETURN_RESOLUTIONS: Choices = ("refund", "store_credit", "exchange")
CONDITIONS: Choices = ("unopened", "opened", "damaged")

REVIEW_STATUSES: Choices = ("pending", "approved", "rejected")
MESSAGE_TOPICS: Choices = ("order", "return", "product", "coupon", "other")
MESSAGE_STATUSES: Choices = ("draft", "new", "open", "answered", "closed")

PROMOTION_STATUSES: Choices = ("draft", "active", "inactive")
PROMOTION_ACTIONS: Choices = ("percent", "fixed_item", "fixed_cart", "free_shipping")
PROMOTION_SCOPES: Choices = ("all", "categories", "brands", "products")
PAGE_STATUSES: Choices = ("draft", "published")
MENUS: Choices = ("header", "footer")

IMPORT_KINDS: Choices = ("prices", "stock", "products")
IMPORT_STATUSES: Choices = ("checked", "applied", "cancelled")
