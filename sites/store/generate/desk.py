"""The shop at work: what placing, billing, sending, refunding and returning write, one method each.

The rows, texts and side rows are those of the shop's services, so that old orders look like new ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from ...kit.money import money
from ..labels import CANCEL_REASON, CARRIER, HOLD_REASON
from ..totals import Line, Rule, Totals, applicable, line_amount, totals
from .books import Books, Buyer, Case
from .people import Someone
from .sheet import Row

CLERKS, MANAGERS = (5, 6, 7, 8, 9, 10, 11), (2, 3, 4)
"""Staff ids by role, as `people.STAFF` lists them."""
AT_ONCE = ("card", "wallet", "store_credit")


class Desk(Books):
    """The writes that move the shop on."""

    # placing

    def price(self, buyer: Buyer, basket: Sequence[tuple[Row, int]], shipping: str, code: str | None) -> Totals:
        """What a basket costs today."""
        day, someone = self.at[:10], buyer.someone
        customer_id = someone.row["id"] if someone else None
        candidates = self.offers.candidates(day, customer_id)
        group = someone.group_id if someone else 1
        rules: list[Rule] = applicable(candidates, today=day, group_id=group, code=code)
        lines: list[Line] = [self.catalogue.line(variant, qty, self.at) for variant, qty in basket]
        return totals(lines, rules, self.offers.shipping[shipping], self.offers.rates, buyer.region)

    def place(self, buyer: Buyer, basket: Sequence[tuple[Row, int]], *, shipping: str, pay: str, channel: str = "web",
              coupon: Row | None = None, card: str | None = None, note: str | None = None) -> Case:  # fmt: skip
        """E.place; a large first order goes to fraud review."""
        sums = self.price(buyer, basket, shipping, coupon["code"] if coupon else None)
        if coupon and coupon["promotion_id"] not in sums.applied:
            coupon, sums = None, self.price(buyer, basket, shipping, None)
        someone = buyer.someone
        risky = channel == "web" and sums.total > 150_000 and not (someone and someone.completed)
        if pay == "store_credit" and not (someone and someone.credit >= sums.total > 0):
            pay, card = "wallet", None
        order = self._order(
            buyer, sums, "fraud_review" if risky else "pending", shipping, pay, channel, coupon, card, note
        )
        case = Case(
            order, [self._item(order, variant, qty, sums.lines[i]) for i, (variant, qty) in enumerate(basket)], buyer
        )
        self._addresses(case)
        self._promise(case, sums, coupon)
        self.event(case, "system", "Order placed", moved=(None, order["status"]))
        self.mail(case, "order_placed", f"Your order {order['number']}",
                  f"Thank you for your order {order['number']} over {money(order['total'])}.")  # fmt: skip
        self.cases.append(case)
        return case

    def exchange(self, case: Case, rma: Row, basket: Sequence[tuple[Row, int]]) -> Case:
        """E.exchange: an order that costs nothing, and the return closed."""
        sums = totals([Line(unit_price=0, qty=qty) for _, qty in basket], [], self.offers.shipping["pickup"], {}, "")
        order = self._order(case.buyer, sums, "pending", "standard", "store_credit", "exchange", None, None, None)
        items = [self._item(order, variant, qty, sums.lines[i]) for i, (variant, qty) in enumerate(basket)]
        new = Case(order, items, case.buyer)
        self._addresses(new)
        self._promise(new, sums, None)
        self.event(new, "system", f"Exchange for return {rma['number']}", moved=(None, "pending"))
        self.decide_return(case, rma, "closed")
        self.cases.append(new)
        return new

    def _order(self, buyer: Buyer, sums: Totals, status: str, shipping: str, pay: str, channel: str,
               coupon: Row | None, card: str | None, note: str | None) -> Row:  # fmt: skip
        return self.sheet.add(
            "orders", number=str(self.sheet.number("orders", 100_000)),
            customer_id=buyer.someone.row["id"] if buyer.someone else None, email=buyer.email, customer_name=buyer.name,
            status=status, channel=channel, subtotal=sums.subtotal, discount=sums.discount, shipping=sums.shipping,
            tax=sums.tax, total=sums.total, coupon_code=coupon["code"] if coupon else None, shipping_code=shipping,
            pay_method=pay, card_last4=card if pay == "card" else None, customer_note=note, placed_at=self.at,
            updated_at=self.at,
        )  # fmt: skip

    def _item(self, order: Row, variant: Row, qty: int, sums: Any) -> Row:
        thing = self.catalogue.by_variant[variant["id"]]
        return self.sheet.add(
            "order_items", order_id=order["id"], variant_id=variant["id"], sku=variant["sku"], name=thing.row["name"],
            options_text=thing.labels[variant["id"]], unit_price=sums.row_total // qty, qty_ordered=qty,
            row_total=sums.row_total, discount=sums.discount, tax=sums.tax,
        )  # fmt: skip

    def _addresses(self, case: Case) -> None:
        for kind, source in (("billing", case.buyer.billing), ("shipping", case.buyer.shipping)):
            fields = {name: source[name] for name in (
                "full_name", "company", "line1", "line2", "city", "region", "postcode", "country",
                "phone")}  # fmt: skip
            self.sheet.add("order_addresses", order_id=case.order["id"], kind=kind, **fields)

    def _promise(self, case: Case, sums: Totals, coupon: Row | None) -> None:
        """What placing takes: units, coupon and promotion uses, store credit."""
        order, someone = case.order, case.buyer.someone
        for item in case.items:
            self.move(item["variant_id"], "reserve", reserved=item["qty_ordered"], ref=("order", order["id"]))
        if coupon:
            self.sheet.add(
                "coupon_uses", coupon_id=coupon["id"], order_id=order["id"], customer_id=order["customer_id"]
            )
        for promotion in sums.applied:
            self.offers.use(promotion, order["customer_id"])
        if order["pay_method"] == "store_credit" and order["total"] and someone:
            self.credit(someone, -order["total"], f"Order {order['number']}", order)

    # what staff do to an order

    def cancel(self, case: Case, reason: str, *, notify: bool = True) -> None:
        """E.cancel."""
        order, before = case.order, case.order["status"]
        for item in case.items:
            units = case.open_units(item)
            item["qty_canceled"] = item["qty_ordered"]
            self.move(item["variant_id"], "release", reserved=-units, ref=("order", order["id"]))
        order.update(status="canceled", cancel_reason=reason)
        uses = self.sheet.tables["coupon_uses"]
        self.sheet.tables["coupon_uses"] = [use for use in uses if use["order_id"] != order["id"]]
        if order["pay_method"] == "store_credit" and case.buyer.someone and order["total"]:
            self.credit(case.buyer.someone, order["total"], f"Order {order['number']} canceled", order)
        self.event(case, "status", f"Canceled: {CANCEL_REASON[reason]}", notify=notify, moved=(before, "canceled"))
        self.audit("orders.cancel", "order", order["id"],
                   [*((f"{i['sku']} qty_canceled", 0, i["qty_canceled"]) for i in case.items),
                    ("status", before, "canceled"), ("cancel_reason", None, reason)])  # fmt: skip
        if notify:
            number = order["number"]
            self.mail(case, "order_canceled", f"Your order {number} has been canceled",
                      f"Your order {number} has been canceled. If you have already paid, the money goes back the way "
                      "it came.")  # fmt: skip

    def hold(self, case: Case, reason: str) -> None:
        """E.hold."""
        order, before = case.order, case.order["status"]
        order.update(status="on_hold", prev_status=before, hold_reason=reason)
        self.event(case, "status", f"Put on hold: {HOLD_REASON[reason]}", moved=(before, "on_hold"))
        self.audit("orders.hold", "order", order["id"],
                   [("status", before, "on_hold"), ("prev_status", None, before), ("hold_reason", None,
                       reason)])  # fmt: skip

    def unhold(self, case: Case) -> None:
        """E.unhold."""
        order, back, reason = case.order, case.order["prev_status"], case.order["hold_reason"]
        order.update(status=back, prev_status=None, hold_reason=None)
        self.event(case, "status", "Released from hold", moved=("on_hold", back))
        self.audit("orders.unhold", "order", order["id"],
                   [("status", "on_hold", back), ("prev_status", back, None), ("hold_reason", reason,
                       None)])  # fmt: skip

    def accept(self, case: Case) -> None:
        """E.fraud, accepted."""
        case.order["status"] = "pending"
        self.event(case, "status", "Fraud review accepted", moved=("fraud_review", "pending"))
        self.audit("orders.accept_fraud", "order", case.order["id"], [("status", "fraud_review", "pending")])

    def comment(self, case: Case, body: str, *, notify: bool) -> None:
        """E.note."""
        self.event(case, "comment", body, notify=notify)
        self.audit("orders.comment", "order", case.order["id"], [("comment", None, body)])
        if notify:
            self.mail(case, "order_comment", f"News about your order {case.order['number']}", body)

    # money

    def invoice(self, case: Case, lines: Sequence[tuple[Row, int]] | None = None) -> Row:
        """E.invoice; None is all that is left."""
        order = case.order
        chosen = lines if lines is not None else [
            (i, n) for i in case.items if (n := i["qty_ordered"] - i["qty_invoiced"] - i["qty_canceled"])]  # fmt: skip
        sums = {
            name: sum(line_amount(i[column], units, i["qty_ordered"], i["qty_invoiced"]) for i, units in chosen)
            for name, column in (("subtotal", "row_total"), ("discount", "discount"), ("tax", "tax"))
        }
        shipping = order["shipping"] if all(paper["status"] == "void" for paper in case.invoices) else 0
        total = sums["subtotal"] - sums["discount"] + sums["tax"] + shipping
        number = f"INV-{self.sheet.number('invoices'):06d}"
        invoice = self.sheet.add("invoices", number=number, order_id=order["id"], status="open", shipping=shipping,
                                 total=total, created_at=self.at, **sums)  # fmt: skip
        for item, units in chosen:
            self.sheet.add("invoice_items", invoice_id=invoice["id"], order_item_id=item["id"], qty=units)
            item["qty_invoiced"] += units
        case.invoices.append(invoice)
        self.audit("invoices.create", "invoice", invoice["id"], [("number", None, number), ("total", None, total)])
        if order["pay_method"] in AT_ONCE:
            self._capture(case, invoice)
        moved = self._settle(case)
        kind = "status" if moved[0] != moved[1] else "system"
        self.event(case, kind, f"Invoice {number} created", notify=True, moved=moved)
        self.mail(case, "order_invoiced", f"Invoice {number} for your order {order['number']}",
                  f"Please find your invoice {number} over {money(total)}.")  # fmt: skip
        return invoice

    def mark_paid(self, case: Case, invoice: Row) -> None:
        """E.paid."""
        self._capture(case, invoice)
        self.audit("invoices.mark_paid", "invoice", invoice["id"],
                   [("status", "open", "paid"), ("paid_at", None, self.at)])  # fmt: skip

    def void(self, case: Case, invoice: Row) -> None:
        """Take an open invoice back."""
        for line in self.sheet.rows("invoice_items", invoice_id=invoice["id"]):
            next(i for i in case.items if i["id"] == line["order_item_id"])["qty_invoiced"] -= line["qty"]
        invoice["status"] = "void"
        self.event(case, "system", f"Invoice {invoice['number']} voided")
        self.audit("invoices.void", "invoice", invoice["id"], [("status", "open", "void")])

    def _capture(self, case: Case, invoice: Row) -> None:
        invoice.update(status="paid", paid_at=self.at)
        if invoice["total"]:
            self._payment(case, "capture", case.order["pay_method"], invoice["total"], invoice_id=invoice["id"])
            case.order["paid"] += invoice["total"]

    def _payment(self, case: Case, kind: str, method: str, amount: int, **refs: int) -> None:
        row = self.sheet.add("payments", order_id=case.order["id"], kind=kind, method=method, amount=amount,
                             created_at=self.at, reference="", **refs)  # fmt: skip
        row["reference"] = f"PAY-{row['id']:06d}"

    def credit(self, someone: Someone, delta: int, reason: str, order: Row, refund_id: int | None = None) -> None:
        """A change of store credit."""
        someone.credit += delta
        self.sheet.add("store_credit_entries", customer_id=someone.row["id"], delta=delta, reason=reason,
                       order_id=order["id"], refund_id=refund_id, created_at=self.at)  # fmt: skip

    # goods

    def ship(self, case: Case, lines: Sequence[tuple[Row, int]], tracks: Sequence[tuple[str, str, str]]) -> Row:
        """E.ship; `tracks` are carrier, title and number."""
        order = case.order
        number = f"SHP-{self.sheet.number('shipments'):06d}"
        shipment = self.sheet.add(
            "shipments", number=number, order_id=order["id"], status="shipped", created_at=self.at
        )
        for item, units in lines:
            if self.stock[item["variant_id"]]["on_hand"] < units:
                self.receive(item["variant_id"], units + 12)
            self.sheet.add("shipment_items", shipment_id=shipment["id"], order_item_id=item["id"], qty=units)
            item["qty_shipped"] += units
            self.move(item["variant_id"], "ship", on_hand=-units, reserved=-units, ref=("order", order["id"]))
        case.shipments.append(shipment)
        told = ", ".join(f"{units} × {item['sku']}" for item, units in lines)
        changes: list[tuple[str, Any, Any]] = [("number", None, number), ("items", None, told)]
        for carrier, title, code in tracks:
            self.sheet.add("shipment_tracks", shipment_id=shipment["id"], carrier=carrier, title=title, number=code,
                           created_at=self.at)  # fmt: skip
            changes.append(("tracking", None, f"{title} {code}"))
        self.audit("shipments.create", "shipment", shipment["id"], changes)
        moved = self._settle(case)
        self.event(
            case, "status" if moved[0] != moved[1] else "system", f"Shipment {number} created", notify=True, moved=moved
        )
        lines_of_mail = "".join(f"\nTracking: {title} {code}" for _, title, code in tracks)
        self.mail(case, "order_shipped", f"Your order {order['number']} is on its way",
                  f"We have handed over shipment {number}.{lines_of_mail}")  # fmt: skip
        if self.refilling:
            self._refill(case)
        return shipment

    def _refill(self, case: Case) -> None:
        """Order more of what runs low, while somebody stands at the shelf."""
        for item in case.items:
            if self.available(item["variant_id"]) <= 4:
                self.receive(item["variant_id"], self.rng.choice((12, 16, 20, 24, 30)))

    def arrive(self, case: Case, shipment: Row, *, lost: bool = False) -> None:
        """E.delivered, or lost."""
        status = "lost" if lost else "delivered"
        shipment.update(status=status, delivered_at=None if lost else self.at)
        self.event(case, "system", f"Shipment {shipment['number']} marked {status}")
        use_case = f"shipments.mark_{status}"
        self.audit(use_case, "shipment", shipment["id"], [("status", "shipped", status)])

    # refunds and returns

    def refund(self, case: Case, lines: Sequence[tuple[Row, int]], *, shipping: int = 0, adjustment: int = 0,
        fee: int = 0,
               method: str = "original", reason: str = "", rma: Row | None = None, restock: bool = False,
               waits: bool = False) -> Row:  # fmt: skip
        """E.refund; `waits` leaves it for a manager."""
        items = sum(
            line_amount(i["row_total"] - i["discount"], n, i["qty_ordered"], i["qty_refunded"]) for i, n in lines
        )
        tax = sum(line_amount(i["tax"], n, i["qty_ordered"], i["qty_refunded"]) for i, n in lines)
        total = items + tax + shipping + adjustment - fee
        number = f"CM-{self.sheet.number('refunds'):06d}"
        refund = self.sheet.add(
            "refunds", number=number, order_id=case.order["id"], return_id=rma["id"] if rma else None,
            status="pending_approval" if waits else "issued", method=method, items=items, tax=tax, shipping=shipping,
            adjustment=adjustment, fee=fee, total=total, reason=reason, created_by=self.staff, created_at=self.at,
        )  # fmt: skip
        for item, units in lines:
            self.sheet.add("refund_items", refund_id=refund["id"], order_item_id=item["id"], qty=units, restock=restock)
        self.audit("refunds.create", "refund", refund["id"], [("number", None, number), ("total", None, total)])
        if waits:
            self.notify("refund_waiting", "refund", refund["id"], f"Refund {number} over {money(total)} is waiting.")
        else:
            self._issue(case, refund, lines, rma)
        return refund

    def reject_refund(self, refund: Row, note: str) -> None:
        """E.decide, rejected."""
        refund.update(status="rejected", decided_by=self.staff, decision_note=note, decided_at=self.at)
        self.audit("refunds.decide", "refund", refund["id"],
                   [("status", "pending_approval", "rejected"), ("decision_note", None, note)])  # fmt: skip

    def _issue(self, case: Case, refund: Row, lines: Sequence[tuple[Row, int]], rma: Row | None) -> None:
        order = case.order
        for item, units in lines:
            unshipped = min(units, case.open_units(item))
            item["qty_refunded"] += units
            item["qty_canceled"] += unshipped
            item["qty_returned"] += units if rma else 0
            if unshipped:
                self.move(item["variant_id"], "release", reserved=-unshipped, ref=("order", order["id"]))
            row = next(r for r in reversed(self.sheet.tables["refund_items"]) if r["order_item_id"] == item["id"])
            if row["restock"] and units > unshipped:
                self.move(item["variant_id"], "restock", on_hand=units - unshipped, ref=("refund", refund["id"]))
        method = order["pay_method"] if refund["method"] == "original" else refund["method"]
        if method == "store_credit" and case.buyer.someone:
            self.credit(case.buyer.someone, refund["total"], f"Refund {refund['number']}", order, refund["id"])
        else:
            self._payment(case, "refund", method, refund["total"], refund_id=refund["id"])
        order["refunded"] += refund["total"]
        moved = self._settle(case)
        text = f"Refund {refund['number']} issued over {money(refund['total'])}"
        self.event(case, "status" if moved[0] != moved[1] else "system", text, notify=True, moved=moved)
        way = "as store credit" if refund["method"] == "store_credit" else "the way it was paid"
        self.mail(case, "order_refunded", f"Refund {refund['number']} for your order {order['number']}",
                  f"We refund {money(refund['total'])} {way}.")  # fmt: skip

    def ask_return(self, case: Case, lines: Sequence[tuple[Row, int]], reason: str, resolution: str, note: str) -> Row:
        """E.rma, requested."""
        assert case.buyer.someone is not None
        number = f"RMA-{self.sheet.number('returns'):06d}"
        rma = self.sheet.add(
            "returns", number=number, order_id=case.order["id"], customer_id=case.buyer.someone.row["id"],
            status="requested", reason=reason, resolution=resolution, customer_note=note, created_at=self.at,
        )  # fmt: skip
        for item, units in lines:
            self.sheet.add("return_items", return_id=rma["id"], order_item_id=item["id"], qty=units)
        self.event(case, "system", f"Return {number} requested")
        self.notify("return_requested", "return", rma["id"], f"Return {number} was requested.")
        return rma

    def decide_return(self, case: Case, rma: Row, status: str, note: str | None = None,
                      conditions: Sequence[str] = ()) -> None:  # fmt: skip
        """E.rma, any later status; `conditions` by line when the goods arrive."""
        before = rma["status"]
        rma["status"] = status
        rma["staff_note"] = note or rma["staff_note"]
        if conditions:
            lines = self.sheet.rows("return_items", return_id=rma["id"])
            for line, condition in zip(lines, conditions, strict=True):
                line["condition"] = condition
        self.event(case, "system", f"Return {rma['number']} {status}")
        self.audit(f"returns.{_VERB.get(status, status)}", "return", rma["id"], [("status", before, status)])
        if status in ("approved", "rejected", "received"):
            self.mail(case, f"return_{status}", f"Your return {rma['number']} is {status}",
                      f"Your return {rma['number']} for order {case.order['number']} is {status}."
                      + (f"\n{note}" if note else ""))  # fmt: skip

    def _settle(self, case: Case) -> tuple[str, str]:
        """Move an order to the status that its lines and money ask for (R4)."""
        order, before = case.order, case.order["status"]
        if order["refunded"] and order["refunded"] == order["paid"] and before in ("pending", "processing", "complete"):
            order["status"] = "closed"
        elif before in ("pending", "processing"):
            left = any(
                case.open_units(i) or i["qty_ordered"] > i["qty_invoiced"] + i["qty_canceled"] for i in case.items
            )
            if not left and any(i["qty_shipped"] for i in case.items):
                order["status"] = "complete"
                if case.buyer.someone:
                    case.buyer.someone.completed += 1
            elif case.invoices:
                order["status"] = "processing"
        return before, order["status"]


_VERB = {"approved": "approve", "rejected": "reject", "received": "receive", "closed": "close", "canceled": "cancel"}


def track(rng: Random, country: str) -> tuple[str, str, str]:
    """Carrier, title and a number of the carrier's form (R7)."""
    carriers = {
        "US": ("ups", "ups", "usps", "usps", "fedex", "fedex", "other"),
        "CA": ("other", "fedex", "ups"),
        "GB": ("other", "dhl", "ups"),
        "DE": ("dhl", "dhl", "ups"),
    }
    carrier = rng.choice(carriers[country])
    titles = {"US": "Buckeye Courier", "CA": "Maple Parcel", "GB": "Island Post", "DE": "Paketbote"}
    number = {
        "ups": lambda: "1Z" + "".join(rng.choices("0123456789ABCDEFGHJKLMNPRSTUVWXYZ", k=16)),
        "usps": lambda: "94001" + "".join(rng.choices("0123456789", k=rng.choice((15, 17)))),
        "fedex": lambda: "".join(rng.choices("123456789", k=1)) + "".join(rng.choices("0123456789", k=11)),
        "dhl": lambda: "".join(rng.choices("123456789", k=1)) + "".join(rng.choices("0123456789", k=9)),
        "other": lambda: titles[country][:2].upper() + "".join(rng.choices("0123456789", k=9)),
    }[carrier]()
    return carrier, titles[country] if carrier == "other" else CARRIER[carrier], number
