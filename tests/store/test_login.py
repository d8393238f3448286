"""Signing in and out: who knows the password gets in, to where they wanted; nobody learns more than that."""

from __future__ import annotations

import pytest
from people_shop import PASSWORD
from sitegym.sites.kit import csrf
from sitegym.sites.store.models import WebSession

MANAGER = {"email": "max@fernhill.example", "password": PASSWORD}


@pytest.mark.parametrize(
    ("path", "to"),
    [("/", "/login"), ("/orders?f=status:in:pending", "/login?next=%2Forders%3Ff%3Dstatus%3Ain%3Apending")],
)
def test_somebody_unknown_is_sent_to_sign_in_and_would_come_back(ask, path, to):
    response = ask(None).get(path)
    assert (response.status_code, response.location) == (303, to)


def test_a_script_gets_a_plain_401(ask):
    assert ask(None).get("/search/suggest?q=mara", headers={"Accept": "application/json"}).status_code == 401


def test_the_right_password_opens_a_session_and_goes_on(ask):
    somebody = ask(None)
    response = somebody.post("/login", {**MANAGER, "email": " MAX@fernhill.example ", "next": "/customers"})
    assert (response.status_code, response.location) == (303, "/customers")
    assert somebody.get("/customers").status_code == 200
    assert somebody.get("/login").location == "/"


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({**MANAGER, "password": "wrong"}, id="wrong-password"),
        pytest.param({**MANAGER, "email": "nobody@fernhill.example"}, id="unknown-address"),
        pytest.param({**MANAGER, "email": "left@fernhill.example"}, id="no-longer-active"),
    ],
)
def test_whatever_does_not_match_gets_the_same_sentence(ask, fields):
    somebody = ask(None)
    response = somebody.post("/login", fields)
    assert response.status_code == 422
    assert "This e-mail address and password do not match." in response.text
    assert f'value="{fields["email"]}"' in response.text
    assert fields["password"] not in response.text
    assert somebody.count(WebSession) == 0


def test_empty_fields_are_named(ask):
    text = ask(None).post("/login", {"email": "", "password": ""}).text
    assert "E-mail is required." in text
    assert "Password is required." in text


@pytest.mark.parametrize(
    "next", ["//evil.example", "https://evil.example/", "/\\evil.example", "javascript:1", "/login"]
)
def test_nobody_is_sent_elsewhere_after_signing_in(ask, next):
    assert ask(None).post("/login", {**MANAGER, "next": next}).location == "/"


def test_signing_out_ends_the_session_for_good(ask):
    manager = ask()
    response = manager.post("/logout")
    assert response.location == "/login"
    assert "You are signed out." in manager.said(response)
    assert manager.count(WebSession) == 0
    manager.client.set_cookie("staff_session", manager.token, domain="admin.shop.localhost")
    assert manager.get("/").location == "/login"


@pytest.mark.parametrize("token", ["", "x", "é"])
def test_a_form_from_elsewhere_is_refused(ask, token):
    manager = ask()
    response = manager.post("/customers/3/block", {"v": "1"}, token=token)
    assert response.status_code == 403
    assert "belongs to another session" in response.text


def test_the_token_of_another_session_is_refused(ask):
    manager, clerk = ask(), ask("clerk")
    theirs = csrf.token(clerk.world.secret, clerk.token)
    assert manager.post("/customers/3/block", {"v": "1"}, token=theirs).status_code == 403


def test_tokens_hold_no_time_so_that_pages_are_equal_between_runs(ask):
    manager = ask()
    assert manager.get("/customers/3").text == manager.get("/customers/3").text
