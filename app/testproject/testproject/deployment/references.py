"""Which archives stored tasks still need."""

import json

from django_ray.models import RayTaskExecution, TaskState

from runtime_archive.errors import ArchiveError
from runtime_archive.naming import NAME_FORM

# django-ray 0.7.0 runs or retries a task in every other state (FAILED, LOST and EXPIRED through its admin).
NEVER_RUN_AGAIN = (TaskState.SUCCEEDED, TaskState.CANCELLED)


def referenced_archives() -> frozenset[str]:
    """Names of archives that a task which may still run has stored.

    Raises `ArchiveError` when one snapshot cannot be read: what is unreadable is not absent, so nothing may be pruned.
    """
    snapshots = (
        RayTaskExecution.objects.exclude(state__in=NEVER_RUN_AGAIN)
        .order_by()
        .values_list("runtime_env_json", flat=True)
        .distinct()
    )
    names = set()
    for snapshot in snapshots.iterator():
        try:
            spec = json.loads(snapshot)
            uris = [spec.get("working_dir"), *(spec.get("py_modules") or [])]
        except (ValueError, AttributeError, TypeError):
            raise ArchiveError("a stored task has an unreadable RuntimeEnv: no archive is pruned") from None
        if "working_dir" not in spec and spec.keys() - {"env_vars"}:
            raise ArchiveError("a stored task has an encrypted or unknown RuntimeEnv: no archive is pruned")
        names.update(match[0] for uri in uris if isinstance(uri, str) for match in [NAME_FORM.search(uri)] if match)
    return frozenset(names)
