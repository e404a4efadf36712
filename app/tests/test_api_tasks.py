"""What the API does for a caller with the token."""

import json
from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone
from django_ray.models import RayTaskExecution, TaskState, TaskWorkerLease
from testproject.api.parameters import UUID4_FORM

from tests.environment_for_tests import WORKING_DIR_URI

pytestmark = pytest.mark.django_db

UNKNOWN_ID = "00000000-0000-4000-8000-000000000000"


def execution(**fields) -> RayTaskExecution:
    """A stored task; only the relevant fields are named by a test."""
    number = RayTaskExecution.objects.count()
    return RayTaskExecution.objects.create(
        **{"task_id": f"00000000-0000-4000-8000-{number:012x}", "callable_path": "testproject.tasks.add", **fields}
    )


@pytest.mark.parametrize("queue", ["default", "high-priority", "low-priority", "sync", "ml"])
def test_an_addition_goes_into_the_named_queue(caller, queue):
    response = caller.post(f"/api/enqueue/add/2/3?queue={queue}")
    body = response.json()
    assert response.status_code == 200
    assert UUID4_FORM.fullmatch(body["task_id"])
    stored = RayTaskExecution.objects.get(task_id=body["task_id"])
    assert (stored.queue_name, stored.state, stored.args_json) == (queue, "QUEUED", "[2, 3]")
    assert body | {"task_id": "-"} == {
        "task_id": "-",
        "task": "testproject.tasks.add",
        "queue": queue,
        "state": "QUEUED",
        "args": [2, 3],
    }


def test_a_task_stores_the_archive_of_its_release_and_no_secret(caller):
    task_id = caller.post("/api/enqueue/add/-2/3").json()["task_id"]
    stored = RayTaskExecution.objects.get(task_id=task_id)
    assert json.loads(stored.runtime_env_json) == {
        "working_dir": WORKING_DIR_URI,
        "env_vars": {
            "DJANGO_SETTINGS_MODULE": "testproject.settings",
            "DJANGO_PROCESS": "ray-node",
            "PYTHONPATH": "src:testproject",
        },
    }
    assert (stored.queue_name, stored.args_json) == ("default", "[-2, 3]")


@pytest.mark.parametrize(
    ("path", "code", "parameter"),
    [
        ("/api/enqueue/add/x/3", "bad_integer", "a"),
        ("/api/enqueue/add/2/3.0", "bad_integer", "b"),
        ("/api/enqueue/add/2/+3", "bad_integer", "b"),
        ("/api/enqueue/add/2/03", "bad_integer", "b"),
        ("/api/enqueue/add/-0/3", "bad_integer", "a"),
        ("/api/enqueue/add/9007199254740992/3", "bad_integer", "a"),
        ("/api/enqueue/add/-9007199254740992/3", "bad_integer", "a"),
        ("/api/enqueue/add/" + "9" * 5000 + "/3", "bad_integer", "a"),
        ("/api/enqueue/add/٣/3", "bad_integer", "a"),
        ("/api/enqueue/add/2/3?queue=", "unknown_queue", "queue"),
        ("/api/enqueue/add/2/3?queue=gpu", "unknown_queue", "queue"),
        ("/api/enqueue/add/2/3?queue=ml&queue=sync", "repeated_parameter", "queue"),
        ("/api/enqueue/add/2/3?que=ml", "unknown_parameter", "'que'"),
        ("/api/enqueue/hold/0", "bad_integer", "seconds"),
        ("/api/enqueue/hold/901", "bad_integer", "seconds"),
    ],
)
def test_bad_input_is_400_names_the_parameter_and_enqueues_nothing(caller, path, code, parameter):
    response = caller.post(path)
    error = response.json()["error"]
    assert (response.status_code, error["code"], error["parameter"]) == (400, code, parameter)
    assert len(error["message"]) < 250 and error["message"].isprintable() and error["message"].isascii()
    assert RayTaskExecution.objects.count() == 0


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("limit=0", "bad_integer"),
        ("limit=101", "bad_integer"),
        ("limit=-1", "bad_integer"),
        ("limit=", "bad_integer"),
        ("limit=1e1", "bad_integer"),
        ("task_id=1", "bad_uuid"),
        ("task_id=00000000-0000-1000-8000-000000000000", "bad_uuid"),
        ("task_id=ABCDEF00-0000-4000-8000-000000000000", "bad_uuid"),
        ("task_id=00000000-0000-4000-8000-000000000000%0A", "bad_uuid"),
        ("task_id=%00", "bad_uuid"),
        ("state=done", "unknown_state"),
        ("queue=gpu", "unknown_queue"),
        ("offset=3", "unknown_parameter"),
    ],
)
def test_a_bad_query_for_executions_is_400(caller, query, code):
    response = caller.get(f"/api/executions?{query}")
    assert (response.status_code, response.json()["error"]["code"]) == (400, code)


def test_an_execution_is_found_by_its_id(caller):
    moment = timezone.now().replace(microsecond=123000)
    execution(task_id=UNKNOWN_ID, state="QUEUED")
    found = execution(
        state="SUCCEEDED",
        queue_name="ml",
        attempt_number=2,
        result_data="5",
        claimed_by_worker="worker-1",
        ray_target_address="ray://head:10001",
        runtime_env_json=json.dumps({"working_dir": WORKING_DIR_URI}),
        created_at=moment,
        started_at=moment,
        finished_at=moment + timedelta(seconds=1),
    )
    body = caller.get(f"/api/executions?task_id={found.task_id}&limit=1").json()
    stamp = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    assert body == {
        "limit": 1,
        "count": 1,
        "tasks": [
            {
                "task_id": found.task_id,
                "task": "testproject.tasks.add",
                "queue": "ml",
                "state": "SUCCEEDED",
                "attempt": 2,
                "result_data": "5",
                "result_characters": 1,
                "error": None,
                "worker": "worker-1",
                "ray_address": "ray://head:10001",
                "working_dir": WORKING_DIR_URI,
                "created_at": stamp,
                "started_at": stamp,
                "finished_at": (moment + timedelta(seconds=1))
                .isoformat(timespec="milliseconds")
                .replace("+00:00", "Z"),
            }
        ],
    }


def test_an_unknown_id_is_an_empty_list(caller):
    assert caller.get(f"/api/executions?task_id={UNKNOWN_ID}&limit=1").json() == {"limit": 1, "count": 0, "tasks": []}


def test_executions_come_newest_first_and_filtered(caller):
    for state in ("QUEUED", "RUNNING", "FAILED", "RUNNING"):
        execution(state=state)
    states = [task["state"] for task in caller.get("/api/executions").json()["tasks"]]
    assert states == ["RUNNING", "FAILED", "RUNNING", "QUEUED"]
    assert caller.get("/api/executions?state=RUNNING&limit=1").json()["count"] == 1
    assert caller.get("/api/executions?state=RUNNING&queue=ml").json()["count"] == 0


def test_a_long_result_stays_in_the_database_and_a_long_error_is_cut(caller):
    execution(state="SUCCEEDED", result_data=json.dumps("x" * 5000))
    execution(state="FAILED", error_message="boom " * 1000)
    failed, succeeded = caller.get("/api/executions").json()["tasks"]
    assert (succeeded["result_data"], succeeded["result_characters"]) == (None, 5002)
    assert failed["error"].startswith("boom boom") and len(failed["error"]) <= 2000


@pytest.mark.parametrize("snapshot", ["", "null", "[1]", '{"working_dir": 7}', "not json"])
def test_an_odd_runtime_env_is_shown_as_none(caller, snapshot):
    execution(runtime_env_json=snapshot)
    assert caller.get("/api/executions").json()["tasks"][0]["working_dir"] is None


def test_stats_count_every_queue_and_state(caller):
    execution(state="RUNNING")
    execution(state="CANCELLING", queue_name="ml")
    execution(state="QUEUED", queue_name="left-over-queue")
    now = timezone.now()
    lease = {"pid": 1, "is_active": True, "started_at": now - timedelta(hours=1)}
    TaskWorkerLease.objects.create(
        worker_id="fresh", hostname="pod-1", queue_name="default,ml", last_heartbeat_at=now, **lease
    )
    stale = now - timedelta(minutes=5)
    TaskWorkerLease.objects.create(
        worker_id="stale", hostname="pod-2", queue_name="sync", last_heartbeat_at=stale, **lease
    )
    TaskWorkerLease.objects.create(worker_id="gone", hostname="pod-3", last_heartbeat_at=now, stopped_at=now, **lease)

    body = caller.get("/api/executions/stats").json()

    assert (body["total"], body["in_flight"], body["release"]) == (3, 2, "local-gate-tree-0123456789ab-00000000")
    assert list(body["queues"]) == ["default", "high-priority", "low-priority", "sync", "ml", "left-over-queue"]
    assert set(body["states"]) == set(TaskState.values)
    assert body["queues"]["ml"]["CANCELLING"] == 1
    assert [(worker["worker_id"], worker["queues"], worker["live"]) for worker in body["workers"]] == [
        ("fresh", ["default", "ml"], True),
        ("stale", ["sync"], False),
    ]


def test_open_counts_name_no_queue_but_the_configured_ones(anybody):
    execution(state="QUEUED", queue_name="customer-acme")
    body = anybody.get("/api/queues").json()
    assert list(body["queues"]) == ["default", "high-priority", "low-priority", "sync", "ml", "other"]
    assert body["queues"]["other"]["QUEUED"] == 1
    assert "acme" not in json.dumps(body)


def test_metrics_are_prometheus_text_of_the_configured_queues(caller):
    execution(state="QUEUED", queue_name="ml")
    response = caller.get("/api/metrics")
    assert response["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    text = response.content.decode()
    assert 'django_ray_queue_depth{queue="ml"} 1' in text
    assert 'django_ray_tasks_total{state="QUEUED"} 1' in text
    for line in text.splitlines():
        assert not line or line.startswith("#") or len(line.rsplit(" ", 1)) == 2


def test_a_lost_database_is_503_in_json_without_its_message(caller, monkeypatch):
    def fail(*args, **kwargs):
        raise OperationalError("connection to server at 10.0.0.7 failed: password authentication failed")

    monkeypatch.setattr("testproject.api.executions.queue_counts", fail)
    response = caller.get("/api/executions/stats")
    assert (response.status_code, response.json()["error"]["code"]) == (503, "database_unavailable")
    assert "10.0.0.7" not in response.content.decode()


def test_an_unexpected_error_is_500_in_json_without_its_message(caller, monkeypatch, settings):
    settings.DEBUG = True

    def fail(*args, **kwargs):
        raise RuntimeError("inner-detail")

    monkeypatch.setattr("testproject.api.executions.queue_counts", fail)
    response = caller.get("/api/executions/stats")
    assert (response.status_code, response.json()["error"]["code"]) == (500, "internal_error")
    assert "inner-detail" not in response.content.decode()
