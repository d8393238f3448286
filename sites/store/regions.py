"""Where the shop ships: countries, their regions and postcodes, and the one check of a typed address.

Region codes are those of ISO 3166-2 without the country's prefix (OR, ON, SCT, BY).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from ..kit.phones import e164
from ..kit.rules import Problem
from .labels import COUNTRY
from .messages import problem

REGIONS: dict[str, dict[str, str]] = {
    "US": {
        "AL": "Alabama", "AK": "Alaska", "AZ": "Arizona", "AR": "Arkansas", "CA": "California", "CO": "Colorado",
        "CT": "Connecticut", "DE": "Delaware", "DC": "District of Columbia", "FL": "Florida", "GA": "Georgia",
        "HI": "Hawaii", "ID": "Idaho", "IL": "Illinois", "IN": "Indiana", "IA": "Iowa", "KS": "Kansas",
        "KY": "Kentucky", "LA": "Louisiana", "ME": "Maine", "MD": "Maryland", "MA": "Massachusetts", "MI": "Michigan",
        "MN": "Minnesota", "MS": "Mississippi", "MO": "Missouri", "MT": "Montana", "NE": "Nebraska", "NV": "Nevada",
        "NH": "New Hampshire", "NJ": "New Jersey", "NM": "New Mexico", "NY": "New York", "NC": "North Carolina",
        "ND": "North Dakota", "OH": "Ohio", "OK": "Oklahoma", "OR": "Oregon", "PA": "Pennsylvania",
        "RI": "Rhode Island", "SC": "South Carolina", "SD": "South Dakota", "TN": "Tennessee", "TX": "Texas",
        "UT": "Utah", "VT": "Vermont", "VA": "Virginia", "WA": "Washington", "WV": "West Virginia", "WI": "Wisconsin",
        "WY": "Wyoming",
    },
    "CA": {
        "AB": "Alberta", "BC": "British Columbia", "MB": "Manitoba", "NB": "New Brunswick",
        "NL": "Newfoundland and Labrador", "NS": "Nova Scotia", "NT": "Northwest Territories", "NU": "Nunavut",
        "ON": "Ontario", "PE": "Prince Edward Island", "QC": "Quebec", "SK": "Saskatchewan", "YT": "Yukon",
    },
    "GB": {"ENG": "England", "NIR": "Northern Ireland", "SCT": "Scotland", "WLS": "Wales"},
    "DE": {
        "BW": "Baden-Württemberg", "BY": "Bavaria", "BE": "Berlin", "BB": "Brandenburg", "HB": "Bremen",
        "HH": "Hamburg", "HE": "Hesse", "NI": "Lower Saxony", "MV": "Mecklenburg-Vorpommern",
        "NW": "North Rhine-Westphalia", "RP": "Rhineland-Palatinate", "SL": "Saarland", "SN": "Saxony",
        "ST": "Saxony-Anhalt", "SH": "Schleswig-Holstein", "TH": "Thuringia",
    },
}  # fmt: skip
"""Country code to its regions, by name."""

POSTCODES = {
    "US": r"\d{5}(-\d{4})?",
    "CA": r"[A-Z]\d[A-Z] ?\d[A-Z]\d",
    "GB": r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}",
    "DE": r"\d{5}",
}

LIMITS = {"full_name": 120, "company": 120, "line1": 120, "line2": 120, "city": 80, "phone": 30}
LABELS = {
    "full_name": "Full name",
    "company": "Company",
    "line1": "Address line 1",
    "line2": "Address line 2",
    "city": "City",
    "region": "State or region",
    "postcode": "Postcode",
    "country": "Country",
    "phone": "Phone",
}
"""The fields of an address, in the order of the form."""

OPTIONAL = frozenset({"company", "line2", "phone"})


def tidy(text: object) -> str:
    """A typed line as it is stored: NFC, no outer white space, single spaces."""
    return " ".join(unicodedata.normalize("NFC", "" if text is None else str(text)).split())


def check_address(typed: Mapping[str, object]) -> tuple[dict[str, Any], list[Problem]]:
    """The values of an address as they are stored (optional ones None when empty), and all that is wrong with them."""
    values = {name: tidy(typed.get(name)) for name in LABELS}
    values["postcode"] = values["postcode"].upper()
    phone_wrong = _phone(values)
    wrong = [
        problem("REQUIRED", name, label=label)
        for name, label in LABELS.items()
        if not values[name] and name not in OPTIONAL
    ]
    wrong += [
        problem("TOO_LONG", name, label=LABELS[name], most=most)
        for name, most in LIMITS.items()
        if len(values[name]) > most
    ]
    wrong += _place(values) + phone_wrong
    return {name: value or None for name, value in values.items()}, wrong


def region_name(country: str, region: str) -> str:
    """A region's name; the code itself where the list does not know it."""
    return REGIONS.get(country, {}).get(region, region)


def _place(values: Mapping[str, str]) -> list[Problem]:
    """What is wrong between country, region and postcode."""
    country, region, postcode = values["country"], values["region"], values["postcode"]
    if country and country not in REGIONS:
        return [problem("NOT_A_CHOICE", "country", label="a country")]
    wrong = []
    if country and region and region not in REGIONS[country]:
        wrong.append(problem("REGION_OF_COUNTRY", "region", country=COUNTRY[country]))
    if country and postcode and not re.fullmatch(POSTCODES[country], postcode):
        wrong.append(problem("POSTCODE_FORMAT", "postcode", country=COUNTRY[country]))
    return wrong


def _phone(values: dict[str, str]) -> list[Problem]:
    """Bring the phone number, read as people of the country write it, into E.164; what is wrong where it is none."""
    if not values["phone"]:
        return []
    try:
        values["phone"] = e164(values["phone"], values["country"])
    except ValueError:
        return [problem("PHONE_FORMAT", "phone")]
    return []
