"""Pictures of products: what may come in, what is written, in which order they stand, and how they are served."""

from __future__ import annotations

import hashlib
from io import BytesIO

import pytest
from goods_shop import TENT
from PIL import Image
from sitegym.sites.kit.rules import Forbidden, Refused, Stale
from sitegym.sites.store import art, models
from sitegym.sites.store.art.kinds import figure_of
from sitegym.sites.store.art.picture import FIGURES, MARKS
from sitegym.sites.store.generate.catalogue import AWKWARD, BOTH_GREYS, BRAND_WORDS, LOOK_ALIKES
from sitegym.sites.store.generate.goods import KINDS
from sitegym.sites.store.services.picture_files import MOST_BYTES, MOST_PIXELS, checked


def test_an_upload_keeps_its_bytes_type_and_fingerprint(run, stored, drawn, encoded):
    data = drawn("JPEG")
    made = run("products.add_image", id=TENT, filename="C:\\pictures\\tent.png", mime="image/png",
               data_base64=encoded(data), alt=" At  dusk ", variant_id=7)  # fmt: skip
    (file,) = stored(models.File, id=made["file_id"])
    assert (file["name"], file["mime"], file["bytes"]) == ("tent.png", "image/jpeg", len(data))
    assert file["sha256"] == hashlib.sha256(data).hexdigest()
    assert file["data"] == data
    (image,) = stored(models.ProductImage, id=made["image_id"])
    assert (image["alt"], image["variant_id"], image["position"]) == ("At dusk", 7, 4)


@pytest.mark.parametrize(
    ("name", "make", "code"),
    [
        pytest.param("tent.gif", lambda drawn: drawn("GIF"), "FILE_TYPE", id="another-format"),
        pytest.param("tent.png", lambda drawn: drawn("WEBP"), "FILE_TYPE", id="a-format-behind-a-wrong-name"),
        pytest.param("tent.svg", lambda drawn: b"<svg onload='x()'/>", "FILE_TYPE", id="svg"),
        pytest.param("tent.png", lambda drawn: b"<html><script>x()</script>", "FILE_TYPE", id="html-called-png"),
        pytest.param("tent.png", lambda drawn: b"", "FILE_TYPE", id="nothing"),
        pytest.param("tent.png", lambda drawn: drawn("PNG", side=400)[:-90], "FILE_BROKEN", id="cut-png"),
        pytest.param("tent.jpg", lambda drawn: drawn("JPEG", side=400)[:900], "FILE_BROKEN", id="cut-jpg"),
        pytest.param("tent.png", lambda drawn: drawn() + bytes(MOST_BYTES), "FILE_SIZE", id="too-many-bytes"),
        pytest.param("tent.png", lambda drawn: drawn(side=MOST_PIXELS + 1), "IMAGE_SIDES", id="too-many-pixels"),
    ],
)
def test_what_is_no_picture_is_refused_and_named(run, stored, drawn, encoded, name, make, code):
    with pytest.raises(Refused) as error:
        run("products.add_image", id=TENT, filename=name, mime="image/png", data_base64=encoded(make(drawn)))
    assert (error.value.code, error.value.field) == (code, "files")
    assert name in error.value.message
    assert len(stored(models.File)) == 3


def test_a_name_never_leads_out_of_its_folder(drawn):
    assert checked("../../etc/passwd", drawn()).name == "passwd"
    assert checked("x" * 300 + ".png", drawn()).name == "x" * 90 + ".png"
    assert checked("", drawn()).name == "picture"


def test_pictures_are_ordered_without_gaps(run, stored):
    assert run("products.order_images", id=TENT, image_ids=[3, 1, 2])["changed"]
    order = {row["id"]: row["position"] for row in stored(models.ProductImage)}
    assert order == {3: 1, 1: 2, 2: 3}
    assert not run("products.order_images", id=TENT, image_ids=[3, 1, 2])["changed"]
    for wrong in ([3, 1], [3, 1, 2, 2], [3, 1, 9]):
        with pytest.raises(Refused) as error:
            run("products.order_images", id=TENT, image_ids=wrong)
        assert error.value.code == "IMAGE_ORDER"
    run("products.remove_image", image_id=1)
    assert {row["id"]: row["position"] for row in stored(models.ProductImage)} == {3: 1, 2: 2}
    assert stored(models.File, id=1) == []


def test_the_images_tab_saves_order_texts_and_variants_in_one_write(run, stored):
    pictures = [{"image_id": 2, "alt": "Inside", "variant_id": 6}, {"image_id": 1, "alt": "Tent 1", "variant_id": None},
                {"image_id": 3, "alt": "Tent 3", "variant_id": None}]  # fmt: skip
    assert run("products.save_images", id=TENT, images=pictures, v=1) == {"id": TENT, "v": 2, "changed": True}
    rows = sorted(stored(models.ProductImage), key=lambda row: row["position"])
    assert [(row["id"], row["alt"], row["variant_id"]) for row in rows] == [(2, "Inside", 6), (1, "Tent 1", None),
                                                                          (3, "Tent 3", None)]  # fmt: skip
    (audit,) = stored(models.AuditRow, entity="product")
    assert '"field": "variant on moor-tent-2p-2.png", "new": "BI-TN005-MS", "old": "all"' in audit["changes_json"]
    assert not run("products.save_images", id=TENT, images=pictures, v=2)["changed"]
    with pytest.raises(Stale):
        run("products.save_images", id=TENT, images=pictures[::-1], v=1)
    pictures[0] |= {"alt": "x" * 201}
    pictures[1] |= {"variant_id": 1}
    with pytest.raises(Refused) as error:
        run("products.save_images", id=TENT, images=pictures, v=2)
    assert [(each.code, each.field) for each in error.value.problems] == [("TOO_LONG", "alt-2"),
                                                                         ("NOT_A_CHOICE", "variant_id-1")]  # fmt: skip


def test_clerks_look_after_pictures_and_analysts_do_not(run, encoded, drawn):
    data = {"filename": "a.png", "data_base64": encoded(drawn())}
    run("products.add_image", role="clerk", id=TENT, **data)
    run("products.edit_image", role="clerk", image_id=1, alt="New")
    for use_case, fields in (("add_image", {"id": TENT, **data}), ("edit_image", {"image_id": 1, "alt": "x"}),
                             ("order_images", {"id": TENT, "image_ids": [2, 1, 3, 4]}),
                             ("remove_image", {"image_id": 1}),
                             ("save_images", {"id": TENT, "images": [{"image_id": 1, "alt": "x"}]})):  # fmt: skip
        with pytest.raises(Forbidden):
            run(f"products.{use_case}", role="analyst", **fields)


def test_an_upload_is_served_as_it_came_and_never_as_anything_else(ask, run, encoded, drawn):
    data = drawn("JPEG")
    made = run("products.add_image", id=TENT, filename="x.html", data_base64=encoded(data))
    address = f"/media/products/{made['file_id']}-{hashlib.sha256(data).hexdigest()[:8]}/96"
    answer = ask().get(address)
    assert (answer.status_code, answer.data, answer.mimetype) == (200, data, "image/jpeg")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "immutable" in answer.headers["Cache-Control"]
    assert "private" in answer.headers["Cache-Control"]
    assert ask(None).get(address).status_code == 303


def test_a_drawn_picture_depends_on_its_address_alone(ask, stored):
    somebody = ask()
    page = somebody.get(f"/products/{TENT}/images").text
    (file,) = stored(models.File, id=1)
    address = f"/media/products/1-{file['sha256'][:8]}-5b6b3a/320"
    assert address in page
    first, again = somebody.get(address), ask("analyst").get(address)
    assert first.data == again.data
    assert Image.open(BytesIO(first.data)).size == (320, 320)
    for wrong in (address.replace("5b6b3a", "zzzzzz"), address.replace("/320", "/333"), address.replace("1-", "9-", 1),
                  address.replace("-5b6b3a", ""), "/media/products/1-x/48"):  # fmt: skip
        answer = somebody.get(wrong)
        assert answer.status_code == 404
        assert answer.headers["Cache-Control"] == "no-store"


def test_every_kind_of_the_catalogue_has_a_figure_of_its_own():
    planted = [(noun, name) for noun, names in LOOK_ALIKES for name in names]
    planted += [*AWKWARD, *BRAND_WORDS, *BOTH_GREYS]
    figures = {kind.noun: figure_of(f"Larch {kind.noun}{kind.suffix[-1]}") for kind in KINDS}
    assert "parcel" not in figures.values()
    assert len(set(figures.values())) >= len(KINDS) - 2
    assert {noun: figure_of(name) for noun, name in planted} == {noun: figures[noun] for noun, _ in planted}
    assert figure_of("Something new") == "parcel"
    assert set(FIGURES) == set(MARKS)


def test_pictures_tell_products_apart_and_are_drawn_the_same_each_time():
    drawn = {(figure, colour): art.draw(figure, colour, "Ember", "seed", 1, 96) for figure in FIGURES
             for colour in ("1c1c1e", "cdb892")}  # fmt: skip
    assert len(set(drawn.values())) == len(drawn)
    assert art.picture.draw.__wrapped__("tent", "1c1c1e", "Ember", "seed", 1, 96) == drawn["tent", "1c1c1e"]
    views = {art.draw("pack", "5b6b3a", "Ember", "seed", view, 96) for view in (1, 2, 3)}
    brands = {art.draw("pack", "5b6b3a", brand, "seed", 1, 96) for brand in ("Ember", "Summit", "Umbra")}
    seeds = {art.draw("pack", "5b6b3a", "Ember", str(seed), 1, 96) for seed in range(20)}
    assert (len(views), len(brands)) == (3, 3)
    assert len(seeds) > 15
