"""The edge of `/api/`: closed unless opened, and JSON whatever happens.

It sits in front of the URL resolver, so a path that somebody adds later is behind the token without doing anything for it.
"""

import hashlib
import hmac
import logging
import re
from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import DisallowedHost, RequestDataTooBig, SuspiciousOperation
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse

from testproject.api.errors import ApiError

logger = logging.getLogger(__name__)

PREFIX = "/api/"
HEALTH_PATH = "/api/health"
QUEUES_PATH = "/api/queues"
BEARER_FORM = re.compile(r"[Bb][Ee][Aa][Rr][Ee][Rr] ([A-Za-z0-9._~+/-]+={0,2})")


class ApiBoundary:
    """Middleware: host, then token, then the view; every failure of a path under `/api/` is a JSON error."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(PREFIX):
            return self._get_response(request)
        try:
            request.get_host()
            if not is_open(request.path_info):
                check_token(request)
        except ApiError as error:
            response = error.response()
        except DisallowedHost:
            response = ApiError(400, "host_not_allowed", "the Host header is not one of this deployment's").response()
        else:
            response = self._get_response(request)
        response["Cache-Control"] = "no-store"
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not request.path_info.startswith(PREFIX):
            return None
        if isinstance(exception, ApiError):
            return exception.response()
        if isinstance(exception, (RequestDataTooBig, SuspiciousOperation)):
            return ApiError(400, "bad_request", "the request was refused").response()
        if isinstance(exception, (DatabaseError, InterfaceError)):
            logger.error(
                "database failed during %s %s: %s", request.method, request.path_info, type(exception).__name__
            )
            return ApiError(
                503, "database_unavailable", "the database did not answer; try again", headers={"Retry-After": "2"}
            ).response()
        logger.error("unexpected error during %s %s", request.method, request.path_info, exc_info=exception)
        return ApiError(500, "internal_error", "an unexpected error was logged").response()


def is_open(path: str) -> bool:
    """Whether a path needs no token."""
    return path == HEALTH_PATH or (path == QUEUES_PATH and settings.PUBLIC_STATUS)


def check_token(request: HttpRequest) -> None:
    """Raises 401 unless the request carries the API token. Compares digests, in a time that tells nothing of either."""
    if not settings.API_TOKEN:
        raise ApiError(503, "token_not_configured", "this process has no DJANGO_API_TOKEN, so its API stays closed")
    given = BEARER_FORM.fullmatch(request.headers.get("Authorization", ""))
    presented = hashlib.sha256((given[1] if given else "").encode()).digest()
    expected = hashlib.sha256(settings.API_TOKEN.encode()).digest()
    if not hmac.compare_digest(presented, expected):
        raise ApiError(
            401,
            "unauthorized",
            "send the API token as 'Authorization: Bearer <token>'",
            headers={"WWW-Authenticate": 'Bearer realm="django-ray"'},
        )
