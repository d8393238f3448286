"""Tracking numbers: what each carrier's look like (R7), and adding one to a shipment."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import select

from ...kit.rules import Problem, Refused
from ..labels import CARRIER
from ..messages import refused
from ..models import Order, Shipment, ShipmentTrack
from ..regions import tidy
from .base import Actor, Write, begin
from .ledger import event

if TYPE_CHECKING:
    from ...kit.world import WorldContext


class Format(NamedTuple):
    """What a carrier's numbers look like: to the machine, and in words that complete "FedEx numbers have …"."""

    pattern: str
    words: str


FORMATS = {
    "fedex": Format(r"\d{12}|\d{15}", "12 or 15 digits"),
    "ups": Format(r"1Z[A-Z0-9]{16}", "1Z followed by 16 letters or digits"),
    "usps": Format(r"\d{20,22}", "20 to 22 digits"),
    "dhl": Format(r"\d{10}", "10 digits"),
    "other": Format(r".{4,40}", "4 to 40 characters"),
}


def parse(carrier: str, number: str) -> str:
    """A tracking number as it is stored: without spaces, UPS in capitals.

    Raises `Refused` NOT_A_CHOICE (field `carrier`), REQUIRED or TRACKING_FORMAT (field `tracking`).
    """
    if carrier not in FORMATS:
        raise refused("NOT_A_CHOICE" if carrier else "REQUIRED", "carrier", label="a carrier" if carrier else "Carrier")
    text = tidy(number)
    if carrier != "other":
        text = text.replace(" ", "")
    if carrier == "ups":
        text = text.upper()
    if not text:
        raise refused("REQUIRED", "tracking", label="Tracking number")
    if not re.fullmatch(FORMATS[carrier].pattern, text, re.ASCII):
        name = "Tracking" if carrier == "other" else CARRIER[carrier]
        raise refused("TRACKING_FORMAT", "tracking", carrier=name, format=FORMATS[carrier].words)
    return text


def add_track(
    world: WorldContext,
    actor: Actor,
    *,
    number: str,
    carrier: str,
    tracking: str,
    title: str = "",
    v: int | None = None,
) -> dict[str, Any]:
    """Add a tracking number to the shipment `number`; an empty title becomes the carrier's name. `v` is the order's.

    Raises `Refused` NOT_A_CHOICE, REQUIRED, TRACKING_FORMAT, TRACKING_TAKEN, TOO_LONG.
    """
    with begin(world, actor, "shipments.add_track", Shipment, number=number) as w:
        shipment = w.subject
        order = w.db.get_one(Order, shipment.order_id)
        w.check(order, v)
        track = put_track(w, shipment, carrier, tracking, title)
        w.bump(order)
        event(w, order, "system", f"Tracking number {track.number} ({track.title}) added to {shipment.number}")
        return {"number": shipment.number, "order": order.number, "track_id": track.id}


def wrong_tracks(tracks: Sequence[Mapping[str, str]]) -> list[Problem]:
    """Everything that is wrong with the tracking numbers of a new shipment; fields end in the position, from 0."""
    wrong: list[Problem] = []
    known: set[str] = set()
    for position, track in enumerate(tracks):
        try:
            number = parse(track.get("carrier", ""), track.get("number", ""))
            if number in known:
                raise refused("TRACKING_TAKEN", "tracking", shipment="This shipment")
            known.add(number)
            _title(track.get("title", ""), track["carrier"])
        except Refused as refusal:
            wrong += [replace(each, field=f"{each.field}.{position}") for each in refusal.problems]
    return wrong


def put_track(w: Write[Any], shipment: Shipment, carrier: str, tracking: str, title: str = "") -> ShipmentTrack:
    """Check a tracking number and add it to a shipment."""
    number = parse(carrier, tracking)
    title = _title(title, carrier)
    same = select(ShipmentTrack.id).filter_by(shipment_id=shipment.id, number=number)
    if w.db.scalars(same).first() is not None:
        raise refused("TRACKING_TAKEN", "tracking", shipment=shipment.number)
    track = w.add(ShipmentTrack, shipment_id=shipment.id, carrier=carrier, title=title, number=number, created_at=w.now)
    w.note(shipment, [{"field": "tracking", "old": None, "new": f"{title} {number}"}])
    return track


def _title(title: str, carrier: str) -> str:
    """The title as it is stored; none is the carrier's name."""
    text = tidy(title) or CARRIER[carrier]
    if len(text) > 60:
        raise refused("TOO_LONG", "title", label="Title", most=60)
    return text
