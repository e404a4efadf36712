"""Counts and leases as the database has them, shared by the API and the status page."""

from datetime import datetime

from django.conf import settings
from django.db.models import Count
from django_ray.models import RayTaskExecution, TaskState, TaskWorkerLease
from django_ray.runner.leasing import get_lease_duration

OTHER_QUEUES = "other"
WORKERS_MAXIMUM = 200


def queue_counts() -> dict[str, dict[str, int]]:
    """Tasks per queue and state: every configured queue, and every other one that the table knows."""
    counts = {queue: dict.fromkeys(TaskState.values, 0) for queue in settings.QUEUES}
    rows = RayTaskExecution.objects.values("queue_name", "state").annotate(tasks=Count("pk")).order_by()
    for row in rows:
        queue = counts.setdefault(row["queue_name"], dict.fromkeys(TaskState.values, 0))
        queue[row["state"]] = queue.get(row["state"], 0) + row["tasks"]
    return counts


def known_queue_counts() -> dict[str, dict[str, int]]:
    """The same with queues outside the settings added up as `other`, so that no stored name gets out."""
    counts = queue_counts()
    known = {queue: counts.pop(queue) for queue in settings.QUEUES}
    if counts:
        known[OTHER_QUEUES] = {state: sum(queue[state] for queue in counts.values()) for state in TaskState.values}
    return known


def live_workers(now: datetime) -> list[dict]:
    """Task managers that have not stopped, latest heartbeat first. `live`: the lease is fresh enough to claim work."""
    lease_seconds = get_lease_duration().total_seconds()
    leases = TaskWorkerLease.objects.filter(is_active=True, stopped_at__isnull=True).order_by("-last_heartbeat_at")
    workers = []
    for lease in leases[:WORKERS_MAXIMUM]:
        age_seconds = max(0.0, (now - lease.last_heartbeat_at).total_seconds())
        workers.append(
            {
                "worker_id": lease.worker_id,
                "hostname": lease.hostname,
                "queues": lease.queue_name.split(","),
                "heartbeat_age_seconds": round(age_seconds, 1),
                "live": age_seconds <= lease_seconds,
            }
        )
    return workers
