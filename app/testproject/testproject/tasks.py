"""The tasks of this application. They run on Ray nodes: no database, no secrets, JSON in and JSON out."""

import time

from django.tasks import task

HOLD_SECONDS_MAXIMUM = 900


@task
def add(a: int, b: int) -> int:
    return a + b


@task
def hold(seconds: int) -> int:
    """Stays RUNNING for `seconds`: something to wait for, to cancel or to drain."""
    if not 1 <= seconds <= HOLD_SECONDS_MAXIMUM:
        raise ValueError(f"seconds must be from 1 to {HOLD_SECONDS_MAXIMUM}, not {seconds}")
    time.sleep(seconds)
    return seconds
