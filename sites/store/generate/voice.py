"""What customers say: reviews from people who mostly had the thing, messages, and the answers of the shop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from ...kit.phones import written
from . import clock
from .books import Case
from .catalogue import Catalogue, Thing
from .desk import CLERKS
from .names import email, person
from .people import Someone
from .phrases import SPAM, review
from .plan import DAY, OPENED, START, Plan
from .sheet import Row, Sheet, exact, stream

STARS = {"1": 8, "2": 9, "3": 13, "4": 24, "5": 46}
_THANKS = (
    "Thank you, that makes our day!", "Glad to hear it. Happy trails!", "Thanks for taking the time to write.",
    "Good to know that it serves you well.",
)  # fmt: skip
_SORRY = (
    "We are sorry to hear that. Please write to us, we will put it right.",
    "That should not happen. Our workshop mends it for free.",
    "Thank you for the honest words, we passed them on to the maker.", "Sorry! Send it back and we pay the postage.",
)  # fmt: skip


def make_reviews(sheet: Sheet, plan: Plan, seed: int, catalogue: Catalogue, cases: Sequence[Case],
                 people: Sequence[Someone]) -> None:  # fmt: skip
    """Add reviews with votes and replies; averages follow by recompute."""
    _Reviews(sheet, plan, seed, catalogue, cases, people).make()


class _Reviews:
    """Makes the reviews of one data set."""

    def __init__(self, sheet: Sheet, plan: Plan, seed: int, catalogue: Catalogue, cases: Sequence[Case],
                 people: Sequence[Someone]) -> None:  # fmt: skip
        self.sheet, self.plan, self.rng, self.catalogue = sheet, plan, stream(seed, "reviews"), catalogue
        self.people = people
        self.had = _deliveries(catalogue, cases)
        self.rng.shuffle(self.had)
        self.pairs: set[tuple[int, int]] = set()
        self.sold = [thing for thing in catalogue.things if thing.row["status"] in ("active", "disabled", "archived")]

    def make(self) -> None:
        approved, pending, rejected = self.plan.reviews
        statuses = exact(self.rng, {"approved": approved, "pending": pending, "rejected": rejected})
        total = len(statuses)
        counts = {star: round(total * percent / 100) for star, percent in STARS.items()}
        counts["5"] += total - sum(counts.values())
        stars = exact(self.rng, counts)
        contrary = set(self.rng.sample([i for i in range(total) if stars[i] in "15"], max(4, total // 60)))
        drafts = [self._draft(int(stars[i]), statuses[i], i in contrary) for i in range(total)]
        for draft in sorted(drafts, key=lambda row: (row["created_at"], row["product_id"], row["nickname"])):
            row = self.sheet.add("reviews", **draft)
            self._reply(row)
            if row["status"] == "approved":
                self._votes(row)

    def _draft(self, rating: int, status: str, contrary: bool) -> Row:
        rng = self.rng
        thing, someone, not_before = self._author(status)
        title, body = review(rng, rating, thing.kind.aspects.split(), thing.kind.noun, contrary=contrary)
        if status == "rejected" or (status == "pending" and rng.random() < 0.2):
            title, body = self._spoiled(title, body, sure=status == "rejected")
        at = self._written(status, not_before)
        name = f"{someone.row['first_name']} {someone.row['last_name']}" if someone else " ".join(person(rng, "US"))
        return {
            "product_id": thing.row["id"], "customer_id": someone.row["id"] if someone else None,
            "nickname": _nickname(rng, name), "title": title, "body": body, "rating": rating, "status": status,
            "created_at": clock.text(at),
        }  # fmt: skip

    def _author(self, status: str) -> tuple[Thing, Someone | None, int]:
        """What is reviewed, by whom, and since when they could."""
        rng, roll = self.rng, self.rng.random()
        while roll < 0.74 and self.had:
            thing, someone, at = self.had.pop()
            if self._free(thing, someone) and not (status == "approved" and at > START - 4 * DAY):
                return thing, someone, at
        thing = self._popular()
        if roll < 0.88:
            for _ in range(20):
                someone = rng.choice(self.people)
                if someone.row["status"] == "active" and self._free(thing, someone):
                    return thing, someone, self._some_day(thing, clock.seconds(someone.row["created_at"]))
        return thing, None, self._some_day(thing, OPENED)

    def _some_day(self, thing: Thing, since: int) -> int:
        """A day on which somebody could have known the product."""
        return self.rng.randrange(max(thing.since, since, OPENED), START)

    def _free(self, thing: Thing, someone: Someone) -> bool:
        """Whether this pair has no review yet; takes it."""
        pair = (thing.row["id"], someone.row["id"])
        if pair in self.pairs:
            return False
        self.pairs.add(pair)
        return True

    def _popular(self) -> Thing:
        return self.rng.choices(self.sold, [thing.weight for thing in self.sold])[0]

    def _spoiled(self, title: str, body: str, *, sure: bool) -> tuple[str, str]:
        """Links and phone numbers, in the body or now and then in the title; or plain rudeness."""
        rng = self.rng
        roll = rng.random()
        if roll < 0.2:
            return "see www.cheapgear.example", body
        if roll < 0.75 or not sure:
            return title, f"{body} {rng.choice(SPAM)}"
        return title, rng.choice(("asdf asdf asdf", "first!!!", "THE WORST SHOP IN THE WORLD", "test", "no comment"))

    def _written(self, status: str, not_before: int) -> int:
        """When it was written: pending ones lately, a good part of them today."""
        rng = self.rng
        if status == "pending":
            oldest = max(not_before, START - rng.choices((9 * 3600, 6 * DAY, 16 * DAY), (8, 42, 50))[0])
            return rng.randrange(min(oldest, START - 1200), START - 300)
        newest = START - 20 * 3600
        wanted = not_before + int(rng.expovariate(1 / (18 * DAY))) + 6 * 3600
        return wanted if wanted < newest else rng.randrange(min(not_before, newest - 3600), newest)

    def _reply(self, row: Row) -> None:
        odds = {1: 0.45, 2: 0.35, 3: 0.1, 4: 0.03, 5: 0.06}[row["rating"]]
        if row["status"] == "approved" and self.rng.random() < odds:
            row["reply_body"] = self.rng.choice(_THANKS if row["rating"] >= 4 else _SORRY)
            row["reply_by"] = self.rng.choice(CLERKS)
            row["reply_at"] = clock.text(clock.later(self.rng, clock.seconds(row["created_at"]), 2, 90))

    def _votes(self, row: Row) -> None:
        voters = self.rng.sample(self.people, min(len(self.people), int(self.rng.expovariate(1.4))))
        for someone in voters:
            if someone.row["id"] != row["customer_id"] and someone.row["created_at"] < row["created_at"]:
                self.sheet.add("review_votes", review_id=row["id"], customer_id=someone.row["id"])


def _deliveries(catalogue: Catalogue, cases: Sequence[Case]) -> list[tuple[Thing, Someone, int]]:
    """Who has had what shipped, and when."""
    found = []
    for case in cases:
        if case.buyer.someone and case.shipments:
            at = clock.seconds(case.shipments[0]["delivered_at"] or case.shipments[0]["created_at"])
            for item in case.items:
                if item["qty_shipped"]:
                    found.append((catalogue.by_variant[item["variant_id"]], case.buyer.someone, at))
    return found


def _nickname(rng: Random, name: str) -> str:
    """How people sign."""
    first, _, last = name.partition(" ")
    shapes = (first, f"{first} {last[:1]}.", f"{first[:1]}. {last}", f"{first}{rng.randrange(60, 99)}",
              f"{first.lower()}_{rng.choice(('hikes', 'outside', 'home', 'cooks', 'travels'))}")  # fmt: skip
    return rng.choice(shapes)


def _any(case: Case) -> bool:
    return True


def _sent(case: Case) -> bool:
    return bool(case.shipments)


_MESSAGES: tuple[tuple[str, int, str, Callable[[Case], bool]], ...] = (
    ("order", 10, "Where is my order {order}? The page has said the same thing for days.", _any),
    (
        "order",
        9,
        "Could you change the color in order {order}? I picked the wrong one.",
        lambda case: not case.shipments,
    ),
    (
        "order",
        4,
        "My order {order} came in two parcels, is a third one on its way?",
        lambda case: len(case.shipments) > 1,
    ),
    ("order", 14, "Please tell me the tracking number of order {order}.", _sent),
    (
        "order",
        8,
        "I paid for order {order} by transfer on Monday. Has it arrived?",
        lambda case: case.order["pay_method"] == "bank_transfer",
    ),
    ("return", 7, "I would like to send back part of order {order}. Do I need a label?", _sent),
    ("return", 4, "My return for order {order} was picked up a week ago, when do I get my money?", _sent),
    ("return", 6, "The box of order {order} is gone. Can I return it in another one?", _sent),
    ("product", 7, "Would you take the {product} out below zero?", _any),
    ("product", 7, "Can I get the {product} by the end of next week?", _any),
    ("product", 7, "Is there a warranty on the {product}?", _any),
    ("coupon", 5, "The code {code} does not work in my cart, why?", _any),
    ("coupon", 4, "I forgot to enter {code}. Can you take it off my order {order}?", _any),
    ("other", 2, "Do you have a shop in Cleveland as well?", _any),
    ("other", 2, "I would love to work with you in summer. Whom do I write to?", _any),
    ("other", 2, "Your newsletter arrives twice. Please fix that.", _any),
    ("other", 2, "Do you lend tents to schools?", _any),
)
"""Topic, how often, the text, and the orders it can be about."""

_ANSWERS = (
    "Thanks for writing. We looked it up and all is well, you will hear from us within two days.",
    "Hello, sorry for the trouble. We have taken care of it.",
    "Good question! Yes, it does. Write again if anything else comes up.",
    "Thank you for your patience. A colleague from the warehouse checks it today.",
)


def make_messages(sheet: Sheet, plan: Plan, seed: int, catalogue: Catalogue, cases: Sequence[Case]) -> None:
    """Add messages of the contact form, phones as people type them, and replies."""
    rng = stream(seed, "messages")
    active = [thing.row["name"] for thing in catalogue.things if thing.row["status"] == "active"]
    statuses = {"new": 22, "open": 15, "answered": 30, "closed": 30, "draft": 3}
    counts = {status: plan.messages * percent // 100 for status, percent in statuses.items()}
    counts["closed"] += plan.messages - sum(counts.values())
    drafts = [_message(rng, status, cases, active) for status in exact(rng, counts)]
    for draft in sorted(drafts, key=lambda row: (row["created_at"], row["email"])):
        row = sheet.add("contact_messages", **draft)
        if row["status"] in ("answered", "closed"):
            staff = row["assigned_to"] or rng.choice(CLERKS)
            at = clock.later(rng, clock.seconds(row["created_at"]), 1, 40)
            sheet.add("message_replies", message_id=row["id"], staff_id=staff, body=rng.choice(_ANSWERS),
                      created_at=clock.text(at))  # fmt: skip


def _message(rng: Random, status: str, cases: Sequence[Case], products: Sequence[str]) -> Row:
    recent = status in ("new", "open", "draft")
    topic, _, text, fits = rng.choices(_MESSAGES, [odds for _, odds, _, _ in _MESSAGES])[0]
    pool = cases[-len(cases) // 6 :] if recent else cases
    case = rng.choice([each for each in pool if fits(each)] or list(pool))
    about_order = "{order}" in text
    order, someone = case.order, case.buyer.someone
    placed = clock.seconds(order["placed_at"])
    oldest = max(placed, START - 12 * DAY) if recent else placed
    at = rng.randrange(oldest, max(oldest + 60, min(START - 400, oldest + 9 * DAY)))
    name, address = order["customer_name"], order["email"]
    if not about_order and rng.random() < 0.2:
        someone = None
        name = " ".join(person(rng, "US"))
        address = email(rng, name.split()[0], name.split()[1], set())
    code = rng.choice(("SPRING15", "HELLO10", "WELCOME10", "SUMMER12", "LAYERS10"))
    body = text.format(order=order["number"], product=rng.choice(products), code=code)
    phone = someone.row["phone"] if someone else None
    return {
        "customer_id": someone.row["id"] if someone else None, "name": name, "email": address,
        "phone": typed_phone(rng, phone) if phone and rng.random() < 0.7 else None,
        "order_number": order["number"] if about_order and rng.random() < 0.8 else None, "topic": topic,
        "body": rng.choice(("Hello, ", "Hi, ", "Good morning. ", "")) + body + rng.choice(("", " Thanks!",
            " Best wishes")),
        "status": status, "assigned_to": rng.choice(CLERKS) if status in ("open", "answered", "closed") else None,
        "created_at": clock.text(min(at, START - 60)),
    }  # fmt: skip


def typed_phone(rng: Random, phone: str) -> str:
    """A number as its owner might type it."""
    if phone.startswith("+1"):
        area, first, last = phone[2:5], phone[5:8], phone[8:]
        return rng.choice((f"({area}) {first}-{last}", f"{area}-{first}-{last}", f"{area}.{first}.{last}",
                           f"{area}{first}{last}", f"+1 {area} {first} {last}",
                           f"1-{area}-{first}-{last}"))  # fmt: skip
    national = "0" + phone[3:]
    return rng.choice((national, written(phone), f"{national[:5]} {national[5:]}", f"{phone[:3]} (0){phone[3:]}"))
