"""Puts tasks into queues."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.tasks import Task

from testproject import tasks
from testproject.api.endpoint import endpoint
from testproject.api.parameters import Query, integer


@endpoint("POST")
def add(request: HttpRequest, a: str, b: str) -> HttpResponse:
    return _enqueue(request, tasks.add, [integer("a", a), integer("b", b)])


@endpoint("POST")
def hold(request: HttpRequest, seconds: str) -> HttpResponse:
    return _enqueue(request, tasks.hold, [integer("seconds", seconds, minimum=1, maximum=tasks.HOLD_SECONDS_MAXIMUM)])


def _enqueue(request: HttpRequest, task: Task, arguments: list[int]) -> HttpResponse:
    queue = Query(request.GET, {"queue"}).choice("queue", settings.QUEUES) or "default"
    result = task.using(queue_name=queue).enqueue(*arguments)
    return JsonResponse(
        {"task_id": result.id, "task": task.module_path, "queue": queue, "state": "QUEUED", "args": arguments}
    )
