"""Health, metrics and queue counts."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django_ray.metrics import render_prometheus_metrics

from testproject.api.endpoint import endpoint
from testproject.api.errors import ApiError
from testproject.api.parameters import Query
from testproject.observation import known_queue_counts


@endpoint("GET")
def health(request: HttpRequest) -> HttpResponse:
    """This process answers. It does not ask the database: a restart of web would not mend that, and would add to it."""
    return JsonResponse({"status": "ok"})


@endpoint("GET")
def metrics(request: HttpRequest) -> HttpResponse:
    Query(request.GET, ())
    text = render_prometheus_metrics(queue_names=settings.QUEUES)
    return HttpResponse(text, content_type="text/plain; version=0.0.4; charset=utf-8")


@endpoint("GET")
def queues(request: HttpRequest) -> HttpResponse:
    """Counts per queue and state, and nothing that names a task, an argument or a machine."""
    Query(request.GET, ())
    return JsonResponse({"queues": known_queue_counts()})


@endpoint("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
def not_found(request: HttpRequest, rest: str = "") -> HttpResponse:
    raise ApiError(404, "not_found", "there is no such API path")
