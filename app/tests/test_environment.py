"""Settings from the environment: what each process must have, and how problems are told."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from testproject.environment import Environment, EnvironmentProblems, api_token_problem, secret_key_problem

from tests.conftest import APPLICATION
from tests.environment_for_tests import SECRET_KEY, TOKEN

DATABASE = {"DATABASE_NAME": "n", "DATABASE_HOST": "h", "DATABASE_USER": "u", "DATABASE_PASSWORD": "p"}
WEB = DATABASE | {
    "DJANGO_PROCESS": "web",
    "RAY_ADDRESS": "ray://head:10001",
    "DJANGO_SECRET_KEY": SECRET_KEY,
    "DJANGO_API_TOKEN": TOKEN,
    "DJANGO_ALLOWED_HOSTS": "localhost",
}


@pytest.mark.parametrize(
    ("why", "token", "good"),
    [
        ("32 characters", "a" * 32, True),
        ("31 and one =", "a" * 31 + "=", True),
        ("30 and two =", "a" * 30 + "==", True),
        ("510 and two =", "a" * 510 + "==", True),
        ("511 and one =", "a" * 511 + "=", True),
        ("512", "a" * 512, True),
        ("every allowed character", "ABCxyz0189._~+/-" * 2, True),
        ("31", "a" * 31, False),
        ("513", "a" * 513, False),
        ("512 and one =", "a" * 512 + "=", False),
        ("511 and two =", "a" * 511 + "==", False),
        ("three =", "a" * 32 + "===", False),
        ("= inside", "a" * 16 + "=" + "a" * 16, False),
        ("only =", "=" * 32, False),
        ("trailing newline", "a" * 32 + "\n", False),
        ("tab", "a" * 32 + "\t", False),
        ("space", "a" * 16 + " " + "a" * 16, False),
        ("quote", "a" * 32 + '"', False),
        ("backslash", "a" * 32 + "\\", False),
        ("euro sign", "a" * 32 + "€", False),
        ("empty", "", False),
    ],
)
def test_api_token_form(why, token, good):
    problem = api_token_problem(token)
    assert (problem is None) == good, why
    assert problem is None or len(token) < 4 or token not in problem


def test_secret_key_form():
    assert secret_key_problem(SECRET_KEY) is None
    assert "at least 50 characters, it has 49" in secret_key_problem("a1b2c3d4" * 6 + "x")
    assert "different characters" in secret_key_problem("ab" * 30)


@pytest.mark.parametrize(
    ("variables", "ask", "value", "problem"),
    [
        ({"F": "True"}, lambda env: env.flag("F", False), True, None),
        ({"F": " off "}, lambda env: env.flag("F", True), False, None),
        ({}, lambda env: env.flag("F", True), True, None),
        ({"F": "maybe"}, lambda env: env.flag("F", True), True, "F must be True or False, not 'maybe'"),
        ({"N": "7"}, lambda env: env.integer("N", 1, minimum=1, maximum=9), 7, None),
        ({"N": ""}, lambda env: env.integer("N", 1, minimum=1, maximum=9), 1, None),
        (
            {"N": "10"},
            lambda env: env.integer("N", 1, minimum=1, maximum=9),
            1,
            "N must be a whole number from 1 to 9, not '10'",
        ),
        (
            {"N": "1_0"},
            lambda env: env.integer("N", 1, minimum=1, maximum=99),
            1,
            "N must be a whole number from 1 to 99, not '1_0'",
        ),
        ({"C": "b"}, lambda env: env.choice("C", ("a", "b"), "a"), "b", None),
        ({"C": "z"}, lambda env: env.choice("C", ("a", "b"), "a"), "a", "C must be one of a, b, not 'z'"),
        ({"W": " a, ,b "}, lambda env: env.words("W"), ["a", "b"], None),
        ({"S": " x\n"}, lambda env: env.secret("S"), " x\n", None),
        ({"R": " "}, lambda env: env.require("R"), None, "R is not set"),
    ],
)
def test_typed_values(variables, ask, value, problem):
    env = Environment(variables)
    assert ask(env) == value
    if problem is None:
        env.finish()
    else:
        with pytest.raises(EnvironmentProblems) as raised:
            env.finish()
        assert str(raised.value) == problem


def load_settings(variables: dict[str, str], show: str = "'loaded'") -> tuple[int, str]:
    """Starts Django in a fresh process with `variables` alone; exit status and what it printed last."""
    code = (
        "import json, django; django.setup()\n"
        "from django.conf import settings\n"
        "import testproject.tasks, django_ray.runtime.remote\n"
        f"print(json.dumps({show}))"
    )
    paths = f"{APPLICATION / 'src'}:{APPLICATION / 'testproject'}"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": paths, "DJANGO_SETTINGS_MODULE": "testproject.settings"}
        | variables,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.returncode, (done.stdout + done.stderr).strip().splitlines()[-1]


def test_a_ray_node_starts_with_neither_database_nor_secrets():
    status, line = load_settings(
        {"DJANGO_PROCESS": "ray-node"}, "[settings.DATABASES['default']['ENGINE'], settings.API_TOKEN, settings.DEBUG]"
    )
    assert (status, json.loads(line)) == (0, ["django.db.backends.dummy", "", False])


def test_a_ray_node_takes_no_database_and_no_secret_even_where_there_are_some():
    shown = "[settings.DATABASES['default']['ENGINE'], settings.API_TOKEN, settings.DJANGO_RAY['RUNTIME_ENV_PROFILES']]"
    status, line = load_settings(WEB | {"DJANGO_PROCESS": "ray-node"}, shown)
    assert (status, json.loads(line)) == (0, ["django.db.backends.dummy", "", {}])


def test_web_starts_with_all_it_needs():
    status, line = load_settings(WEB, "[settings.DEBUG, settings.SESSION_COOKIE_SECURE, settings.PUBLIC_STATUS]")
    assert (status, json.loads(line)) == (0, [False, True, False])


@pytest.mark.parametrize(
    ("why", "variables", "words"),
    [
        (
            "an empty web process names everything at once",
            {"DJANGO_PROCESS": "web"},
            [
                "DATABASE_HOST",
                "DATABASE_PASSWORD",
                "RAY_ADDRESS",
                "DJANGO_SECRET_KEY",
                "DJANGO_API_TOKEN",
                "DJANGO_ALLOWED_HOSTS",
            ],
        ),
        ("debug in production", WEB | {"DJANGO_DEBUG": "True"}, ["DJANGO_DEBUG must be False"]),
        ("any host in production", WEB | {"DJANGO_ALLOWED_HOSTS": "*"}, ["DJANGO_ALLOWED_HOSTS must name its hosts"]),
        ("a short token", WEB | {"DJANGO_API_TOKEN": "hunter2"}, ["DJANGO_API_TOKEN must have 32"]),
        ("a worker without Ray", DATABASE | {"DJANGO_PROCESS": "worker"}, ["RAY_ADDRESS is not set"]),
        (
            "an archive URI with a fixed name",
            WEB | {"DJANGO_RAY_WORKING_DIR_URI": "file:///runtime-env/django-ray-source.zip"},
            ["DJANGO_RAY_WORKING_DIR_URI must look like"],
        ),
        ("an unknown process", {"DJANGO_PROCESS": "cron"}, ["DJANGO_PROCESS must be one of"]),
    ],
)
def test_a_wrong_environment_is_told_in_one_line(why, variables, words):
    status, line = load_settings(variables)
    assert status != 0, why
    for word in words:
        assert word in line
    for secret in ("hunter2", SECRET_KEY, TOKEN):
        assert secret not in line


def test_manage_py_tells_it_without_a_traceback_and_exits_78(tmp_path: Path):
    message = tmp_path / "termination-log"
    done = subprocess.run(
        [sys.executable, str(APPLICATION / "testproject" / "manage.py"), "setup"],
        env={"PATH": os.environ["PATH"], "DJANGO_PROCESS": "setup", "TERMINATION_LOG": str(message)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 78
    assert done.stderr.count("\n") == 1 and "RAYGATE_SOURCE_TREE is not set" in done.stderr
    result = json.loads(message.read_text())
    assert (result["schema"], result["status"], result["step"]) == ("raygate.setup/v1", "failed", "environment")
    assert "DATABASE_PASSWORD is not set" in result["error"]
