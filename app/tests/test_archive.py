"""The archive of this application, as it is built and as Ray uses it."""

import subprocess
import sys
import zipfile
from importlib.metadata import Distribution

import pytest

from runtime_archive.build import REQUIRED_MEMBER, VENDORED, build_archive
from tests.conftest import APPLICATION


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    return build_archive(APPLICATION, tmp_path_factory.mktemp("archive") / "real.zip")


def test_the_real_archive_holds_the_packages_the_project_and_the_english_catalogue(real):
    names = zipfile.ZipFile(real.path).namelist()
    assert names == sorted(names) and len(names) == real.members > 1000
    for name in (
        REQUIRED_MEMBER,
        "src/django/conf/locale/en/LC_MESSAGES/django.mo",
        "src/asgiref/sync.py",
        "src/sqlparse/__init__.py",
        "src/runtime_archive/build.py",
        "testproject/manage.py",
        "testproject/testproject/tasks.py",
    ):
        assert name in names
    others = {name for name in names if not name.endswith(".py")}
    assert {name.rsplit("/", 1)[0] for name in others} == {"src/django/conf/locale/en/LC_MESSAGES"}
    assert {name.split("/")[0] for name in names} == {"src", "testproject"}
    assert real.bytes < 4 * 1024 * 1024


def test_the_real_archive_is_built_the_same_again(real, tmp_path, application):
    assert build_archive(application, tmp_path / "again.zip").sha256 == real.sha256


def test_extracted_as_ray_does_it_the_archive_alone_provides_the_project(real, tmp_path):
    """Relative PYTHONPATH, the folder as working directory, no database, no secrets."""
    zipfile.ZipFile(real.path).extractall(tmp_path)
    code = (
        "import sys, django, django_ray, asgiref, sqlparse; django.setup()\n"
        "import django_ray.runtime.remote, testproject.tasks as tasks\n"
        "from django_ray.runtime.entrypoint import execute_task\n"
        "print(execute_task('testproject.tasks.add', '[2, 3]', '{}'))\n"
        "print(*sorted({m.__file__ for m in (django, django_ray, asgiref, sqlparse, tasks)}), sep='\\n')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={
            "PYTHONPATH": "src:testproject",
            "DJANGO_SETTINGS_MODULE": "testproject.settings",
            "DJANGO_PROCESS": "ray-node",
        },
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    result, *files = done.stdout.strip().splitlines()
    assert '"success": true' in result.replace(":true", ": true") and '"result": 5' in result.replace(":5", ": 5")
    assert all(file.startswith(str(tmp_path)) for file in files), files


def test_every_vendored_distribution_is_pinned_by_the_lock(application):
    lock = (application / "requirements.lock").read_text()
    for vendored in VENDORED:
        version = Distribution.from_name(vendored.distribution).version
        assert f"\n{vendored.distribution.lower()}=={version} " in f"\n{lock}"
