"""What the shop's codes are called on screen, and the tone of the badge that shows them."""

from __future__ import annotations

ORDER_STATUS = {
    "pending": "Pending",
    "processing": "Processing",
    "on_hold": "On hold",
    "fraud_review": "Fraud review",
    "complete": "Complete",
    "canceled": "Canceled",
    "closed": "Closed",
}
CHANNEL = {"web": "Web", "phone": "Phone", "exchange": "Exchange"}
PAY_METHOD = {
    "card": "Card",
    "wallet": "Wallet",
    "bank_transfer": "Bank transfer",
    "cod": "Cash on delivery",
    "store_credit": "Store credit",
}
REFUND_METHOD = {"original": "Original payment method", "store_credit": "Store credit", "offline": "Offline"}
REFUND_STATUS = {"pending_approval": "Waiting for approval", "issued": "Issued", "rejected": "Rejected"}
RETURN_STATUS = {
    "requested": "Requested",
    "approved": "Approved",
    "rejected": "Rejected",
    "received": "Received",
    "closed": "Closed",
    "canceled": "Canceled",
}
RETURN_REASON = {
    "damaged": "Damaged",
    "wrong_item": "Wrong item",
    "wrong_size": "Wrong size",
    "not_as_described": "Not as described",
    "changed_mind": "Changed mind",
}
RETURN_RESOLUTION = {"refund": "Refund", "store_credit": "Store credit", "exchange": "Exchange"}
CONDITION = {"unopened": "Unopened", "opened": "Opened", "damaged": "Damaged"}
CANCEL_REASON = {
    "customer_request": "Customer request",
    "out_of_stock": "Out of stock",
    "unpaid": "Unpaid",
    "fraud": "Fraud",
    "duplicate": "Duplicate",
    "other": "Other",
}
HOLD_REASON = {
    "payment_check": "Payment check",
    "address_check": "Address check",
    "stock_check": "Stock check",
    "customer_request": "Customer request",
    "other": "Other",
}
CARRIER = {"fedex": "FedEx", "ups": "UPS", "usps": "USPS", "dhl": "DHL", "other": "Other"}
INVOICE_STATUS = {"open": "Open", "paid": "Paid", "void": "Void"}
SHIPMENT_STATUS = {"shipped": "Shipped", "delivered": "Delivered", "lost": "Lost"}
CUSTOMER_STATUS = {"active": "Active", "blocked": "Blocked", "merged": "Merged", "erased": "Erased"}
GROUP = {"general": "General", "wholesale": "Wholesale", "vip": "VIP"}
REVIEW_STATUS = {"pending": "Pending", "approved": "Approved", "rejected": "Rejected"}
PRODUCT_STATUS = {"draft": "Draft", "active": "Active", "disabled": "Disabled", "archived": "Archived"}
PRODUCT_KIND = {"simple": "Simple", "configurable": "Configurable"}
TAX_CLASS = {"standard": "Standard", "reduced": "Reduced", "exempt": "Exempt"}
STOCK_STATUS = {"in_stock": "In stock", "out_of_stock": "Out of stock"}
STOCK_MOVE = {
    "receipt": "Receipt",
    "correction": "Correction",
    "reserve": "Reserved",
    "release": "Released",
    "ship": "Shipped",
    "restock": "Restocked",
    "import": "Import",
}
STAFF_STATUS = {"active": "Active", "inactive": "Inactive"}
ROLE = {"owner": "Owner", "manager": "Manager", "clerk": "Clerk", "analyst": "Analyst"}
COUNTRY = {"US": "United States", "CA": "Canada", "GB": "United Kingdom", "DE": "Germany"}
SHIPPING = {"standard": "Standard", "express": "Express", "pickup": "Store pickup"}

TONE = {
    "pending": "amber",
    "processing": "blue",
    "on_hold": "violet",
    "fraud_review": "red",
    "complete": "green",
    "canceled": "grey",
    "closed": "slate",
    "open": "amber",
    "paid": "green",
    "void": "grey",
    "shipped": "blue",
    "delivered": "green",
    "lost": "red",
    "out_of_stock": "red",
    "active": "green",
    "blocked": "red",
    "merged": "grey",
    "erased": "grey",
    "approved": "green",
    "rejected": "grey",
    "requested": "amber",
    "received": "blue",
    "pending_approval": "amber",
    "issued": "green",
    "in_stock": "green",
    "draft": "slate",
    "disabled": "red",
    "archived": "grey",
}
"""Badge colour by code; the text always says it too."""

EVERY = {
    **ORDER_STATUS,
    **INVOICE_STATUS,
    **SHIPMENT_STATUS,
    **CUSTOMER_STATUS,
    **REVIEW_STATUS,
    **STOCK_STATUS,
    **PRODUCT_STATUS,
    **STAFF_STATUS,
    "requested": "Requested",
    "received": "Received",
    "pending_approval": "Waiting for approval",
    "issued": "Issued",
}
"""Label by status code, over all entities."""


def label(code: str) -> str:
    """The label of a status code; a code nobody named reads as words."""
    return EVERY.get(code, code.replace("_", " ").capitalize())


def tone(code: str) -> str:
    """The badge colour of a status code."""
    return TONE.get(code, "grey")
