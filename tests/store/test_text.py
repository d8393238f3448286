"""Keys, search words, given text and phone numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sitegym.sites.kit.phones import e164, written
from sitegym.sites.kit.text import key, normal, query_tokens, search_key, slug, tokens, unique_slug


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Łukasz  Żak", "lukasz zak"),
        ("Søren Ång", "soren ang"),
        ("Zoe\u0308", "zoe"),
        ("Groß", "gross"),
        ("İpek Işık", "ipek isik"),
        ("Ægir", "aegir"),
        ("李 娜", "李 娜"),
        ("O'Dell", "o'dell"),
    ],
)
def test_a_key_is_without_case_accents_and_double_spaces(text: str, wanted: str) -> None:
    assert key(text) == wanted


@given(st.text(max_size=40))
def test_a_key_is_its_own_key(text: str) -> None:
    assert key(key(text)) == key(text)


@given(st.text(alphabet="abcdeéøŁ '-.@19", max_size=30))
def test_whatever_stands_in_a_text_is_found_by_it(text: str) -> None:
    assert all(f" {token}" in search_key(text) for token in query_tokens(text))


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("odell", False),
        ("o'dell", True),
        ("O’dell", True),
        ("dell", True),
        ("ell", False),
        ("RDG-20", True),
        ("rdg 20", True),
        ("a.lee@mail", True),
        ("(lee)", True),
        ("lee smith", False),
    ],
)
def test_every_token_must_begin_a_word(query: str, found: bool) -> None:
    words = search_key("Ann O'Dell-Lee", "a.lee@mail.example", "RDG-20-MOS")
    assert all(f" {token}" in words for token in query_tokens(query)) is found


def test_tokens_and_slugs() -> None:
    assert tokens('Salt & Smoke 10" Set') == ["salt", "smoke", "10", "set"]
    assert slug("Hiker's Friend & Co.") == "hikers-friend-co"
    assert unique_slug("Mug", ["mug", "mug-2"]) == "mug-3"


def test_given_text_compares_after_nfc_trim_single_spaces_and_case() -> None:
    assert normal("  Rene\u0301e\n  SMITH ") == normal("renée smith")
    assert normal("Renee") != normal("Renée")


@pytest.mark.parametrize(
    ("typed", "country", "wanted"),
    [
        ("(503) 555-0123", "US", "+15035550123"),
        ("503.555.0123", "US", "+15035550123"),
        ("1-503-555-0123 ext. 9", "US", "+15035550123"),
        ("+1 503 555 0123", "DE", "+15035550123"),
        ("416 555 0123", "CA", "+14165550123"),
        ("020 7946 0123", "GB", "+442079460123"),
        ("+44 (0)20 7946 0123", "US", "+442079460123"),
        ("0044 20 7946 0123", "GB", "+442079460123"),
        ("07700 900123", "GB", "+447700900123"),
        ("030 23125 123", "DE", "+493023125123"),
        ("0171/3920 055", "DE", "+491713920055"),
    ],
)
def test_a_phone_is_read_as_people_write_it(typed: str, country: str, wanted: str) -> None:
    assert e164(typed, country) == wanted
    assert e164(written(wanted), country) == wanted


@pytest.mark.parametrize("typed", ["", "12", "503-555-012", "555-0123", "call me", "+33 1 23 45 67 89", "103-555-0123"])
def test_what_is_no_phone_is_refused_with_an_example(typed: str) -> None:
    with pytest.raises(ValueError, match=r"is not a phone number; write it like \(503\) 555-0123"):
        e164(typed, "US")
