"""Every message of the store (rule R26): errors by code, and what a toast says after a change."""

from __future__ import annotations

from ..kit.messages import Catalogue

ERRORS = {
    # fields
    "REQUIRED": "{label} is required.",
    "TOO_LONG": "{label} may have at most {most} characters.",
    "NOT_A_CHOICE": "Choose {label} from the list.",
    "NOT_A_NUMBER": "{label} must be a whole number.",
    "NOT_MONEY": "{label} must be an amount such as 1,250.00.",
    "NOT_A_DATE": "{label} must be a date such as 2026-03-18.",
    "OUT_OF_RANGE": "{label} must be between {least} and {most}.",
    "DATE_ORDER": "The first date must not be after the last one.",
    "RANGE_ORDER": "The smallest value must not be above the largest.",
    "EMAIL_FORMAT": "Enter an e-mail address such as name@example.com.",
    "PHONE_FORMAT": "Enter a phone number with its country code, such as +1 614 555 0134.",
    "POSTCODE_FORMAT": "This is not a valid postcode ({country}).",
    "REGION_OF_COUNTRY": "This region does not belong to the country ({country}).",
    # orders
    "ORDER_INVOICED": "Order cannot be canceled because it has been invoiced.",
    "ORDER_STATE": "Order cannot be {doing} because it is {status}.",
    "ORDER_SHIPPED": "The address is locked after shipment.",
    "NOT_PAID": "Mark the invoice paid before shipping.",
    "QTY_TOO_HIGH": "Only {left} left to {doing}.",
    "TRACKING_FORMAT": "{carrier} numbers have {format}.",
    "REASON_REQUIRED": "Choose a reason.",
    "OVER_LIMIT": "This refund is over your limit; it goes to a manager for approval.",
    "OWN_REFUND": "A refund cannot be decided by the person who created it.",
    "COMMENT_EMPTY": "Write a comment first.",
    "TRACKING_TAKEN": "{shipment} already has this tracking number.",
    "NOTHING_CHOSEN": "Choose at least one unit to {doing}.",
    "NOT_ON_HAND": "Only {left} of {sku} on hand.",
    "INVOICE_STATE": "Invoice {number} cannot be {doing} because it is {status}.",
    "INVOICE_SHIPPED": "Invoice {number} cannot be voided because its items have been shipped.",
    "SHIPMENT_STATE": "Shipment {number} cannot be {doing} because it is {status}.",
    "REFUND_STATE": "Refund {number} is not waiting for a decision.",
    "REFUND_ZERO": "A refund must be more than 0.00.",
    "REFUND_TOO_HIGH": "At most {left} can be refunded.",
    "NOTE_REQUIRED": "Write a note that says why.",
    # customers
    "EMAIL_TAKEN": "{email} already belongs to {other}.",
    "CUSTOMER_FINAL": "{name} is {status}; the account can no longer be changed.",
    "MERGE_SELF": "An account cannot be merged into itself.",
    "MERGE_TARGET": "Only an active or blocked account can take over another one.",
    "ERASE_OPEN_ORDERS": "{name} has {count} open order(s); personal data is erased only when all orders are finished.",
    "ERASE_CONFIRM": "Type the e-mail address exactly as shown to confirm.",
    "ADDRESS_IN_USE": "This is a default address; make another one the default first.",
    # reviews
    "REPLY_EMPTY": "Write a reply first.",
    # signing in
    "SIGN_IN_FAILED": "This e-mail address and password do not match.",
    # everything
    "FORBIDDEN": "Your role may not {doing}.",
    "STALE": "{what} was changed meanwhile; nothing was saved.",
    "NOT_FOUND": "{what} does not exist.",
    "CSRF": "This form belongs to another session; reload the page and try again.",
}

DONE = {
    "CUSTOMER_SAVED": "{name} was saved.",
    "CUSTOMER_CREATED": "{name} was added.",
    "CUSTOMER_BLOCKED": "{name} is now blocked.",
    "CUSTOMER_UNBLOCKED": "{name} is active again.",
    "CUSTOMER_MERGED": "{name} was merged into {other}.",
    "CUSTOMER_ERASED": "Personal data was erased.",
    "ADDRESS_SAVED": "The address was saved.",
    "ADDRESS_ADDED": "The address was added.",
    "ADDRESS_DELETED": "The address was deleted.",
    "DEFAULT_SET": "{label} is now the default {kind} address.",
    "PROFILE_SAVED": "Your profile was saved.",
    "NOTHING_CHANGED": "Nothing was changed, so nothing was saved.",
    "SIGNED_OUT": "You are signed out.",
    "ORDER_CANCELED": "Order {number} was canceled.",
    "ORDER_HELD": "Order {number} is on hold.",
    "ORDER_RELEASED": "Order {number} was released.",
    "ORDER_ACCEPTED": "Order {number} passed the fraud review.",
    "ORDER_REJECTED": "Order {number} was rejected and canceled.",
    "COMMENT_ADDED": "The comment was added.",
    "COMMENT_SENT": "The comment was added and e-mailed to the customer.",
    "ORDER_ADDRESS_SAVED": "The {kind} address of order {number} was saved.",
    "TRACKING_ADDED": "The tracking number was added to {shipment}.",
    "ORDER_UNASSIGNED": "Order {number} is assigned to nobody.",
    "TAGS_SAVED": "The tags of order {number} were saved.",
    "ORDER_ASSIGNED": "Order {number} is assigned to {name}.",
    "REVIEW_APPROVED": "The review by {name} is approved.",
    "REVIEW_REJECTED": "The review by {name} is rejected.",
    "REVIEW_PENDING": "The review by {name} waits for a decision again.",
    "REVIEW_DELETED": "The review by {name} was deleted.",
    "REPLY_SAVED": "The reply was saved.",
    "REPLY_REMOVED": "The reply was removed.",
}

CATALOGUE = Catalogue({**ERRORS, **DONE})
say, problem, refused = CATALOGUE.say, CATALOGUE.problem, CATALOGUE.refused
