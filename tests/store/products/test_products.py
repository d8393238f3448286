"""The use cases of products: what each writes, what it refuses, and who may run it."""

from __future__ import annotations

import pytest
from goods_shop import DAYPACKS, MUG, MUGS, OUTDOOR, PACKS, TENT, TENTS
from sitegym.sites.kit.rules import Forbidden, Refused, Stale
from sitegym.sites.store import models
from sitegym.sites.store.services.permissions import PERMISSIONS
from sqlalchemy import select

ANYTHING = {
    "products.create": {"name": "Tarp", "brand_id": 1, "price": 100},
    "products.edit": {"id": TENT, "weight_g": 5},
    "products.set_status": {"id": TENT, "status": "disabled"},
    "products.set_categories": {"id": TENT, "category_ids": [TENTS]},
    "products.tag": {"id": TENT, "add": ["rush"]},
    "products.duplicate": {"id": TENT, "name": "Moor Tent 3P"},
    "products.delete": {"id": TENT},
    "products.put_on_sale": {"id": TENT, "percent": 1000},
    "products.end_sale": {"id": TENT},
}


def codes(error) -> list[tuple[str, str | None]]:
    """What was wrong, as code and field."""
    return [(problem.code, problem.field) for problem in error.value.problems]


def test_an_edit_writes_the_columns_one_audit_row_and_one_version(run, stored):
    done = run("products.edit", id=TENT, name="  Moor   Tent 2P+ ", weight_g="2,500", v=1)
    assert done == {"id": TENT, "v": 2, "changed": True}
    (row,) = stored(models.Product, id=TENT)
    assert (row["name"], row["name_key"], row["weight_g"], row["slug"]) == ("Moor Tent 2P+", "moor tent 2p+", 2500,
                                                                           "moor-tent-2p")  # fmt: skip
    (audit,) = stored(models.AuditRow, entity="product", entity_id=TENT)
    assert audit["action"] == "products.edit"
    assert '"field": "name"' in audit["changes_json"]
    assert '"field": "weight_g"' in audit["changes_json"]


def test_an_unchanged_form_writes_nothing(run, stored):
    (before,) = stored(models.Product, id=TENT)
    same = {name: before[name] for name in ("name", "slug", "brand_id", "description_html", "tax_class", "short_desc")}
    done = run("products.save", id=TENT, v=1, status="active", tags=["gift"], category_ids=[DAYPACKS], **same)
    assert not done["changed"]
    assert stored(models.Product, id=TENT) == [before]
    assert stored(models.AuditRow, entity="product") == []


def test_a_stale_version_is_a_conflict_and_writes_nothing(run, stored):
    run("products.edit", id=TENT, name="Theirs")
    with pytest.raises(Stale) as stale:
        run("products.edit", id=TENT, name="Mine", v=1)
    assert [(each.mine, each.theirs) for each in stale.value.conflict.fields] == [("Mine", "Theirs")]
    assert stored(models.Product, id=TENT)[0]["name"] == "Theirs"


def test_every_problem_is_told_at_once_with_its_field(run):
    with pytest.raises(Refused) as error:
        run("products.save", id=TENT, name=" ", slug="Not OK", brand_id=99, tax_class="", weight_g="-1",
            status="gone", tags=["nope"], category_ids=[77], short_desc="x" * 301)  # fmt: skip
    assert codes(error) == [
        ("REQUIRED", "name"), ("SLUG_FORMAT", "slug"), ("NOT_A_CHOICE", "brand_id"), ("NOT_A_CHOICE", "status"),
        ("NOT_A_CHOICE", "tax_class"), ("OUT_OF_RANGE", "weight_g"), ("TOO_LONG", "short_desc"),
        ("NOT_A_CHOICE", "tags"), ("NOT_A_CHOICE", "categories"),
    ]  # fmt: skip


def test_slugs_are_made_from_the_name_and_never_twice(run, stored):
    made = run("products.create", name="Ridge Pack 1", brand_id=2, price=100)
    assert stored(models.Product, id=made["id"])[0]["slug"] == "ridge-pack-1-2"
    run("products.edit", id=made["id"], name="Łąka Pack", slug="")
    assert stored(models.Product, id=made["id"])[0]["slug"] == "laka-pack"
    with pytest.raises(Refused) as error:
        run("products.edit", id=made["id"], slug="ridge-pack-2")
    assert codes(error) == [("SLUG_TAKEN", "slug")]
    assert "Ridge Pack 2" in error.value.message


def test_a_description_is_stored_clean(run, stored):
    run("products.edit", id=TENT, description_html='<p onclick="x()">Dry <b>inside</b><script>x()</script></p>')
    assert stored(models.Product, id=TENT)[0]["description_html"] == "<p>Dry <strong>inside</strong></p>"


def test_a_simple_product_begins_with_one_variant_and_its_stock(run, stored):
    made = run("products.create", name="Tarp 3x3", brand_id=2, price=7400, qty=4, sku="bi-ta-1", category_ids=[TENTS],
               tags=["gift"])  # fmt: skip
    (product,) = stored(models.Product, id=made["id"])
    assert (product["status"], product["kind"], product["slug"]) == ("draft", "simple", "tarp-3x3")
    (variant,) = stored(models.Variant, product_id=made["id"])
    assert (variant["sku"], variant["price"], variant["position"]) == ("BI-TA-1", 7400, 1)
    assert stored(models.Stock, variant_id=variant["id"])[0]["on_hand"] == 4
    assert [move["kind"] for move in stored(models.StockMove, variant_id=variant["id"])] == ["receipt"]
    assert [row["position"] for row in stored(models.ProductCategory, category_id=TENTS)] == [1]
    assert len(stored(models.AuditRow, entity="product", entity_id=made["id"])) == 1


def test_a_configurable_product_begins_without_variants(run, stored):
    made = run("products.create", name="Tarp", brand_id=2, kind="configurable")
    assert stored(models.Variant, product_id=made["id"]) == []
    with pytest.raises(Refused) as error:
        run("products.create", name="", brand_id=None, kind="bundle", price=-1, sku="!", qty=10**7)
    assert [code for code, _ in codes(error)] == ["REQUIRED", "REQUIRED", "NOT_A_CHOICE"]
    with pytest.raises(Refused) as error:
        run("products.create", name="Tarp", brand_id=2, price=-1, sku="RDG-1", qty=10**7)
    assert codes(error) == [("PRICE_RANGE", "price"), ("SKU_TAKEN", "sku"), ("OUT_OF_RANGE", "qty")]


def test_the_shop_shows_a_product_only_with_price_category_and_picture(run, stored, encoded, drawn):
    with pytest.raises(Refused) as error:
        run("products.set_status", id=MUG, status="active")
    assert codes(error) == [("PUBLISH_CATEGORY", "categories"), ("PUBLISH_IMAGE", "no_image")]
    with pytest.raises(Refused) as error:
        run("products.save", id=MUG, status="active", no_image=True)
    assert codes(error) == [("PUBLISH_CATEGORY", "categories")]
    run("products.save", id=MUG, status="active", no_image=True, category_ids=[MUGS])
    run("products.set_status", id=MUG, status="draft")
    run("products.add_image", id=MUG, filename="mug.png", data_base64=encoded(drawn()))
    run("variants.edit", id=5, price=0)
    with pytest.raises(Refused) as error:
        run("products.set_status", id=MUG, status="active")
    assert codes(error) == [("PUBLISH_PRICE", "status")]
    run("variants.edit", id=5, price=100)
    assert run("products.set_status", id=MUG, status="active")["changed"]
    assert stored(models.Product, id=MUG)[0]["status"] == "active"


def test_search_terms_count_what_the_shop_shows(run, stored):
    counted = lambda: {row["term"]: row["results"] for row in stored(models.SearchTerm)}  # noqa: E731
    assert counted() == {"moor": 1, "ridge pack": 4, "mugs": 0, "gift": 1}
    run("products.set_status", id=TENT, status="disabled")
    assert counted() == {"moor": 0, "ridge pack": 4, "mugs": 0, "gift": 0}
    run("products.edit", id=1, name="Moor Mugs")
    assert counted() == {"moor": 1, "ridge pack": 3, "mugs": 1, "gift": 0}


def test_categories_are_a_set_and_their_lists_keep_no_gaps(run, stored):
    run("products.set_categories", id=1, category_ids=[PACKS, TENTS, PACKS])
    places = {row["product_id"]: row["position"] for row in stored(models.ProductCategory, category_id=DAYPACKS)}
    assert places == {2: 1, 3: 2, TENT: 3}
    assert {row["category_id"] for row in stored(models.ProductCategory, product_id=1)} == {PACKS, TENTS}
    assert not run("products.set_categories", id=1, category_ids=[TENTS, PACKS])["changed"]
    run("products.set_categories", id=1, add=[OUTDOOR], remove=[TENTS])
    assert {row["category_id"] for row in stored(models.ProductCategory, product_id=1)} == {PACKS, OUTDOOR}


def test_tags_are_added_and_taken_off_by_name(run, stored):
    assert run("products.tag", id=TENT, add=["rush", "gift"], remove=["vip"])["changed"]
    assert not run("products.tag", id=TENT, add=["rush"])["changed"]
    run("products.tag", id=TENT, remove=["gift"])
    assert [row["tag_id"] for row in stored(models.ProductTag, product_id=TENT)] == [2]
    with pytest.raises(Refused):
        run("products.tag", id=TENT, add=["unheard of"])


def test_a_copy_is_a_draft_with_everything_but_stock_and_reviews(run, stored):
    run("products.put_on_sale", id=TENT, percent=1000)
    made = run("products.duplicate", id=TENT, name="Moor Tent 3P")["id"]
    (copy,) = stored(models.Product, id=made)
    assert (copy["status"], copy["slug"], copy["kind"], copy["v"]) == ("draft", "moor-tent-3p", "configurable", 1)
    old, new = stored(models.Variant, product_id=TENT), stored(models.Variant, product_id=made)
    assert [row["price"] for row in new] == [row["price"] for row in old]
    assert [row["options_key"] for row in new] == [row["options_key"] for row in old]
    assert [row["sku"] for row in new] == [f"{row['sku']}-2" for row in old]
    assert {row["sale_price"] for row in new} == {None}
    assert [row["alt"] for row in stored(models.ProductImage, product_id=made)] == ["Tent 1", "Tent 2", "Tent 3"]
    assert [row["value"] for row in stored(models.ProductSpec, product_id=made)] == ["2 people"]
    assert stored(models.Review, product_id=made) == []
    assert {stored(models.Stock, variant_id=row["id"])[0]["on_hand"] for row in new} == {0}


def test_a_product_that_nobody_ordered_goes_with_all_that_hangs_on_it(run, stored, world):
    variants = [row["id"] for row in stored(models.Variant, product_id=TENT)]
    files = [row["file_id"] for row in stored(models.ProductImage, product_id=TENT)]
    run("products.delete", id=TENT)
    for model in (models.Variant, models.ProductImage, models.ProductCategory, models.ProductTag, models.ProductSpec,
                  models.Review, models.WishlistItem, models.ProductOptionType):  # fmt: skip
        assert stored(model, product_id=TENT) == []
    for model in (models.Stock, models.VariantOption, models.StockMove):
        assert [row for id in variants for row in stored(model, variant_id=id)] == []
    assert [row for id in files for row in stored(models.File, id=id)] == []
    assert stored(models.ReviewVote) == []
    with world.read() as db:
        actions = list(db.scalars(select(models.AuditRow.action).order_by(models.AuditRow.id)))
    assert actions[-1] == "products.delete"


def test_pictures_that_a_copy_shows_outlive_the_original(run, stored):
    made = run("products.duplicate", id=TENT, name="Moor Tent 3P")["id"]
    run("products.delete", id=TENT)
    files = [row["file_id"] for row in stored(models.ProductImage, product_id=made)]
    assert len([row for id in files for row in stored(models.File, id=id)]) == 3


def test_an_ordered_product_is_not_deleted(run, stored):
    with pytest.raises(Refused) as error:
        run("products.delete", id=1)
    assert codes(error) == [("PRODUCT_HAS_ORDERS", None)]
    assert "archive it instead" in error.value.message
    assert stored(models.Product, id=1)


def test_a_sale_is_for_every_variant_or_for_none(run, stored):
    run("products.put_on_sale", id=TENT, percent=1500, sale_from="2026-03-20", sale_to="2026-03-31", v=1)
    rows = stored(models.Variant, product_id=TENT)
    assert [(row["sale_price"], row["sale_from"], row["sale_to"]) for row in rows] == [
        (price * 85 // 100, "2026-03-20", "2026-03-31") for price in (20000, 20500, 20000, 20500)
    ]
    for wrong in (
        {"percent": None},
        {"percent": 0},
        {"percent": 1500, "sale_from": "2026-04-02", "sale_to": "2026-04-01"},
    ):
        with pytest.raises(Refused):
            run("products.put_on_sale", id=TENT, **wrong)
    run("products.end_sale", id=TENT)
    assert {row["sale_price"] for row in stored(models.Variant, product_id=TENT)} == {None}


@pytest.mark.parametrize("role", ["clerk", "analyst"])
@pytest.mark.parametrize("use_case", sorted(ANYTHING))
def test_only_managers_and_the_owner_change_more_than_texts(run, stored, use_case, role):
    before = stored(models.Product), stored(models.Variant)
    with pytest.raises(Forbidden):
        run(use_case, role=role, **ANYTHING[use_case])
    assert (stored(models.Product), stored(models.Variant)) == before
    assert [row["action"] for row in stored(models.AuditRow)][-1] == "denied"


def test_a_clerk_writes_names_and_texts(run, stored):
    run("products.edit", role="clerk", id=TENT, name="Moor Tent", short_desc="Dry.", weight_g=2400)
    assert stored(models.Product, id=TENT)[0]["name"] == "Moor Tent"
    with pytest.raises(Forbidden):
        run("products.save", role="clerk", id=TENT, name="Moor", status="disabled")
    with pytest.raises(Forbidden):
        run("products.edit", role="analyst", id=TENT, name="Moor")
    assert stored(models.Product, id=TENT)[0]["name"] == "Moor Tent"


def test_forbidden_controls_look_as_the_map_says():
    own = [permission.look for name, permission in PERMISSIONS.items() if name.startswith("products.")]
    assert {look: own.count(look) for look in ("hidden", "disabled", "shown")} == {
        "hidden": 9,
        "disabled": 3,
        "shown": 4,
    }
