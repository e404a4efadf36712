"""What became of tasks, from django-ray's own table."""

import json
from datetime import UTC, datetime

from django.conf import settings
from django.db.models import Case, F, When
from django.db.models.functions import Length
from django.http import HttpRequest, HttpResponse, JsonResponse
from django_ray.models import RayTaskExecution, TaskState
from django_ray.redaction import redact_text

from testproject.api.endpoint import endpoint
from testproject.api.parameters import Query
from testproject.observation import live_workers, queue_counts

LIMIT_DEFAULT, LIMIT_MAXIMUM = 20, 100
# Longer results stay in the database; their size is told.
RESULT_CHARACTERS_MAXIMUM = 4096
ERROR_CHARACTERS_MAXIMUM = 2000

FIELDS = (
    "task_id",
    "callable_path",
    "queue_name",
    "state",
    "attempt_number",
    "short_result",
    "result_characters",
    "error_message",
    "claimed_by_worker",
    "ray_target_address",
    "runtime_env_json",
    "created_at",
    "started_at",
    "finished_at",
)


@endpoint("GET")
def executions(request: HttpRequest) -> HttpResponse:
    query = Query(request.GET, {"task_id", "queue", "state", "limit"})
    limit = query.integer("limit", LIMIT_DEFAULT, minimum=1, maximum=LIMIT_MAXIMUM)
    wanted = {
        "task_id": query.uuid4("task_id"),
        "queue_name": query.choice("queue", settings.QUEUES),
        "state": query.choice("state", TaskState.values),
    }
    rows = (
        RayTaskExecution.objects.filter(**{field: word for field, word in wanted.items() if word is not None})
        .annotate(
            result_characters=Length("result_data"),
            short_result=Case(When(result_characters__lte=RESULT_CHARACTERS_MAXIMUM, then=F("result_data"))),
        )
        .order_by("-pk")
        .values(*FIELDS)[:limit]
    )
    tasks = [_task(row) for row in rows]
    return JsonResponse({"limit": limit, "count": len(tasks), "tasks": tasks})


@endpoint("GET")
def stats(request: HttpRequest) -> HttpResponse:
    Query(request.GET, ())
    observed_at = datetime.now(UTC)
    queues = queue_counts()
    states = {state: sum(counts[state] for counts in queues.values()) for state in TaskState.values}
    return JsonResponse(
        {
            "observed_at": _moment(observed_at),
            "release": settings.RELEASE or None,
            "total": sum(states.values()),
            # What a restart would lose: a queued task is durable, these two are not.
            "in_flight": states[TaskState.RUNNING] + states[TaskState.CANCELLING],
            "states": states,
            "queues": queues,
            "workers": live_workers(observed_at),
        }
    )


def _task(row: dict) -> dict:
    error = row["error_message"]
    return {
        "task_id": row["task_id"],
        "task": row["callable_path"],
        "queue": row["queue_name"],
        "state": row["state"],
        "attempt": row["attempt_number"],
        "result_data": row["short_result"],
        "result_characters": row["result_characters"],
        "error": redact_text(error)[:ERROR_CHARACTERS_MAXIMUM] if error else None,
        "worker": row["claimed_by_worker"],
        "ray_address": row["ray_target_address"],
        "working_dir": _working_dir(row["runtime_env_json"]),
        "created_at": _moment(row["created_at"]),
        "started_at": _moment(row["started_at"]),
        "finished_at": _moment(row["finished_at"]),
    }


def _working_dir(runtime_env_json: str) -> str | None:
    try:
        working_dir = json.loads(runtime_env_json).get("working_dir")
    except (ValueError, AttributeError):
        return None
    return working_dir if isinstance(working_dir, str) else None


def _moment(value: datetime | None) -> str | None:
    return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z") if value else None
