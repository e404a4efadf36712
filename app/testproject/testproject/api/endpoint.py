"""The frame of an API view."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from testproject.api.errors import ApiError


def endpoint(*methods: str) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """Lets only `methods` through (GET brings HEAD). Exempt from CSRF checks: no view under `/api/` looks at a cookie."""
    allowed = (*methods, "HEAD") if "GET" in methods else methods

    def frame(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @csrf_exempt
        @wraps(view)
        def framed(request: HttpRequest, *args: str, **kwargs: str) -> HttpResponse:
            if request.method not in allowed:
                raise ApiError(
                    405,
                    "method_not_allowed",
                    f"{request.path_info} answers {', '.join(allowed)}",
                    headers={"Allow": ", ".join(allowed)},
                )
            return view(request, *args, **kwargs)

        return framed

    return frame
