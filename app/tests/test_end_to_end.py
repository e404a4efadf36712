"""The whole way on loopback: setup, web, three managers and a real Ray head whose Python has neither Django nor django-ray.

Everything runs through the image's own entrypoint. Run by `app/run-tests --ray`.
"""

import hashlib
import json
import secrets
import signal
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.conftest import APPLICATION
from tests.loopback import Stack, create_database, free_port, start_postgres, start_ray, stop, wait_until

pytestmark = pytest.mark.ray

TREE = "fedcba9876543210fedcba9876543210fedcba98"
START_SECONDS, TASK_SECONDS = 120, 120
MANAGERS = {
    "default,high-priority,low-priority": ["worker-cluster"],
    "ml": ["worker-cluster"],
    "sync": ["worker", "--sync"],
}


@pytest.fixture(scope="module")
def deployment() -> Iterator[dict]:
    # A short path: Ray's sockets live beneath it and a socket's path has at most 107 bytes.
    with ExitStack() as cleanup:
        folder = Path(
            cleanup.enter_context(tempfile.TemporaryDirectory(prefix="rg-", dir="/tmp", ignore_cleanup_errors=True))
        )
        folder.chmod(0o755)
        (folder / "runtime-env").mkdir()
        stack = Stack(folder, cleanup)
        password, token = secrets.token_hex(16), secrets.token_urlsafe(32)
        postgres, ray = start_postgres(stack, folder, password), start_ray(stack, folder)
        wait_until("PostgreSQL", START_SECONDS, lambda: create_database(postgres, password), stack.all_alive)
        lock12 = hashlib.sha256((APPLICATION / "requirements.lock").read_bytes()).hexdigest()[:12]
        web = f"127.0.0.1:{free_port()}"
        env = {
            "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
            "HOME": "/nonexistent",
            "PYTHONDONTWRITEBYTECODE": "1",
            "DJANGO_DEPLOYMENT_MODE": "demo",
            "DJANGO_ALLOWED_HOSTS": "127.0.0.1",
            "DJANGO_STATIC_ROOT": str(folder / "static"),
            "RAY_ADDRESS": f"ray://127.0.0.1:{ray}",
            "DJANGO_RAY_WORKING_DIR_URI": f"file://{folder}/runtime-env/django-ray-source-{TREE[:12]}-{lock12}.zip",
            "DATABASE_NAME": "django_ray",
            "DATABASE_HOST": "127.0.0.1",
            "DATABASE_PORT": str(postgres),
            "DATABASE_USER": "django_ray",
            "DATABASE_PASSWORD": password,
            "WEB_BIND": web,
        }
        entrypoint = str(APPLICATION / "docker-entrypoint.sh")
        setup_env = env | {"RAYGATE_SOURCE_TREE": TREE, "TERMINATION_LOG": str(folder / "result")}
        setup = subprocess.run([entrypoint, "setup"], env=setup_env, capture_output=True, text=True, timeout=300)
        assert setup.returncode == 0, setup.stdout + setup.stderr
        web_env = env | {"DJANGO_SECRET_KEY": secrets.token_urlsafe(50), "DJANGO_API_TOKEN": token}
        stack.start("web", [entrypoint, "web"], web_env)
        for queues, arguments in MANAGERS.items():
            name = f"manager-{queues.split(',')[0]}"
            stack.start(name, [entrypoint, *arguments], env | {"DJANGO_RAY_QUEUE": queues})
        yield {
            "stack": stack,
            "env": env,
            "entrypoint": entrypoint,
            "token": token,
            "url": f"http://{web}",
            "folder": folder,
        }


def call(deployment: dict, method: str, path: str, token: str | None = None) -> tuple[int, object]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    request = urllib.request.Request(deployment["url"] + path, method=method, headers=headers)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=10) as response:
            body = response.read().decode()
            return response.status, json.loads(body) if response.headers["Content-Type"] == "application/json" else body
    except urllib.error.HTTPError as error:
        return error.code, None
    except OSError:
        return 0, None


def test_web_answers_and_is_closed_without_the_token(deployment):
    alive = deployment["stack"].all_alive
    wait_until("web", START_SECONDS, lambda: call(deployment, "GET", "/api/health")[0] == 200, alive)
    closed = [("POST", "/api/enqueue/add/2/3"), ("GET", "/api/executions/stats"), ("GET", "/api/metrics")]
    assert [call(deployment, *step)[0] for step in closed] == [401] * 3
    assert [call(deployment, *step, deployment["token"])[0] for step in closed[1:]] == [200] * 2


def test_every_manager_becomes_ready_by_its_probe(deployment):
    for queues in MANAGERS:
        probe = lambda queues=queues: subprocess.run(  # noqa: E731
            [deployment["entrypoint"], "worker-ready"],
            env=deployment["env"] | {"DJANGO_RAY_QUEUE": queues},
            capture_output=True,
        )
        wait_until(f"the manager of {queues}", START_SECONDS, lambda probe=probe: probe().returncode == 0)
    nobody = subprocess.run(
        [deployment["entrypoint"], "worker-ready"],
        env=deployment["env"] | {"DJANGO_RAY_QUEUE": "nobody"},
        capture_output=True,
    )
    assert nobody.returncode == 1


@pytest.mark.parametrize("queue", ["default", "high-priority", "low-priority", "sync", "ml"])
def test_a_task_of_each_queue_succeeds_with_the_archive_of_this_release(deployment, queue):
    status, enqueued = call(deployment, "POST", f"/api/enqueue/add/2/3?queue={queue}", deployment["token"])
    assert status == 200

    def finished():
        path = f"/api/executions?task_id={enqueued['task_id']}&limit=1"
        (task,) = call(deployment, "GET", path, deployment["token"])[1]["tasks"]
        return task if task["state"] not in ("QUEUED", "RUNNING") else None

    task = wait_until(f"a task of {queue}", TASK_SECONDS, finished, deployment["stack"].all_alive)
    assert (task["state"], task["result_data"], task["error"], task["attempt"]) == ("SUCCEEDED", "5", None, 1)
    assert task["working_dir"] == deployment["env"]["DJANGO_RAY_WORKING_DIR_URI"]


def test_the_result_of_setup_describes_the_archive(deployment):
    result = json.loads((deployment["folder"] / "result").read_text())
    (archive,) = (deployment["folder"] / "runtime-env").iterdir()
    assert result["archive"]["sha256"] == hashlib.sha256(archive.read_bytes()).hexdigest()
    assert result["archive"]["uri"] == f"file://{archive}"


def test_no_log_holds_a_secret(deployment):
    for name in deployment["stack"].processes:
        log = deployment["stack"].log(name)
        assert deployment["token"] not in log and deployment["env"]["DATABASE_PASSWORD"] not in log, name


def test_a_manager_ends_cleanly_when_asked(deployment):
    stack = deployment["stack"]
    process = stack.processes.pop("manager-ml")
    # 15: a connected Ray client (2.60.0) puts its own handler of SIGTERM in the place of django-ray's.
    assert stop(process) in (15, 128 + signal.SIGTERM)
    assert "shut down cleanly" in stack.log("manager-ml")
    workers = call(deployment, "GET", "/api/executions/stats", deployment["token"])[1]["workers"]
    assert sorted(worker["queues"][0] for worker in workers) == ["default", "sync"]
