"""Real services on loopback for the end-to-end test: PostgreSQL and a Ray head, each ended by its id."""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_until(
    what: str, seconds: float, ask: Callable[[], object], alive: Callable[[], None] = lambda: None
) -> object:
    deadline = time.monotonic() + seconds
    while True:
        alive()
        answer = ask()
        if answer:
            return answer
        assert time.monotonic() < deadline, f"waited {seconds} s for {what}"
        time.sleep(0.25)


class Stack:
    """Processes of one test run; each logs to its own file and is ended by its id."""

    def __init__(self, folder: Path, cleanup: ExitStack) -> None:
        self.folder, self.cleanup = folder, cleanup
        self.processes: dict[str, subprocess.Popen] = {}

    def start(self, name: str, argv: list[str], env: dict[str, str], **options) -> subprocess.Popen:
        log = self.cleanup.enter_context(open(self.folder / f"{name}.log", "wb"))  # noqa: SIM115
        process = subprocess.Popen(
            argv, env=env, stdout=log, stderr=subprocess.STDOUT, start_new_session=True, **options
        )
        self.processes[name] = process
        self.cleanup.callback(stop, process)
        return process

    def all_alive(self) -> None:
        for name, process in self.processes.items():
            assert process.poll() is None, f"{name} ended with {process.returncode}:\n{self.log(name)[-3000:]}"

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text(errors="replace")


def stop(process: subprocess.Popen, seconds: float = 20) -> int:
    """Asks the process to end, then ends its whole session."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    return process.wait(10)


def start_postgres(stack: Stack, folder: Path, password: str) -> int:
    binaries = [
        Path(shutil.which("initdb") or "/").parent,
        *sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True),
    ]
    found = [path for path in binaries if (path / "initdb").exists() and (path / "postgres").exists()]
    if not found:
        pytest.fail("no PostgreSQL server binaries found: install Debian's package postgresql")
    data, port = folder / "postgres", free_port()
    data.mkdir()
    (folder / "password").write_text(password)
    as_user: dict = {}
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root
        as_user = {"user": 65534, "group": 65534, "extra_groups": []}
        for path in (data, folder / "password"):
            shutil.chown(path, 65534, 65534)
    env = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    initdb = [
        str(found[0] / "initdb"),
        "-D",
        str(data),
        "-U",
        "django_ray",
        f"--pwfile={folder / 'password'}",
        "--auth=scram-sha-256",
    ]
    subprocess.run(initdb, env=env, check=True, capture_output=True, timeout=120, **as_user)
    argv = [str(found[0] / "postgres"), "-D", str(data), "-p", str(port), "-c", "listen_addresses=127.0.0.1"]
    stack.start("postgres", [*argv, "-c", f"unix_socket_directories={data}", "-c", "fsync=off"], env, **as_user)
    return port


def create_database(port: int, password: str) -> bool:
    import psycopg

    address = {"host": "127.0.0.1", "port": port, "user": "django_ray", "password": password, "dbname": "postgres"}
    try:
        with psycopg.connect(**address, autocommit=True) as connection:
            connection.execute("CREATE DATABASE django_ray")
    except psycopg.OperationalError:
        return False
    return True


def start_ray(stack: Stack, folder: Path) -> int:
    venv = Path(os.environ["RAYGATE_RAY_VENV"])
    lacks = (
        "import importlib.util as u; assert not any(map(u.find_spec, ('django', 'django_ray', 'asgiref', 'sqlparse')))"
    )
    subprocess.run([venv / "bin" / "python", "-I", "-c", lacks], check=True, timeout=60)
    port = free_port()
    argv = [
        str(venv / "bin" / "ray"), "start", "--head", "--block", "--node-ip-address=127.0.0.1", f"--port={free_port()}",
        f"--ray-client-server-port={port}", "--include-dashboard=false", "--num-cpus=2", "--disable-usage-stats",
        f"--temp-dir={folder / 'ray'}", "--object-store-memory=100000000",
    ]  # fmt: skip
    stack.start("ray", argv, {"PATH": f"{venv}/bin:/usr/bin:/bin", "HOME": str(folder)}, cwd=folder)
    return port
