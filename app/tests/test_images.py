"""Locks, Dockerfiles and build contexts say the same thing."""

import re
import tomllib

import pytest

CONTEXT = ["!src/", "!src/**", "!testproject/", "!testproject/**"]
NEVER = ["**/__pycache__", "**/*.py[co]", "**/.env*", "**/*.sqlite3*"]
ALLOW_LISTS = {
    "Dockerfile.dockerignore": [
        "**", "!Dockerfile", "!pyproject.toml", "!requirements.lock", "!README.md", "!docker-entrypoint.sh", *CONTEXT, *NEVER,
    ],
    "Dockerfile.ray.dockerignore": [
        "**", "!Dockerfile.ray", "!pyproject.toml", "!requirements.node.lock", "!README.md", *CONTEXT, *NEVER,
    ],
}  # fmt: skip


def pins(text: str) -> dict[str, str]:
    return dict(re.findall(r"^([a-z0-9-]+)==([^ ]+) \\$", text, flags=re.M))


def hashes(text: str) -> dict[str, list[str]]:
    blocks = re.split(r"^(?=[a-z0-9])", text, flags=re.M)[1:]
    return {block.split("==")[0]: re.findall(r"--hash=sha256:[0-9a-f]{64}", block) for block in blocks}


@pytest.mark.parametrize("file", ALLOW_LISTS)
def test_the_build_sees_only_what_is_listed(application, file):
    lines = [line.strip() for line in (application / file).read_text().splitlines()]
    assert [line for line in lines if line and not line.startswith("#")] == ALLOW_LISTS[file]


@pytest.mark.parametrize("file", ["Dockerfile", "Dockerfile.ray"])
def test_a_dockerfile_copies_nothing_that_its_context_lacks(application, file):
    allowed = {
        line.removeprefix("!").rstrip("/") for line in ALLOW_LISTS[f"{file}.dockerignore"] if line.startswith("!")
    }
    for line in (application / file).read_text().splitlines():
        if line.startswith("COPY") and "--from=" not in line:
            sources = [word for word in line.split()[1:-1] if not word.startswith("--")]
            assert {source.rstrip("/") for source in sources} <= allowed, line


@pytest.mark.parametrize("file", ["requirements.lock", "requirements.node.lock", "requirements.test.lock"])
def test_a_lock_pins_and_hashes_everything_and_names_no_registry(application, file):
    text = (application / file).read_text()
    assert pins(text).keys() == hashes(text).keys()
    assert all(hashes(text).values())
    for line in text.splitlines():
        assert re.fullmatch(r"[a-z0-9-]+==[A-Za-z0-9.]+ \\|    --hash=sha256:[0-9a-f]{64}( \\)?|    #.*|", line), line
    assert not re.search(r"://|index-url|find-links|/tmp/|/root/|trusted-host", text)


def test_the_lock_holds_the_versions_that_the_project_asks_for(application):
    project = tomllib.loads((application / "pyproject.toml").read_text())
    locked = pins((application / "requirements.lock").read_text())
    for requirement in project["project"]["dependencies"]:
        name, version = re.fullmatch(r"([A-Za-z0-9-]+)(?:\[[a-z,]+\])?==(.+)", requirement).groups()
        assert locked[name.lower()] == version


def test_the_node_lock_is_a_part_of_the_lock(application):
    whole, node = ((application / f"requirements{part}.lock").read_text() for part in ("", ".node"))
    assert set(pins(node)) == {"asgiref", "django", "django-ray", "psycopg", "psycopg-binary", "sqlparse", "whitenoise"}
    assert pins(node).items() <= pins(whole).items()
    assert hashes(node).items() <= hashes(whole).items()


def test_ray_and_python_are_the_same_everywhere(application):
    ray = pins((application / "requirements.lock").read_text())["ray"]
    application_image, ray_image = ((application / file).read_text() for file in ("Dockerfile", "Dockerfile.ray"))
    assert f"FROM rayproject/ray:{ray}-py313" in ray_image
    assert application_image.count("FROM python:3.13-slim") == 2
    assert application_image.count(f"== ('{ray}', (3, 13))") == ray_image.count(f"== ('{ray}', (3, 13))") == 1
    assert tomllib.loads((application / "pyproject.toml").read_text())["project"]["requires-python"] == ">=3.13,<3.14"


def test_the_image_runs_as_a_plain_user_and_its_entrypoint_is_strict_first(application):
    assert "\nUSER 1000:1000\n" in (application / "Dockerfile").read_text()
    entrypoint = (application / "docker-entrypoint.sh").read_text().splitlines()
    code = [line for line in entrypoint if line and not line.startswith("#")]
    assert entrypoint[0] == "#!/bin/bash"
    assert code[0] == "set -euo pipefail"
    for mode in [
        "web",
        "web-dev",
        "worker",
        "worker-cluster",
        "migrate",
        "collectstatic",
        "createsuperuser",
        "shell",
        "bash",
        "setup",
        "*",
    ]:
        assert f"  {mode})" in entrypoint
