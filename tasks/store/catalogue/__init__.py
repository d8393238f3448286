"""Tasks about products, their variants, prices and stock."""

from .change_prices import ChangePrices
from .change_some_prices import ChangeSomePrices
from .disable_product import DisableProduct
from .receive_goods import ReceiveGoods
from .sell_out import SellOutProduct

TEMPLATES = (DisableProduct, SellOutProduct, ReceiveGoods, ChangePrices, ChangeSomePrices)
"""Every template about the catalogue."""
