"""The page at `/`."""

import re

import pytest


@pytest.fixture
def page(anybody):
    return anybody.get("/")


def test_the_page_needs_no_token_and_no_database(page):
    assert page.status_code == 200
    text = page.content.decode()
    for word in ("high-priority", "CANCELLING", "light-dark("):
        assert word in text


def test_the_page_loads_nothing_from_elsewhere(page):
    text = page.content.decode()
    assert re.findall(r"https?://|//[a-z]", text.replace("<!doctype", "")) == []
    assert re.findall(r'(?:src|href)="([^"]*)"', text) == ["data:,", "/api/queues"]


def test_its_inline_code_runs_by_a_nonce_and_the_policy_allows_no_other(page):
    nonces = set(re.findall(r'nonce="([^"]+)"', page.content.decode()))
    assert len(nonces) == 1
    policy = page["Content-Security-Policy"]
    assert f"'nonce-{nonces.pop()}'" in policy
    assert "unsafe" not in policy and "default-src 'none'" in policy


def test_two_pages_have_two_nonces(anybody):
    policies = {anybody.get("/")["Content-Security-Policy"] for _ in range(2)}
    assert len(policies) == 2


@pytest.mark.parametrize(("public", "hidden"), [(True, True), (False, False)])
def test_the_token_field_shows_only_where_counts_are_closed(anybody, settings, public, hidden):
    settings.PUBLIC_STATUS = public
    assert ('<form id="door" hidden>' in anybody.get("/").content.decode()) == hidden


def test_the_page_only_reads(anybody):
    assert anybody.post("/").status_code in (403, 405)
