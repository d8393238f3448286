"""The start page: key figures of a span of days, a chart of sales, and what waits for somebody."""

from __future__ import annotations

from typing import Any

from flask import Response, g, jsonify, request
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form
from ...kit.periods import periods
from ...kit.rules import Refused
from .. import labels, messages, sales
from ..sales import Bucket, Span
from ..services import profile
from . import blueprint, chart, dashboard_facts, frame, grid_filters, present

bp = blueprint("dashboard", __name__)

USUAL = "last_30_days"
LONGEST = 800
"""Days that a span may have."""


@bp.get("/")
def show() -> Answer:
    """The dashboard of the last 30 days, or of the days asked for."""
    presets = periods(g.world.today())
    usual = next(each for each in presets if each.code == USUAL)
    span, form = asked(Span(first=usual.first, last=usual.last))
    db = frame.db()
    days = sales.by_day(db, Span(first=span.before().first, last=span.last))
    parts = sales.buckets(days, span)
    by_status = dashboard_facts.counts(db)
    found = dashboard_facts.numbers(db, span, g.world.today())
    return frame.page(
        "admin/dashboard.html",
        status=422 if form.problems else 200,
        filters={"period": [["between", [span.first, span.last]]]},
        span=span,
        form=form,
        presets=presets,
        period=grid_filters.period_of(presets)(span.first, span.last),
        figures=arranged(dashboard_facts.figures(found, days, span)),
        chart=chart.draw(parts, [tick(part) for part in parts]),
        parts=[{"name": name(part), "part": part} for part in parts],
        sums=(sales.total(days, span), sales.total(days, span.before())),
        unit=unit(span),
        counts=[(code, text, by_status.get(code, 0)) for code, text in labels.ORDER_STATUS.items()],
        waiting=dashboard_facts.waiting(found, by_status),
        latest=dashboard_facts.latest(db),
        low=dashboard_facts.low(db),
        terms=dashboard_facts.terms(db),
        placed_today=(found["placed"], found["placed_total"]),
    )


def asked(usual: Span) -> tuple[Span, Form]:
    """The span in the address, and its form; a wrong one is told, and the usual one shown."""
    typed = request.args if {"from", "to"} & set(request.args) else None
    form = Form(messages.CATALOGUE, typed, {"from": usual.first, "to": usual.last})
    if typed is None:
        return usual, form
    first = form.day("from", "From", required=True)
    last = form.day("to", "To", required=True)
    if first is None or last is None:
        return usual, form
    span = Span(first=first, last=last)
    if first > last:
        form.wrong("DATE_ORDER", "to")
    elif span.days > LONGEST or first < "1990":
        form.wrong("SPAN_TOO_LONG", "from", most=LONGEST)
    return (usual if form.problems else span), form


def arranged(figures: list[dashboard_facts.Figure]) -> list[dashboard_facts.Figure]:
    """The tiles in the order that the person signed in gave them; new ones come last."""
    order = {code: place for place, code in enumerate(frame.preferences()["tiles"])}
    return sorted(figures, key=lambda figure: order.get(figure.code, len(order)))


def unit(span: Span) -> str:
    """What a bar of the chart stands for."""
    if span.days <= sales.MOST_DAYS:
        return "day"
    return "week" if span.days <= sales.MOST_WEEKS else "month"


def name(part: Bucket) -> str:
    """A part of the span: a day, or its first and last one."""
    return (
        present.day(part.first) if part.first == part.last else f"{present.day(part.first)} – {present.day(part.last)}"
    )


def tick(part: Bucket) -> str:
    """What stands below a bar: the day without the year, which the whole span has."""
    month, day = int(part.first[5:7]), int(part.first[8:])
    if present.locale() == "de-DE":
        return f"{day}.{month}."
    text = present.MONTHS[month - 1]
    return f"{day} {text}" if present.locale() == "en-GB" else f"{text} {day}"


@bp.post("/dashboard/tiles")
def arrange() -> Response:
    """Keep the order of the tiles; sent by the page's script."""
    wanted: dict[str, Any] = {"tiles": request.form.get("tiles", "").split(",")}
    try:
        profile.preferences(g.world, g.actor, **wanted)
    except Refused as refused:
        response = jsonify(code=refused.code, message=refused.message)
        response.status_code = 422
        return response
    return jsonify(tiles=wanted["tiles"])
