"""Tasks of the store."""

from . import catalogue, reviews
from .accept_and_invoice import AcceptAndInvoice
from .add_tracking import AddTracking
from .all_customers import AllCustomers
from .cancel_order import CancelOrder
from .change_address import ChangeAddress
from .customer_by_phone import CustomerByPhone
from .default_address import DefaultAddress
from .filter_orders import FilterOrders
from .hold_orders import HoldOrders
from .invoice_total import InvoiceTotal
from .message_customer import MessageCustomer
from .most_cancellations import MostCancellations
from .note_one_of_two import NoteOneOfTwo
from .order_field import OrderField
from .order_lines import OrderLines
from .orders_by_status import OrdersByStatus
from .orders_per_month import OrdersPerMonth
from .ship_order import ShipOrder
from .ship_part import ShipPart
from .sum_of_orders import SumOfOrders
from .top_customers import TopCustomers
from .units_ordered import UnitsOrdered

TEMPLATES = (
    OrdersByStatus,
    CancelOrder,
    AddTracking,
    MessageCustomer,
    OrderField,
    CustomerByPhone,
    FilterOrders,
    ChangeAddress,
    ShipOrder,
    ShipPart,
    OrderLines,
    SumOfOrders,
    UnitsOrdered,
    OrdersPerMonth,
    InvoiceTotal,
    HoldOrders,
    AcceptAndInvoice,
    NoteOneOfTwo,
    AllCustomers,
    TopCustomers,
    MostCancellations,
    DefaultAddress,
    *reviews.TEMPLATES,
    *catalogue.TEMPLATES,
)
"""Every template of the store."""
