"""What the shop sells: departments, kinds of product, invented brands, and the words that names are made of."""

from __future__ import annotations

from dataclasses import dataclass, field

TREE: dict[str, dict[str, tuple[str, ...]]] = {
    "Outdoor": {
        "Packs": ("Daypacks", "Trekking Packs"),
        "Shelter": ("Tents", "Tarps"),
        "Sleeping": ("Sleeping Bags", "Sleeping Mats"),
        "Camp Kitchen": ("Stoves", "Cookware"),
    },
    "Clothing": {
        "Jackets": ("Rain Jackets", "Insulated Jackets"),
        "Footwear": ("Boots", "Trail Shoes"),
        "Layers": (),
        "Accessories": ("Hats", "Gloves", "Socks"),
    },
    "Home": {"Kitchen": ("Kitchen Knives", "Mugs & Tumblers"), "Bedding": (), "Lamps": ()},
    "Gadgets": {"Power": ("Power Banks", "Solar Chargers"), "Headlamps & Lanterns": (), "Audio": ()},
    "Travel": {"Luggage": ()},
    "Workshop": {"Hand Tools": ("Multi-tools",)},
}
"""Department to group to category: 6, 16 and 20 of them."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of product. `price` is a typical one in dollars, `aspects` what its reviews talk about."""

    noun: str
    code: str
    category: str
    price: float
    weight_g: int
    aspects: str
    options: tuple[str, ...] = ()
    suffix: tuple[str, ...] = ("",)
    specs: tuple[tuple[str, tuple[float, ...], str], ...] = ()
    tax: str = "standard"
    blurbs: tuple[str, ...] = field(default=())
    final_sale: bool = False


_WEAR = "comfort fit weight waterproofing warmth breathability zippers color durability value"
_PACK = "comfort storage zippers waterproofing durability weight color value fit"
_CAMP = "weight pack_size setup instructions durability value packaging"
_LIGHT = "brightness battery charging weight ease_of_use durability value packaging"

KINDS = (
    Kind(noun="Basecamp Tent", code="BT", category="Tents", price=520, weight_g=6800, aspects=_CAMP + " storage",
         options=("color",), specs=(("Sleeps", (4, 5, 6), "people"),), blurbs=("A living room with pegs.",)),
    Kind(noun="Patch Kit", code="PA", category="Shelter", price=5, weight_g=40,
         aspects="durability instructions value packaging", blurbs=("Glue, patches and a second chance.",)),
    Kind(noun="Daypack", code="DP", category="Daypacks", price=64, weight_g=720, aspects=_PACK, options=("color",),
         suffix=(" 14", " 18", " 22", ""), specs=(("Capacity", (14, 18, 20, 22, 24), "l"),),
         blurbs=("Built for days that start early and end late.", "A small pack with room for the long way home.")),
    Kind(noun="Rolltop", code="RT", category="Daypacks", price=82, weight_g=860, aspects=_PACK, options=("color",),
         suffix=("", " 20"), specs=(("Capacity", (18, 20, 25), "l"),),
         blurbs=("Rolls down to lunch, up to laundry.",)),
    Kind(noun="Trekking Pack", code="TP", category="Trekking Packs", price=168, weight_g=1650, aspects=_PACK,
         options=("color", "length"), suffix=(" 45", " 55", " 65"), specs=(("Capacity", (45, 50, 55, 65), "l"),),
         blurbs=("Carries a week without complaint.", "A frame that keeps heavy loads close to your back.")),
    Kind(noun="Tent", code="TN", category="Tents", price=289, weight_g=2400, aspects=_CAMP + " waterproofing storage",
         options=("color",), suffix=(" 1P", " 2P", " 3P"), specs=(("Sleeps", (1, 2, 3, 4), "people"),),
         blurbs=("Up in four minutes, dry for the night.", "Two doors, two porches, no arguments.")),
    Kind(noun="Tarp", code="TA", category="Tarps", price=74, weight_g=520, aspects=_CAMP + " waterproofing",
         options=("color",), suffix=("", " 3x3", " 3x4"), specs=(("Area", (7.5, 9, 12), "m²"),),
         blurbs=("A roof wherever two trees will hold it.",)),
    Kind(noun="Sleeping Bag", code="SB", category="Sleeping Bags", price=158, weight_g=1150,
         aspects="warmth pack_size weight zippers comfort fit smell value durability", options=("length", "color"),
         suffix=(" 0", " -5", " +5"), specs=(("Comfort limit", (-8, -5, 0, 5), "°C"),),
         blurbs=("Warm where it counts, light where it doesn't.",)),
    Kind(noun="Sleeping Mat", code="SM", category="Sleeping Mats", price=92, weight_g=560,
         aspects="comfort pack_size warmth setup durability weight value", options=("length",),
         specs=(("R-value", (2.1, 3.4, 4.2, 5.0), ""),), blurbs=("A good night on bad ground.",)),
    Kind(noun="Camp Stove", code="ST", category="Stoves", price=58, weight_g=310,
         aspects="pack_size ease_of_use durability weight instructions value",
         specs=(("Output", (2200, 2600, 3000), "W"),), blurbs=("Tea in three minutes, wind or no wind.",)),
    Kind(noun="Cookset", code="CK", category="Cookware", price=49, weight_g=640,
         aspects="cleaning pack_size durability weight value grip packaging", options=("pack",),
         specs=(("Pieces", (3, 4, 6), "pcs"),), blurbs=("Nests into itself and stays quiet in the pack.",)),
    Kind(noun="Skillet", code="SK", category="Cookware", price=39, weight_g=980,
         aspects="cleaning durability grip weight value", specs=(("Diameter", (20, 24, 28), "cm"),),
         blurbs=("Pancakes first, everything else after.",)),
    Kind(noun="Rain Jacket", code="RJ", category="Rain Jackets", price=139, weight_g=380, aspects=_WEAR,
         options=("color", "size"), specs=(("Water column", (10000, 15000, 20000), "mm"),),
         blurbs=("For the kind of rain that means it.",)),
    Kind(noun="Shell", code="SH", category="Rain Jackets", price=219, weight_g=420, aspects=_WEAR,
         options=("color", "size"), suffix=("", " Pro", " Light"), specs=(("Water column", (20000, 28000), "mm"),),
         blurbs=("Three layers, no drama.",)),
    Kind(noun="Down Jacket", code="DJ", category="Insulated Jackets", price=198, weight_g=430, aspects=_WEAR,
         options=("color", "size"), specs=(("Fill power", (650, 700, 800), "cuin"),),
         blurbs=("Packs into its own pocket.",)),
    Kind(noun="Fleece", code="FL", category="Layers", price=69, weight_g=340,
         aspects="warmth comfort fit breathability smell color durability value", options=("color", "size"),
         blurbs=("The one you keep on indoors.",)),
    Kind(noun="Base Layer", code="BL", category="Layers", price=48, weight_g=190,
         aspects="comfort fit breathability smell warmth durability value cleaning", options=("color", "size"),
         blurbs=("Soft against the skin, three days running.",), final_sale=True),
    Kind(noun="Hiking Boot", code="HB", category="Boots", price=174, weight_g=1240,
         aspects="comfort fit waterproofing grip weight durability breathability value", options=("shoe",),
         suffix=("", " Mid", " GTX"), blurbs=("Broken in before you are.",)),
    Kind(noun="Trail Shoe", code="TS", category="Trail Shoes", price=118, weight_g=680,
         aspects="comfort fit grip weight breathability durability color value", options=("shoe",),
         suffix=("", " 2", " 3"), blurbs=("Fast on roots, calm on gravel.",)),
    Kind(noun="Beanie", code="BE", category="Hats", price=26, weight_g=80,
         aspects="warmth fit comfort color smell value", options=("color",), blurbs=("Fits under a hood.",)),
    Kind(noun="Sun Hat", code="HT", category="Hats", price=34, weight_g=95,
         aspects="fit comfort breathability color pack_size value", options=("color", "fit"),
         blurbs=("A brim that keeps its shape.",)),
    Kind(noun="Gloves", code="GL", category="Gloves", price=42, weight_g=130,
         aspects="warmth grip fit waterproofing durability value", options=("size",),
         suffix=("", " Light", " Winter"), blurbs=("Warm hands, working fingertips.",)),
    Kind(noun="Hiking Socks", code="SO", category="Socks", price=19, weight_g=70,
         aspects="comfort fit warmth smell durability cleaning value", options=("pack", "fit"),
         blurbs=("No seams where it rubs.",), final_sale=True),
    Kind(noun="Chef's Knife", code="KN", category="Kitchen Knives", price=79, weight_g=230,
         aspects="sharpness grip durability cleaning packaging value", specs=(("Blade", (16, 18, 20, 21), "cm"),),
         blurbs=("One knife for nearly everything.",)),
    Kind(noun="Paring Knife", code="PK", category="Kitchen Knives", price=24, weight_g=80,
         aspects="sharpness grip cleaning value packaging", specs=(("Blade", (8, 9, 10), "cm"),),
         blurbs=("For garlic, strawberries and string.",)),
    Kind(noun="Enamel Mug", code="MG", category="Mugs & Tumblers", price=16, weight_g=170,
         aspects="cleaning durability color grip packaging value", options=("color", "pack"),
         specs=(("Capacity", (300, 350, 450), "ml"),), blurbs=("Chips add character.",)),
    Kind(noun="Tumbler", code="TU", category="Mugs & Tumblers", price=29, weight_g=330,
         aspects="warmth cleaning durability color smell value", options=("color",),
         specs=(("Capacity", (350, 470, 590), "ml"),), blurbs=("Hot for six hours, cold for twelve.",)),
    Kind(noun="Wool Blanket", code="WB", category="Bedding", price=112, weight_g=1400,
         aspects="warmth comfort smell color cleaning value", options=("color",),
         specs=(("Length", (180, 200, 220), "cm"),), blurbs=("Heavy in the good way.",)),
    Kind(noun="Pillow", code="PI", category="Bedding", price=44, weight_g=620,
         aspects="comfort smell packaging cleaning value", options=("pack",), blurbs=("Firm enough to sleep on.",)),
    Kind(noun="Table Lamp", code="LA", category="Lamps", price=86, weight_g=1100,
         aspects="brightness setup instructions color packaging value", options=("color",),
         specs=(("Light", (400, 600, 800), "lm"),), blurbs=("A warm corner in any room.",)),
    Kind(noun="Power Bank", code="PB", category="Power Banks", price=54, weight_g=290,
         aspects="charging battery weight packaging durability value instructions",
         suffix=(" 10000", " 20000", " 5000"), specs=(("Capacity", (5000, 10000, 20000), "mAh"),),
         blurbs=("Full phones, far from any socket.",)),
    Kind(noun="Solar Charger", code="SC", category="Solar Chargers", price=96, weight_g=540,
         aspects="charging setup durability weight pack_size instructions value", suffix=(" 10", " 21", " 28"),
         specs=(("Output", (10, 21, 28), "W"),), blurbs=("Hangs on a pack, works while you walk.",)),
    Kind(noun="Headlamp", code="HL", category="Headlamps & Lanterns", price=46, weight_g=86, aspects=_LIGHT + "",
         suffix=(" 200", " 300", " 450"), specs=(("Light", (200, 300, 450), "lm"),),
         blurbs=("Finds the path and the can opener.",)),
    Kind(noun="Lantern", code="LN", category="Headlamps & Lanterns", price=38, weight_g=410, aspects=_LIGHT + "",
         options=("color",), specs=(("Light", (180, 250, 350), "lm"),), blurbs=("Dims down to firefly.",)),
    Kind(noun="Speaker", code="SP", category="Audio", price=89, weight_g=540,
         aspects="sound battery waterproofing charging ease_of_use color value", options=("color",),
         suffix=("", " Mini", " Go"), specs=(("Playtime", (10, 16, 24), "h"),),
         blurbs=("Loud enough for a beach, polite enough for a hut.",)),
    Kind(noun="Earbuds", code="EB", category="Audio", price=72, weight_g=48,
         aspects="sound fit battery comfort charging ease_of_use value packaging", options=("color",),
         specs=(("Playtime", (5, 7, 9), "h"),), blurbs=("Stay put on the way down.",)),
    Kind(noun="Duffel", code="DU", category="Luggage", price=94, weight_g=1050, aspects=_PACK,
         options=("color", "volume"), blurbs=("Swallows a weekend, or a family's swimming things.",)),
    Kind(noun="Carry-on", code="CO", category="Luggage", price=178, weight_g=2900,
         aspects="storage zippers durability weight color value", options=("color",),
         specs=(("Capacity", (34, 36, 40), "l"),), blurbs=("Four quiet wheels and a lid that closes.",)),
    Kind(noun="Packing Cubes", code="PC", category="Travel", price=32, weight_g=240,
         aspects="storage zippers durability color value", options=("color", "pack"),
         blurbs=("Know where the socks are.",)),
    Kind(noun="Multi-tool", code="MT", category="Multi-tools", price=68, weight_g=220,
         aspects="sharpness grip durability ease_of_use weight packaging value",
         specs=(("Tools", (9, 12, 15, 18), "pcs"),), blurbs=("One of its tools is a corkscrew.",)),
    Kind(noun="Hatchet", code="HC", category="Hand Tools", price=62, weight_g=690,
         aspects="sharpness grip durability weight packaging value",
         specs=(("Length", (34, 38, 42), "cm"),), blurbs=("Splits kindling like it was asked to.",)),
    Kind(noun="Trail Bars", code="BA", category="Camp Kitchen", price=14, weight_g=600,
         aspects="smell value packaging", options=("pack",), tax="reduced", final_sale=True,
         blurbs=("Oats, nuts and nothing to explain.",)),
    Kind(noun="Repair Guide", code="BK", category="Workshop", price=18, weight_g=350,
         aspects="instructions value packaging", tax="exempt", blurbs=("Mend zips, poles and tempers.",)),
)  # fmt: skip

BRANDS = (
    "Summit", "Ember", "Harbor", "Northfell", "Tarnwick", "Oakline", "Kestrel & Co", "Wolfsden", "Brightwater",
    "Pinecrest", "Vallmark", "Høgfjell", "Otterly", "Stonepath", "Lumen Forge", "Quietcamp", "Redfern", "Saltwind",
    "Trailmere", "Umbra", "Zephyr Works", "Copperleaf", "Bergen Lane", "Fieldhouse",
)  # fmt: skip
"""Summit, Ember and Harbor are also words in the names of other brands' products."""

SERIES = (
    "Alder", "Arbor", "Aspen", "Basalt", "Beacon", "Birch", "Bracken", "Bramble", "Brook", "Cairn", "Canyon", "Cedar",
    "Cinder", "Cirrus", "Clover", "Comet", "Cove", "Crag", "Delta", "Drift", "Dune", "Eddy", "Ember", "Fern", "Fjord",
    "Flint", "Foxglove", "Gale", "Glen", "Granite", "Grove", "Gully", "Harbor", "Harrier", "Heath", "Heron", "Holm",
    "Inlet", "Isle", "Juniper", "Kelp", "Lark", "Larch", "Ledge", "Lichen", "Loch", "Lynx", "Marten", "Meadow", "Mesa",
    "Mistral", "Moor", "Nettle", "Nimbus", "Osprey", "Otter", "Petrel", "Pike", "Plover", "Quarry", "Quill", "Ravine",
    "Reed", "Rill", "Rowan", "Saddle", "Sable", "Scree", "Sedge", "Shale", "Skerry", "Slate", "Sorrel", "Spruce",
    "Strand", "Summit", "Swift", "Talus", "Tern", "Thistle", "Thorn", "Tide", "Timber", "Vale", "Vista", "Willow",
    "Wren", "Yarrow",
)  # fmt: skip

OPTION_TYPES = {
    "color": ("Color", "swatch"),
    "size": ("Size", "buttons"),
    "shoe": ("Shoe size", "select"),
    "length": ("Length", "buttons"),
    "fit": ("Fit", "buttons"),
    "pack": ("Pack", "select"),
    "volume": ("Volume", "buttons"),
}

COLORS = {
    "Black": ("BLK", "#1c1c1e"), "Grey": ("GRY", "#8a8d91"), "Gray": ("GRA", "#8e9095"), "Moss": ("MOS", "#5b6b3a"),
    "Rust": ("RUS", "#a4502a"), "Navy": ("NVY", "#1f2f4d"), "Sand": ("SND", "#cdb892"), "Teal": ("TEL", "#1f6f6f"),
    "Plum": ("PLM", "#5f3553"), "Ochre": ("OCH", "#c48a1f"), "Forest": ("FOR", "#23482f"), "Sky": ("SKY", "#7fb2d6"),
    "Brick": ("BRK", "#8f3b2e"), "Cream": ("CRM", "#ece3cf"),
}  # fmt: skip

VALUES = {
    "color": tuple(COLORS),
    "size": ("XS", "S", "M", "L", "XL", "XXL"),
    "shoe": tuple(str(size) for size in range(37, 48)),
    "length": ("Short", "Regular", "Long"),
    "fit": ("S/M", "L/XL"),
    "pack": ("Single", "2-pack", "4-pack", "6-pack"),
    "volume": ("30 L", "50 L", "70 L"),
}

TAGS = (
    "bestseller", "new", "giveaway", "clearance", "staff pick", "repairable", "recycled", "heavy", "fragile",
    "gift", "press loan", "wholesale lead", "slow payer", "VIP care", "call first", "photo shoot", "rush",
    "address checked",
    "needs review", "repeat return",
)  # fmt: skip
