"""What visitors read and look for: pages, menus, banners and search terms."""

from __future__ import annotations

from collections.abc import Sequence

from ...kit.text import slug
from . import clock
from .goods import KINDS, SERIES
from .plan import DAY, START, Plan
from .sheet import Row, Sheet, stream

SUPPORT_PHONE = "614-555-0142"

PAGES: tuple[tuple[str, str, str, str, str], ...] = (
    ("about", "About us", "Who we are", "published",
     "Fernhill Supply began with a stall in Columbus and forty mugs. Today fourteen of us sell what we use."),
    ("shipping", "Shipping", "Shipping and delivery", "published",
     "Standard takes four working days and is free from $75.00. Express takes one. Questions? Call {phone}."),
    ("returns", "Returns", "Sending things back", "published",
     "You have 30 days from delivery to return what you do not like. Final sale items stay with you. Call {phone} "
     "if a parcel arrived damaged."),
    ("privacy", "Privacy", "Your data", "published",
     "We keep what we need to send your parcels and nothing else. Write to us to have it erased."),
    ("terms", "Terms", "Terms of sale", "published",
     "Prices include no tax; tax is added at checkout by the place of delivery. Orders bind once invoiced."),
    ("contact", "Contact", "Talk to us", "published",
     "Our service desk answers {phone} on weekdays from 8 to 6. The repair workshop has its own line, 614-555-0177."),
    ("wholesale", "Wholesale", "For shops and clubs", "published",
     "Wholesale customers get 12 % off orders from $200.00. Call {phone} and ask for an account."),
    ("repairs", "Repairs", "We mend what we sell", "published",
     "Bring it to the workshop or send it in. The workshop answers 614-555-0177. For orders call {phone}."),
    ("size-guide", "Size guide", "Find your size", "published",
     "Measure over a thin layer. Between two sizes take the larger jacket and the smaller base layer."),
    ("gift-cards", "Gift cards", "Gift cards", "draft",
     "Gift cards are coming this summer. Until then call {phone} and we find a way."),
    ("sustainability", "Sustainability", "What we do about it", "published",
     "We repair before we replace, ship without plastic and publish where things are made."),
    ("careers", "Careers", "Work with us", "draft", "We are looking for a second pair of hands in the workshop."),
    ("store", "Our store", "Visit us", "published",
     "218 Birch St, Columbus, OH 43201. Pick up orders from 9 to 7. Call {phone} before you come for large parcels."),
    ("404", "Page not found", "Nothing here but trees", "published",
     "The page you are looking for has moved or never was. Try the search, or go back to the start."),
)  # fmt: skip


def make_content(sheet: Sheet, plan: Plan, seed: int) -> None:
    """Add pages, menus, banners and search terms."""
    for name, title, heading, status, text in PAGES:
        body = f"<p>{text.format(phone=SUPPORT_PHONE)}</p><p>Fernhill Supply, since 2024.</p>"
        sheet.add("pages", slug=name, title=title, heading=heading, body_html=body, meta_desc=text.split(".")[0],
                  status=status, updated_at=clock.text(START - 30 * DAY))  # fmt: skip
    _menus(sheet)
    _banners(sheet)
    _terms(sheet, plan, seed)


def _menus(sheet: Sheet) -> None:
    tops = [row for row in sheet.tables["categories"] if row["parent_id"] is None]
    for place, top in enumerate(tops, 1):
        parent = sheet.add("menu_items", menu="header", label=top["name"], url=f"/c/{top['slug']}", position=place)
        for at, group in enumerate(sheet.rows("categories", parent_id=top["id"]), 1):
            sheet.add("menu_items", menu="header", parent_id=parent["id"], label=group["name"],
                url=f"/c/{group['slug']}",
                      position=at)  # fmt: skip
    footer = [page for page in PAGES if page[3] == "published" and page[0] != "404"]
    for place, page in enumerate(footer, 1):
        sheet.add("menu_items", menu="footer", label=page[1], url=f"/pages/{page[0]}", position=place)


def _banners(sheet: Sheet) -> None:
    for place, (title, body, link, active, first, last) in enumerate((
        ("Spring is here", "15 % off with SPRING15", "/deals", True, "2026-03-01", "2026-04-15"),
        ("Tent days", "10 % off shelter this week", "/c/shelter", True, "2026-03-14", "2026-03-21"),
        ("We mend it", "Free repairs for two years", "/pages/repairs", True, None, None),
        ("New in: Layers", "Soft things for cold mornings", "/c/layers", True, "2026-02-01", None),
        ("Winter clearance", "Up to 25 % off", "/c/insulated-jackets", False, "2026-01-05", "2026-01-31"),
        ("Mother's Day", "Gifts that last", "/search?q=gift", False, "2026-05-01", "2026-05-10"),
    ), 1):  # fmt: skip
        sheet.add(
            "banners", title=title, body=body, link=link, active=active, starts_on=first, ends_on=last, position=place
        )


_NOWHERE = (
    "gift card", "kayak", "snowboard", "bike helmet", "drone", "yoga mat", "wetsuit", "hammok", "headlmap",
    "sleping bag",
    "ski goggles", "dog bed", "fishing rod", "crampons", "ice axe", "camera", "binoculars", "surfboard", "golf",
    "rain pants",
    "umbrella", "watch", "sunglasses", "water filter", "bear spray", "trekking poles", "gaiters", "rope 60m",
    "avalanche",
    "treking pack", "jaket", "tumblr", "powrbank", "lantren",
)  # fmt: skip


def _terms(sheet: Sheet, plan: Plan, seed: int) -> None:
    """Search terms: kinds, brands, colours with kinds, series; misspelt and unknown ones find nothing."""
    rng = stream(seed, "terms")
    nouns = [kind.noun.lower() for kind in KINDS]
    brands = [row["name"].lower() for row in sheet.tables["brands"]]
    names = [row["name"].lower() for row in sheet.tables["products"] if row["status"] == "active"]
    series = [word.lower() for word in SERIES if any(word.lower() in name for name in names)]
    brand_nouns = [f"{brand} {_noun(sheet, row)}" for brand in brands for row in _made_by(sheet, brand)]
    rng.shuffle(brand_nouns)
    short = [name for name in names if len(name) <= 24]
    rng.shuffle(short)
    found = list(dict.fromkeys([*nouns, *brands, *series, *brand_nouns[:60], *short]))
    good = plan.terms - plan.terms_without_results
    words: Sequence[str] = [*found[: min(good, len(found))], *_NOWHERE[: plan.terms_without_results]]
    order = list(words)
    rng.shuffle(order)
    weight = {word: int(1600 / (1 + rank) ** 0.72 + rng.randrange(9)) for rank, word in enumerate(order)}
    for word in words:
        target = f"/c/{slug('Sleeping Bags')}" if word == "sleping bag" else None
        sheet.add("search_terms", term=word, hits=weight[word], redirect_url=target)
    by_term = {row["term"]: row for row in sheet.tables["search_terms"]}
    for wrong, right in (("headlmap", "headlamp"), ("jaket", "rain jacket"), ("lantren", "lantern")):
        if wrong in by_term:
            by_term[wrong]["synonym_of"] = by_term[right]["id"]


def _made_by(sheet: Sheet, brand: str) -> list[Row]:
    """Active products of a brand."""
    ids = {row["id"] for row in sheet.tables["brands"] if row["name"].lower() == brand}
    return [row for row in sheet.tables["products"] if row["brand_id"] in ids and row["status"] == "active"]


def _noun(sheet: Sheet, product: Row) -> str:
    """The kind of a product in a searcher's words."""
    name = product["name"].lower()
    return next((kind.noun.lower() for kind in KINDS if kind.noun.lower() in name), name.split()[0])
