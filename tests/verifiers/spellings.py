"""Spellings of answers that count and that do not: what the tests hold and what docs/reference/answers.md shows.

A refused spelling stands with a part of the reason that must be given.
"""

from __future__ import annotations

import json
import unicodedata

from sitegym.verifiers.answers import Answer, Date, Email, Enum, Int, List, Money, Month, OrderNo, Phone, Record, Text

PERSON = Record({"name": Text("Zoë O'Dell"), "email": Email("zoe@example.com")})
STATUSES = Enum("on_hold", ("pending", "on_hold", "complete"))
NUMBERS = List([OrderNo("100123"), OrderNo("100124")])
RANKED = List([Text("Tent, small"), Text("Stove"), Text("Tent, small")], ordered=True)
LINES = List(
    [
        Record({"product": Text("Stove"), "price": Money(123450)}),
        Record({"product": Text("Tent; small"), "price": Money(990)}),
    ]
)

ENDS = "without punctuation at its end"
PATTERN, CODE, SEVERAL, MORE, OTHER = "a pattern", "code", "several candidates", "more than the value", "another value"
ONE, PLAIN = "one plain value", "true, false and null"

ACCEPTED: list[tuple[Answer, list[object]]] = [
    (Money(123450), ["1234.50", "1,234.50", "$1,234.50", "$ 1234.5", " 1234.50 ", "USD 1,234.50", "1234.50 USD",
                     1234.5, "US$1,234.50", "1234.50 $", "$1,234.50 USD", "1234.50 usd", "$\u00a01,234.50",
                     "1,234\u200b.50", '"1234.50"', "```\n1234.50\n```", "\n1234.50\n"]),
    (Money(4100), ["41", "41.00", "41.0", 41, 41.0, "$41", "0041.00"]),
    (Money(-500), ["-5.00", "−5.00", "-$5", "$-5.00", "- $5.00", "USD -5.00"]),
    (Money(0), ["0", "0.00", "$0.00", "-0", "-0.00"]),
    (Int(1234), ["1234", "1,234", 1234, " 1234\n", '"1234"', "1234\u200b", "\ufeff1234", "```json\n1234\n```"]),
    (Int(-3), ["-3", "−3", -3]),
    (Int(0), ["0", "-0", 0]),
    (Date("2026-03-05"), ["2026-03-05", "2026-3-5", "March 5, 2026", "Mar 5, 2026", "5 March 2026", "mar. 05 2026",
                          "5 Mar, 2026", "Mar\u00a05,\u00a02026", "March\n5, 2026"]),
    (Month("2026-02"), ["2026-02", "2026-2", "February 2026", "Feb 2026", "feb. 2026", "February, 2026"]),
    (Text("Łukasz Żak"), ["Łukasz Żak", "łukasz żak", "  Łukasz   Żak ", "Łukasz\u00a0Żak", "ŁUKASZ ŻAK",
                          unicodedata.normalize("NFD", "Łukasz Żak"), '"Łukasz Żak"', json.dumps("Łukasz Żak"),
                          "Łukasz \u200bŻak", "```\nŁukasz Żak\n```"]),
    (Text("Groß"), ["Groß", "groß", "GROẞ"]),
    (Text('The "Ridge" Pack'), ['The "Ridge" Pack', 'the "ridge" pack', json.dumps('The "Ridge" Pack')]),
    (Text('"Ridge"'), ['"Ridge"', "Ridge", json.dumps('"Ridge"')]),
    (Text("1,234.50; or so: yes"), ["1,234.50; or so: yes"]),
    (Text("50 % off (2 for 1)*"), ["50 % off (2 for 1)*"]),
    (Email("zoe@example.com"), ["zoe@example.com", "ZOE@Example.com", " zoe@example.com ", "`zoe@example.com`"[1:-1]]),
    (Phone("+15035550123"), ["+15035550123", "+1 503-555-0123", "+1 (503) 555 0123", "+1.503.555.0123",
                             "001 503 555 0123", "+1\u00a0503‑555‑0123"]),
    (Phone("+442079460123"), ["+44 20 7946 0123", "+44 (0)20 7946 0123"]),
    (OrderNo("100123"), ["100123", "#100123", 100123, "100123\n"]),
    (OrderNo("INV-000123"), ["INV-000123", "inv-000123", "#INV-000123"]),
    (STATUSES, ["on_hold", "On hold", "ON-HOLD", "on  hold", '"on_hold"']),
    (NUMBERS, [["100123", "100124"], '["100124", "100123"]', "100123, 100124", "100123,100124", "100124\n#100123",
               "100123;100124", [100123, 100124], "[100123, 100124]", '```json\n["100123", "100124"]\n```',
               "```\n100123\n100124\n```", "100123\r\n100124"]),
    (List([OrderNo("100123")]), ["100123", ["100123"], '["#100123"]']),
    (List([Int(1234), Int(5)]), ["[5, 1234]", "5, 1234", "1,234, 5", "1,234\n5", '["1,234", "5"]']),
    (List([Date("2026-03-05"), Date("2026-03-06")]), ["2026-03-06, 2026-03-05", "March 5, 2026\nMarch 6, 2026",
                                                      "March 6, 2026; March 5, 2026"]),
    (List([Text("ann"), Text("bob")]), ["Bob, Ann", '["ann", "bob"]', "ann\nbob"]),
    (List([Text("ann"), Text("ann"), Text("bob")]), ["ann, bob, ann"]),
    (RANKED, [["tent, small", "stove", "Tent, small"], "Tent, small\nStove\nTent, small",
              "Tent, small; Stove; Tent, small"]),
    (PERSON, [
        {"name": "Zoë O'Dell", "email": "zoe@example.com"},
        '{"E-mail": "Zoe@example.com", "Name": "zoë o\'dell"}',
        "name: Zoë O'Dell\nemail: zoe@example.com",
        "Name: Zoë O'Dell; E-Mail: zoe@example.com",
        '```json\n{"name": "Zoë O\'Dell", "email": "zoe@example.com"}\n```',
    ]),
    (LINES, [
        [{"product": "stove", "price": "$1,234.50"}, {"price": 9.9, "product": "Tent; small"}],
        '[{"product": "Tent; small", "price": 9.90}, {"Product": "Stove", "Price": 1234.5}]',
        '{"product": "Tent; small", "price": "9.90"}\n{"product": "Stove", "price": "1234.50"}',
    ]),
]  # fmt: skip

REFUSED: list[tuple[Answer, list[tuple[object, str]]]] = [
    (Money(123450), [
        ("1234.51", OTHER), ("1234.49", OTHER), ("-1234.50", OTHER), ("123450", OTHER), ("1234", OTHER),
        ("1234,50", "cents stand behind a point"), ("1.234,50", "cents stand behind a point"), ("12,34.50", ""),
        ("1 234.50", ""), ("1234.500", "not an amount"), ("1234.4999", "not an amount"), ("€1234.50", "not an amount"),
        ("1234.50 EUR", MORE), ("1234.50 dollars", MORE), ("about 1234.50", MORE), ("total: 1234.50", MORE),
        ("The total is 1234.50.", MORE), ("1234.50 1234.50", MORE), ("1234.50 or 1234.00", SEVERAL),
        ("1234.50, 99.00", SEVERAL), ("1234.50/1234.00", SEVERAL), ("1234.50 - 1300.00", SEVERAL),
        (".*", PATTERN), (r"\d+\.50", PATTERN), ("1234.*", PATTERN), ("[0-9]+", PATTERN), ("^1234.50$", PATTERN),
        ("*", PATTERN), ("%", PATTERN), ("SELECT total FROM orders", CODE), ("sum(totals)", CODE),
        ("lambda: 1234.50", CODE), ("{{ total }}", CODE), ("617.25 + 617.25", ""), ("--1234.50", ""),
        ("nan", ""), ("inf", ""), ("1e3", ""), ("one", ""), ("0x4d2", ""), ("١٢٣٤.50", "not an amount"),
        ("１２３４.50", "not an amount"), ("", "no answer"), ("\u200b", "not an amount"), (None, "no answer"),
        (True, PLAIN),
        (["1234.50"], ONE), ('["1234.50"]', ONE), ({"total": "1234.50"}, ONE), ("12" * 400, "not an amount"),
        ("```\n1234.50\n```\n```\n1.00\n```", ""), ("Here:\n```\n1234.50\n```", ""), ("1" * 100_000, "longer than"),
    ]),
    (Int(12), [
        ("13", OTHER), ("11", OTHER), ("-12", OTHER), ("112", OTHER), ("12.0", "not a whole number"), (12.5, ""),
        ("12.", ENDS), ("12,", ENDS), ("12;", ENDS), ("13,", ENDS), ("12, ", ENDS),
        ("+12", ""), ("1 2", ""), ("12 orders", MORE), ("12 of 20", MORE), ("twelve", ""), ("XII", ""),
        ("12, 13", SEVERAL), ("12 or 13", SEVERAL), ("11-13", ""), ("0x0c", ""), ("[12]", ONE), ([12], ONE),
        (True, PLAIN), ("１２", "not a whole number"), ("१२", ""), ("12²", ""), ("len(orders)", CODE), ("1?", ""),
        ("9" * 9999, ""), (10**400, "no number is that long"),
    ]),
    (Date("2026-03-05"), [
        ("2026-03-06", OTHER), ("2026-05-03", OTHER), ("2025-03-05", OTHER), ("03/05/2026", "day and month"),
        ("3/5/26", "day and month"), ("5.3.2026", "day and month"), ("2026-03-05T10:00:00Z", ""), ("March 2026", ""),
        ("March 5", ""), ("today", ""), ("2026-02-30", "no such day"), ("2026-13-01", "no such day"),
        ("Marble 5, 2026", "no month"), ("2026-03-05 or 2026-03-06", SEVERAL), ("20260305", ""), ("2026-3-005", ""),
        ("2026-03-*", PATTERN), ("on 2026-03-05", MORE),
    ]),
    (Month("2026-02"), [
        ("2026-03", OTHER), ("2026-13", "no such day"), ("02/2026", ""), ("February", ""), ("2026-02-01", ""),
        ("2026", ""), ("Feb 26", ""), ("2026-02 and 2026-03", SEVERAL),
    ]),
    (Text("Łukasz Żak"), [
        ("Lukasz Zak", OTHER), ("Łukasz", OTHER), ("Łukasz Żak.", ENDS), ("Łukasz Żak, Anna Nowak", SEVERAL),
        ("Łukasz Żak or Anna Nowak", SEVERAL), ("Anna Nowak / Łukasz Żak", SEVERAL), (".*", PATTERN),
        ("Łukasz*", PATTERN), ("Łukasz .+", PATTERN), ("%", PATTERN), ("Ł_____ ___", OTHER), ("?", PATTERN),
        ("The customer is Łukasz Żak", OTHER), (["Łukasz Żak"], ONE), (True, PLAIN), ("x" * 50_000, "longer than"),
        ("Łukasz Żak" + " " * 100_000, "longer than"),
    ]),
    (Text("Ann"), [
        ("It is Ann.", MORE), ("Ann and Bob", SEVERAL), ("(Ann|Bob)", SEVERAL), ("Аnn", OTHER), ("An n", OTHER),
    ]),
    (Text("Groß"), [("Gross", OTHER), ("GROSS", OTHER), ("Gros", OTHER)]),
    (Text("a.c"), [("abc", OTHER), ("a?c", OTHER), (".*", PATTERN)]),
    (Email("zoe@example.com"), [
        ("zoe@example.org", OTHER), ("zoe@example.com.", ENDS), ("zoë@example.com", OTHER),
        ("zoe@example.com, ann@example.com", SEVERAL), ("zoe@example.com;ann@example.com", SEVERAL),
        ("mailto:zoe@example.com", ""), ("<zoe@example.com>", ""), ("Zoe <zoe@example.com>", ""), ("zoe", ""),
        (".*@.*", PATTERN), ("*@example.com", PATTERN), ("%@example.com", PATTERN), ("zoe@@example.com", ""),
        ("zoe@", ""),
    ]),
    (Phone("+15035550123"), [
        ("+15035550124", OTHER), ("+1 503-555-012", OTHER), ("503-555-0123", "country code"), ("15035550123", ""),
        ("+1 503-555-0123 ext. 4", ""), ("+1 503-555-0123, +1 503-555-0124", SEVERAL),
        ("+1 503-555-0123 / +1 503-555-0124", SEVERAL), ("+1 503-555-????", ""), (15035550123, "country code"),
    ]),
    (OrderNo("100123"), [
        ("100124", OTHER), ("100132", OTHER), ("1001233", OTHER), ("0100123", OTHER), ("INV-100123", OTHER),
        ("order 100123", MORE), ("100123 100124", MORE), ("100123, 100124", SEVERAL), ("##100123", ""), ("1001%", ""),
        (".*", PATTERN), ("100123-100130", ""),
    ]),
    (OrderNo("INV-000123"), [
        ("000123", OTHER), ("INV-123", OTHER), ("INV000123", ""), ("INV-000124", OTHER), ("CM-000123", OTHER),
    ]),
    (STATUSES, [
        ("pending", OTHER), ("hold", "none of"), ("on", "none of"), ("on_hold or pending", SEVERAL),
        ("on_hold, pending", SEVERAL), (".*", PATTERN), ("it is on_hold", MORE), ("onhold", "none of"),
    ]),
    (NUMBERS, [
        ("100123", "1 missing, 0 too many"), ("100123, 100124, 100125", "0 missing, 1 too many"),
        ("100123, 100123, 100124", "0 missing, 1 too many"), ("100123, 100125", "1 missing, 1 too many"),
        ("100123 100124", "item 1: not one document number"), ("100123 and 100124", "item 1"),
        ({"a": 1}, "not an object"),
        ('{"a": "100123"}', "not an object"), ("[]", "2 missing"), ([], "2 missing"),
        ([["100123", "100124"]], "item 1: one plain value"), ([None, "100123"], "item 1: true"), ("[" * 9000, "item 1"),
        ("- 100123\n- 100124", "item 1"), ('["100123", "100124"', "item 1"), (".*", PATTERN), ("1001*, 1002*", PATTERN),
    ]),
    (List([Text("ann"), Text("bob")]), [("ann and bob", "2 missing, 1 too many"), ("ann, bob, eve", "1 too many")]),
    (RANKED, [
        (["Stove", "Tent, small", "Tent, small"], "in another order"), (["Tent, small", "Stove"], "1 missing"),
        ("Tent, small, Stove, Tent, small", "missing"),
    ]),
    (PERSON, [
        ({"name": "Zoë O'Dell"}, "no more and no fewer"),
        ({"name": "Zoë O'Dell", "email": "zoe@example.com", "phone": "1"}, "no more and no fewer"),
        ({"name": "Zoë O'Dell", "email": ["zoe@example.com", "ann@example.com"]}, "email: one plain value"),
        ({"name": "Zoë O'Dell", "email": "zoe@example.com, ann@example.com"}, "email: not one bare"),
        ({"name": "zoe@example.com", "email": "Zoë O'Dell"}, "email: not one bare"),
        ({"name": "Zoe O'Dell", "email": "zoe@example.com"}, "another value of name"),
        ({"name": {"first": "Zoë", "last": "O'Dell"}, "email": "zoe@example.com"}, "name: one plain value"),
        ('{"name": "Ann", "name": "Zoë O\'Dell", "email": "zoe@example.com"}', "given twice"),
        ('{"name": "Zoë O\'Dell", "Name": "Zoë O\'Dell", "email": "zoe@example.com"}', "given twice"),
        ("name: Zoë O'Dell\nname: Zoë O'Dell\nemail: zoe@example.com", "given twice"),
        ('[{"name": "Zoë O\'Dell", "email": "zoe@example.com"}]', "not a list"),
        ('Here:\n```json\n{"name": "Zoë O\'Dell", "email": "zoe@example.com"}\n```', ""),
        ("Zoë O'Dell, zoe@example.com", ""), ("name: Zoë O'Dell", "no more and no fewer"),
        ('["Zoë O\'Dell", "zoe@example.com"]', "not a list"), (None, "no answer"), (7, "JSON object"), ("{" * 9000, ""),
    ]),
    (LINES, [
        ('[{"product": "Stove", "price": 1234.5}]', "1 missing"),
        ('[{"product": "Stove", "price": 1234.5}, {"product": "Tent; small"}]', "item 2"),
        ('[{"product": "Stove", "price": "9.90"}, {"product": "Tent; small", "price": "1234.50"}]', "2 missing"),
    ]),
]  # fmt: skip
