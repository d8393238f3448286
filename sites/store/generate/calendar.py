"""When orders are placed, by whom, and how each of them ends: the skeleton that the history fills in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

from . import clock
from .plan import DAY, OPENED, START, Plan
from .sheet import exact, stream

_HOURS = (1, 1, 1, 1, 1, 2, 4, 7, 9, 11, 12, 12, 12, 11, 11, 11, 12, 13, 14, 15, 14, 11, 7, 3)
"""How much is bought by hour of the day."""

_SUSPECT = ("fraud_review", "canceled:fraud")

MONTH_ENDS = (
    "2025-04-30T23:59:59Z", "2025-05-01T00:00:00Z", "2025-07-31T23:59:59Z", "2025-08-01T00:00:00Z",
    "2025-09-30T23:59:59Z", "2025-10-01T00:00:00Z", "2025-12-31T23:59:59Z", "2026-01-01T00:00:00Z",
    "2026-01-31T23:59:59Z", "2026-02-01T00:00:00Z",
)  # fmt: skip

_OPEN = (
    ("complete:return_requested", 7, 45, 15),
    ("complete:return_approved", 10, 50, 20),
    ("complete:return_received", 14, 55, 25),
    ("complete:refund_waiting", 6, 40, 15),
    ("fraud_review", 0, 32, 10),
    ("pending:stale", 31, 75, 30),
    ("pending:bank", 0, 28, 10),
    ("pending", 0, 28, 9),
    ("canceled:fraud", 1, 420, 150),
    ("processing:unpaid", 2, 50, 18),
    ("processing:part", 3, 70, 24),
    ("processing", 1.2, 75, 20),
    ("on_hold", 1.2, 75, 22),
)
"""Fates that need young orders: from and to how many days, and after how many they are half as likely."""


@dataclass(eq=False)
class Slot:
    """An order to come: when, whose (None is a guest), and its fate."""

    at: int
    fate: str = ""
    owner: int | None = None
    """Index of the customer; customers are numbered by their number of orders, most first."""
    guest_uses_account: bool = False

    @property
    def status(self) -> str:
        """The status in which the order ends."""
        return self.fate.partition(":")[0]

    @property
    def age_days(self) -> float:
        """Days before the start of the world."""
        return (START - self.at) / DAY


def skeleton(plan: Plan, seed: int) -> list[Slot]:
    """All orders of a data set in order of time, but for exchange orders, which follow from returns."""
    rng = stream(seed, "calendar")
    slots = [Slot(at) for at in _times(rng, plan.orders - plan.fates["complete:exchange"])]
    _fates(rng, slots, plan)
    _owners(rng, slots, plan)
    return slots


def _times(rng: Random, count: int) -> list[int]:
    """Instants: a growing shop, busy before the holidays and on weekends, with the month-end edges planted."""
    days = range(OPENED // DAY, START // DAY + 1)
    weights = [_day_weight(day * DAY, (day - days[0]) / len(days)) for day in days]
    planted = [clock.seconds(text) for text in MONTH_ENDS[: max(6, min(len(MONTH_ENDS), count // 60))]]
    times = set(planted)
    while len(times) < count:
        day = rng.choices(days, weights)[0]
        instant = day * DAY + rng.choices(range(24), _HOURS)[0] * 3600 + rng.randrange(3600)
        if instant < START - 300:
            times.add(instant)
    return sorted(times)


def _day_weight(instant: int, progress: float) -> float:
    """How busy a day is."""
    busy = 1.9 if clock.date(instant)[5:7] in ("11", "12") else 1.0
    return float(busy * (0.3 + 2.7 * progress**1.6) * (1.2 if clock.weekday(instant) >= 5 else 1.0))


def _fates(rng: Random, slots: list[Slot], plan: Plan) -> None:
    """Give each order its end; what is open is recent, what is finished had the time for it."""
    fates = {fate: count for fate, count in plan.fates.items() if fate != "complete:exchange"}
    newest_first = slots[::-1]
    for slot in [slot for slot in newest_first if slot.age_days < 1.2][: fates["pending"] // 3]:
        _take(slot, fates, "pending")
    done = {slot for slot in slots if slot.age_days > 2.5 and rng.random() < 0.16}
    for prefix, low, high, peak in _OPEN:
        for fate in [name for name in fates if name.startswith(prefix)]:
            free = [slot for slot in slots if not slot.fate and low <= slot.age_days <= high and slot not in done]
            for slot in _weighted(rng, free, fates[fate], peak):
                _take(slot, fates, fate)
    _rest(rng, slots, fates)


def _rest(rng: Random, slots: list[Slot], fates: dict[str, int]) -> None:
    """The finished orders: closed and returned ones are older, month ends stay plainly complete."""
    edges = {clock.seconds(text) for text in MONTH_ENDS}
    for slot in slots:
        if slot.at in edges and not slot.fate:
            _take(slot, fates, "complete")
    for fate in [name for name in fates if name != "complete" and fates[name]]:
        low = 40 if "return" in fate or "exchange" in fate else 16 if "refund" in fate or "twice" in fate else 3
        free = [slot for slot in slots if not slot.fate and slot.age_days >= low and slot.at not in edges]
        for slot in rng.sample(free, fates[fate]):
            _take(slot, fates, fate)
    for slot in slots:
        if not slot.fate:
            _take(slot, fates, "complete")
    _cool(slots)


def _cool(slots: list[Slot]) -> None:
    """An order of the last two days cannot be complete yet: swap its fate with an older pending one."""
    older = [slot for slot in slots if slot.fate == "pending" and slot.age_days > 3]
    for slot in slots:
        if slot.age_days < 2.2 and slot.fate.startswith(("complete", "closed")) and older:
            other = older.pop()
            slot.fate, other.fate = other.fate, slot.fate


def _take(slot: Slot, fates: dict[str, int], fate: str) -> None:
    """Give a fate to a slot, once."""
    if not slot.fate and fates[fate] > 0:
        slot.fate = fate
        fates[fate] -= 1


def _weighted(rng: Random, slots: list[Slot], count: int, peak: float) -> Iterable[Slot]:
    """`count` different slots; those that are `peak` days older half as often."""
    keyed = [(rng.random() ** (2.0 ** (slot.age_days / peak)), slot.at, slot) for slot in slots]
    return [slot for _, _, slot in sorted(keyed, reverse=True)[:count]]


def _owners(rng: Random, slots: list[Slot], plan: Plan) -> None:
    """Whose orders they are: 6 % guests, the rest by a falling curve; who is under suspicion has bought nothing yet."""
    suspects = [slot for slot in slots if slot.fate in _SUSPECT]
    guests = set(suspects[::3])
    free = [s for s in slots if s.fate not in _SUSPECT and not s.fate.startswith(("complete:", "closed"))]
    strangers = rng.sample(free, max(0, round(len(slots) * 0.06) - len(guests)))
    for slot in strangers[: plan.guests_with_account]:
        slot.guest_uses_account = True
    guests.update(strangers)
    owned = [slot for slot in slots if slot not in guests]
    firsts = [slot for slot in owned if slot.fate in _SUSPECT]
    rest = [slot for slot in owned if slot.fate not in _SUSPECT]
    counts = _curve(len(owned), plan.customers - plan.without_orders, plan.most_orders)
    singles = [index for index, count in enumerate(counts) if count == 1]
    chosen = rng.sample(singles, min(len(firsts), len(singles)))
    for slot, owner in zip(firsts, chosen, strict=False):
        slot.owner = owner
    crowd = exact(rng, {str(i): count for i, count in enumerate(counts) if i not in set(chosen)})
    for slot, who in zip(rest, crowd, strict=False):
        slot.owner = int(who)


def _curve(orders: int, customers: int, most: int) -> list[int]:
    """Orders per customer, most first: a Zipf-Mandelbrot curve from `most` down to 1 that sums to `orders`."""
    low, high = 0.01, 10_000.0
    for _ in range(60):
        flat = (low + high) / 2
        sums = sum(most * (1 + flat) / (rank + flat) for rank in range(1, customers + 1))
        low, high = (flat, high) if sums < orders else (low, flat)
    counts = [max(1, round(most * (1 + flat) / (rank + flat))) for rank in range(1, customers + 1)]
    at = customers // 4
    while (off := orders - sum(counts)) != 0:
        if counts[at] > 1 or off > 0:
            counts[at] += 1 if off > 0 else -1
        at = at + 1 if at + 1 < customers * 3 // 4 else customers // 8
    return [most, *sorted(counts[1:], reverse=True)]


def orders_of(slots: list[Slot]) -> Counter[int]:
    """How many orders each customer places."""
    return Counter(slot.owner for slot in slots if slot.owner is not None)
