"""Who gets in: the token, the Host header, the methods."""

import pytest
from django.test import Client
from django.urls import get_resolver

from tests.environment_for_tests import TOKEN

PROTECTED = [
    ("POST", "/api/enqueue/add/2/3"),
    ("POST", "/api/enqueue/hold/5"),
    ("GET", "/api/executions/stats"),
    ("GET", "/api/metrics"),
    ("GET", "/api/executions?limit=1"),
    ("GET", "/api/"),
    ("GET", "/api/no/such/path"),
    ("DELETE", "/api/executions"),
]


@pytest.mark.parametrize(("method", "path"), PROTECTED)
def test_without_a_token_the_answer_is_401_before_anything_else(anybody, method, path):
    response = anybody.generic(method, path)
    assert response.status_code == 401
    assert response.json()["error"]["code"] == "unauthorized"
    assert response["WWW-Authenticate"].startswith("Bearer")
    assert response["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("why", "header"),
    [
        ("another token of the same length", "Bearer " + "x" * len(TOKEN)),
        ("a prefix of the token", f"Bearer {TOKEN[:-2]}"),
        ("the token and more", f"Bearer {TOKEN}A"),
        ("another scheme", f"Basic {TOKEN}"),
        ("no scheme", TOKEN),
        ("an empty token", "Bearer "),
        ("two spaces", f"Bearer  {TOKEN}"),
        ("a trailing space", f"Bearer {TOKEN} "),
        ("two headers merged", f"Bearer {TOKEN}, Bearer {TOKEN}"),
        ("letters outside ASCII", "Bearer pâté-pâté-pâté-pâté-pâté-pâté"),
        ("a very long header", "Bearer " + "A" * 8000),
    ],
)
def test_a_wrong_authorization_header_is_refused(anybody, why, header):
    assert anybody.get("/api/executions/stats", headers={"Authorization": header}).status_code == 401, why


@pytest.mark.django_db
def test_the_scheme_is_case_insensitive_and_the_token_is_not(anybody):
    assert anybody.get("/api/executions/stats", headers={"Authorization": f"bearer {TOKEN}"}).status_code == 200
    assert anybody.get("/api/executions/stats", headers={"Authorization": f"Bearer {TOKEN.upper()}"}).status_code == 401


def test_health_needs_no_token_and_no_database(anybody):
    response = anybody.get("/api/health")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})
    assert anybody.head("/api/health").status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "testserver.evil.example", "a b", "*"])
def test_a_foreign_host_header_is_400_in_json(caller, host):
    response = caller.get("/api/health", headers={"Host": host})
    assert (response.status_code, response.json()["error"]["code"]) == (400, "host_not_allowed")


def test_the_service_name_is_an_allowed_host(anybody):
    assert anybody.get("/api/health", headers={"Host": "django-web-svc"}).status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("GET", "/api/enqueue/add/2/3", "POST"),
        ("POST", "/api/health", "GET, HEAD"),
        ("DELETE", "/api/executions", "GET, HEAD"),
        ("POST", "/api/metrics", "GET, HEAD"),
    ],
)
def test_a_wrong_method_is_405_and_says_which_are_right(caller, method, path, allow):
    response = caller.generic(method, path)
    assert (response.status_code, response["Allow"], response.json()["error"]["code"]) == (
        405,
        allow,
        "method_not_allowed",
    )


def test_an_unknown_api_path_is_404_in_json(caller):
    response = caller.get("/api/executionz")
    assert (response.status_code, response.json()["error"]["code"]) == (404, "not_found")


def test_without_a_configured_token_the_api_stays_closed(caller, settings):
    settings.API_TOKEN = ""
    response = caller.get("/api/executions/stats")
    assert (response.status_code, response.json()["error"]["code"]) == (503, "token_not_configured")
    assert Client().get("/api/executions/stats", headers={"Authorization": "Bearer "}).status_code == 503


@pytest.mark.django_db
@pytest.mark.parametrize(("public", "status"), [(True, 200), (False, 401)])
def test_queue_counts_are_open_only_where_the_deployment_says_so(anybody, settings, public, status):
    settings.PUBLIC_STATUS = public
    assert anybody.get("/api/queues").status_code == status


def test_nothing_outside_the_prefix_hands_out_api_views():
    outside = [str(pattern.pattern) for pattern in get_resolver().url_patterns if str(pattern.pattern) != "api/"]
    assert outside == ["", "admin/"]


@pytest.mark.parametrize(
    "path", ["/%61pi/executions", "/api//executions", "/api/./executions", "/API/executions", "//api/executions"]
)
def test_no_spelling_of_the_path_gets_around_the_token(anybody, path):
    assert anybody.get(path).status_code in (401, 404)
