"""What tasks about the catalogue must never be: ambiguous, or refused by the shop. On the whole of `base`."""

from __future__ import annotations

from sitegym import tasks
from sitegym.sites.kit.money import half_up
from sitegym.tasks.task import every
from sitegym.verifiers import Snapshot

OPTIONS = """
SELECT v.id, v.product_id, t.name AS kind, o.value FROM variants v JOIN variant_options l ON l.variant_id = v.id
JOIN option_types t ON t.id = l.type_id JOIN option_values o ON o.id = l.value_id
"""


def options(base: Snapshot) -> dict[int, dict[str, str]]:
    found: dict[int, dict[str, str]] = {}
    for row in base.query(OPTIONS):
        found.setdefault(row.id, {})[row.kind] = row.value
    return found


def changed(base: Snapshot, task_id: str, p: object, table: str) -> dict[object, object]:
    must = tasks.template(task_id).expected(base, p).must  # type: ignore[arg-type]
    return {part.key: part.values for part in must if part.table == table}  # type: ignore[union-attr]


def test_a_named_product_is_active_and_only_one(base: Snapshot) -> None:
    products = {row.id: row for row in base.rows("products")}
    for name in ("disable-product", "sell-out-product", "receive-goods", "change-prices", "change-some-prices"):
        for p in every(f"store.admin/{name}"):
            row = products[p.of]
            namesakes = base.rows("products", name_key=row.name_key)
            assert row.status == "active"
            assert [one.id for one in namesakes if one.status == "active"] == [p.of]
            assert ("namesake" in p.product) == (len(namesakes) > 1)


def test_deliveries_are_for_every_value_that_is_named(base: Snapshot) -> None:
    known = options(base)
    for p in every("store.admin/receive-goods"):
        stock = changed(base, "store.admin/receive-goods", p, "stock")
        assert sorted(known[key][p.kind] for key in stock) == sorted(p.values)  # type: ignore[index]
        assert {known[key]["Color"] for key in stock} == {p.color}  # type: ignore[index]
        for key, values in stock.items():
            assert values["on_hand"] == base.row("stock", variant_id=key).on_hand + p.units  # type: ignore[index]


def test_new_prices_are_exact_and_allowed(base: Snapshot) -> None:
    variants = {row.id: row for row in base.rows("variants")}
    for name in ("change-prices", "change-some-prices"):
        for p in every(f"store.admin/{name}"):
            for key, values in changed(base, f"store.admin/{name}", p, "variants").items():
                old, new = variants[key], values["price"]  # type: ignore[index]
                assert 0 < new != old.price
                assert new > (old.sale_price or 0)
                if p.change.basis_points:
                    assert new == half_up(old.price * (10_000 + p.change.basis_points), 10_000)
                    assert (old.price * p.change.basis_points) % 10_000 != 5_000  # nobody can round it otherwise
                else:
                    assert new == old.price + p.change.cents


def test_a_range_of_sizes_is_a_range_and_never_everything(base: Snapshot) -> None:
    known, places = options(base), {}
    for row in base.query("SELECT t.name AS kind, o.value, o.position FROM option_values o JOIN option_types t"
                          " ON t.id = o.type_id"):  # fmt: skip
        places[row.kind, row.value] = row.position
    greys = 0
    for p in every("store.admin/change-some-prices"):
        own = [row.id for row in base.rows("variants", product_id=p.of)]
        keys = changed(base, "store.admin/change-some-prices", p, "variants")
        meant = [id_ for id_ in own if known[id_]["Color"] in p.colors]
        if p.kind:
            first, last = (places[p.kind, p.values[end]] for end in (0, -1))
            meant = [id_ for id_ in meant if first <= places[p.kind, known[id_][p.kind]] <= last]
        assert set(keys) == set(meant) < set(own)
        greys += bool({"Grey", "Gray"} <= {known[id_]["Color"] for id_ in own} and {"Grey", "Gray"} & set(p.colors))
    assert greys >= 5
