"""The page at `/`."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django_ray.models import TaskState


@require_safe
def status_page(request: HttpRequest) -> HttpResponse:
    """An empty table that fills itself from `/api/queues`, so the page also says when the database is away."""
    context = {"queues": settings.QUEUES, "states": TaskState.values, "public": settings.PUBLIC_STATUS}
    return render(request, "testproject/status.html", context)
