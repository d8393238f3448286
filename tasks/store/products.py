"""Products as tasks name them: words that mean one product only, and the products that are easy to take for it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from difflib import SequenceMatcher

from ...sites.kit.text import key
from ...verifiers import Row, Snapshot


def named(db: Snapshot) -> dict[int, str]:
    """What each product is called in a task, by id: `the product "Ridge Pack 20L"`.

    Where an archived product has the same name the active one is told from it by its status. Products that words can't
    single out are left out.
    """
    products = db.rows("products")
    of_name: dict[str, list[Row]] = {}
    for row in products:
        of_name.setdefault(row.name_key, []).append(row)
    found = {}
    for row in products:
        namesakes = of_name[row.name_key]
        if len(namesakes) == 1:
            found[row.id] = f'the product "{row.name}"'
        elif row.status == "active" and sum(one.status == "active" for one in namesakes) == 1:
            found[row.id] = f'the product "{row.name}" (the one with the status Active, not its namesake)'
    return found


def look_alikes(db: Snapshot) -> set[int]:
    """Products whose name differs from another one's only in digits, spaces or marks (T1), or not at all (T19)."""
    cores = {row.id: _core(row.name) for row in db.rows("products")}
    count = Counter(cores.values())
    return {id_ for id_, core in cores.items() if count[core] > 1}


def sibling(db: Snapshot, product_id: int, among: Iterable[int]) -> int | None:
    """The product with the most similar name; None where there is no other."""
    names = {row.id: row.name for row in db.rows("products")}
    mine = names[product_id]
    others = sorted(id_ for id_ in among if id_ != product_id)
    return max(others, key=lambda id_: (SequenceMatcher(None, mine, names[id_]).ratio(), -id_), default=None)


def product_entity(product_id: int) -> str:
    """The entity that a product is."""
    return f"product:{product_id}"


def _core(name: str) -> str:
    words = re.sub(r"\b(ii|\d+\s*\w*)\b", "", key(name))
    return "".join(char for char in words if char.isalpha())
