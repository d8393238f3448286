"""How many outcomes each template has in `base`, at least: those that can be done, and those that can't."""

KERNEL = {
    "store.admin/orders-by-status": (7, 0),
    "store.admin/cancel-order": (85, 85),
    "store.admin/add-tracking": (300, 300),
    "store.admin/message-customer": (100, 300),
    "store.admin/order-field": (300, 80),
    "store.admin/customer-by-phone": (500, 0),
}
"""Seven statuses; orders that can be canceled beside invoiced ones of the same days; and so on."""

A_TEMPLATES = {
    "store.admin/filter-orders": (80, 0),
    "store.admin/change-shipping-address": (200, 200),
    "store.admin/ship-order": (60, 0),
    "store.admin/ship-part": (60, 0),
    "store.admin/order-lines": (300, 0),
    "store.admin/sum-of-orders": (80, 0),
    "store.admin/units-ordered": (20, 0),
    "store.admin/orders-per-month": (40, 0),
    "store.admin/invoice-total": (1500, 0),
    "store.admin/hold-orders": (30, 0),
    "store.admin/accept-and-invoice": (30, 0),
    "store.admin/note-one-of-two": (100, 0),
    "store.admin/all-customers": (13, 0),
    "store.admin/top-customers": (20, 0),
    "store.admin/most-cancellations": (60, 0),
    "store.admin/default-address": (300, 0),
}
"""Templates about orders and customers."""

B_TEMPLATES = {
    "store.admin/reviews-received": (80, 0),
    "store.admin/reviews-by-status": (35, 0),
    "store.admin/reviews-mentioning": (80, 0),
    "store.admin/approve-pending": (200, 0),
    "store.admin/delete-reviews": (200, 200),
    "store.admin/review-critics": (100, 100),
    "store.admin/worst-review-author": (150, 0),
    "store.admin/review-opinions": (150, 0),
    "store.admin/reply-newest-review": (150, 0),
    "store.admin/disable-product": (250, 0),
    "store.admin/sell-out-product": (140, 0),
    "store.admin/receive-goods": (90, 0),
    "store.admin/change-prices": (250, 0),
    "store.admin/change-some-prices": (200, 0),
}
"""Templates about reviews and the catalogue."""

COUNTS = {**KERNEL, **A_TEMPLATES, **B_TEMPLATES}
TWINS = sorted(task_id for task_id, (_, can_not) in COUNTS.items() if can_not)
"""Templates with instances that can't be done."""
