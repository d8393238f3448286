"""Tasks of the store."""

from .add_tracking import AddTracking
from .cancel_order import CancelOrder
from .change_address import ChangeAddress
from .customer_by_phone import CustomerByPhone
from .filter_orders import FilterOrders
from .message_customer import MessageCustomer
from .order_field import OrderField
from .order_lines import OrderLines
from .orders_by_status import OrdersByStatus

TEMPLATES = (
    OrdersByStatus,
    CancelOrder,
    AddTracking,
    MessageCustomer,
    OrderField,
    CustomerByPhone,
    FilterOrders,
    OrderLines,
    ChangeAddress,
)
"""Every template of the store."""
