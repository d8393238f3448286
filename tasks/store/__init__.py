"""Tasks of the store."""

from .cancel_order import CancelOrder

TEMPLATES = (CancelOrder,)
"""Every template of the store."""
