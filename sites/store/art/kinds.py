"""Which figure a product is drawn as, told by the words of its name."""

from __future__ import annotations

from ...kit.text import tokens

BY_WORDS = (
    ("solar charger", "solar"), ("power bank", "powerbank"), ("table lamp", "lamp"), ("enamel mug", "mug"),
    ("basecamp tent", "dome"), ("patch kit", "kit"), ("trekking pack", "trekpack"), ("packing cubes", "cubes"),
    ("sleeping bag", "bag"), ("sleeping mat", "mat"), ("camp stove", "stove"), ("rain jacket", "rain"),
    ("down jacket", "down"), ("base layer", "shirt"), ("hiking boot", "boot"), ("trail shoe", "shoe"),
    ("sun hat", "hat"), ("hiking socks", "socks"), ("chef s knife", "knife"), ("chefs knife", "knife"),
    ("paring knife", "paring"), ("wool blanket", "blanket"), ("carry on", "trolley"), ("multi tool", "tool"),
    ("trail bars", "bars"), ("repair guide", "book"), ("field guide", "book"),
    ("headlamp", "headlamp"), ("lantern", "lantern"), ("speaker", "speaker"), ("earbuds", "earbuds"),
    ("duffel", "duffel"), ("daypack", "pack"), ("rolltop", "rolltop"), ("cookset", "pots"), ("skillet", "skillet"),
    ("tumbler", "tumbler"), ("pillow", "pillow"), ("hatchet", "axe"), ("beanie", "beanie"), ("beany", "beanie"),
    ("gloves", "gloves"), ("fleece", "fleece"), ("shell", "rain"), ("tarp", "tarp"), ("tent", "tent"),
    ("stove", "stove"), ("pack", "pack"), ("jacket", "rain"), ("knife", "knife"), ("lamp", "lamp"), ("mug", "mug"),
    ("guide", "book"), ("boot", "boot"), ("shoe", "shoe"), ("socks", "socks"), ("hat", "hat"), ("bag", "duffel"),
)  # fmt: skip
"""Words of a name to a figure; the first that stand there side by side count."""


def figure_of(name: str) -> str:
    """The figure for a name; a parcel for a thing that no word tells."""
    text = f" {' '.join(tokens(name))} "
    return next((figure for words, figure in BY_WORDS if f" {words} " in text), "parcel")
