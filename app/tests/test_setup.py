"""The setup of a release: order, markers, result, and what happens when a step fails."""

import hashlib
import json

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import CommandError
from testproject.deployment.result import encode

pytestmark = pytest.mark.django_db(transaction=True)

TREE = "0123456789abcdef0123456789abcdef01234567"
MARKERS = [
    "Running migrations...",
    "Collecting static files...",
    "Building shared RuntimeEnv source bundle...",
    "RuntimeEnv bundle ready:",
    "Django setup complete!",
]


@pytest.fixture
def release(tmp_path, settings, monkeypatch):
    """A volume, a place for the result, and the URI of this source tree."""
    settings.STATIC_ROOT = tmp_path / "static"
    monkeypatch.setenv("TERMINATION_LOG", str(tmp_path / "termination-log"))
    (tmp_path / "volume").mkdir()
    lock = tmp_path / "requirements.lock"
    lock.write_text("django==6.1.3\n")
    lock12 = hashlib.sha256(lock.read_bytes()).hexdigest()[:12]
    uri = f"file://{tmp_path}/volume/django-ray-source-{TREE[:12]}-{lock12}.zip"

    def run(**changes):
        call_command("setup", **({"uri": uri, "source_tree": TREE, "lock": str(lock)} | changes))

    run.uri, run.message, run.volume = uri, tmp_path / "termination-log", tmp_path / "volume"
    return run


def test_a_setup_prints_its_markers_in_order_and_leaves_a_result(release, capsys, monkeypatch):
    for variable, value in (
        ("USERNAME", "admin"),
        ("EMAIL", "admin@example.invalid"),
        ("PASSWORD", "correct-horse-battery"),
    ):
        monkeypatch.setenv(f"DJANGO_SUPERUSER_{variable}", value)
    release()
    printed = capsys.readouterr().out
    positions = [printed.index(marker) for marker in MARKERS]
    assert positions == sorted(positions)
    result = json.loads(release.message.read_bytes())
    (archive,) = release.volume.iterdir()
    assert result["schema"] == "raygate.setup/v1"
    assert (result["status"], result["superuser"], result["source_tree"]) == ("complete", "created", TREE)
    assert result["archive"] == {
        "uri": release.uri,
        "path": str(archive),
        "bytes": archive.stat().st_size,
        "sha256": hashlib.sha256(archive.read_bytes()).hexdigest(),
        "members": result["archive"]["members"],
        "state": "created",
        "required_member": "src/django_ray/runtime/remote.py",
    }
    assert (
        f"RuntimeEnv bundle ready: {release.uri} bytes={archive.stat().st_size} sha256={result['archive']['sha256']}"
        in printed
    )
    assert "correct-horse-battery" not in printed + release.message.read_text()
    assert get_user_model().objects.get(username="admin").check_password("correct-horse-battery")


def test_a_second_setup_changes_nothing(release, monkeypatch):
    for variable in ("USERNAME", "EMAIL", "PASSWORD"):
        monkeypatch.setenv(f"DJANGO_SUPERUSER_{variable}", "first-value")
    release()
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "second-value")
    release()
    result = json.loads(release.message.read_bytes())
    assert (result["archive"]["state"], result["superuser"]) == ("unchanged", "present")
    assert get_user_model().objects.get().check_password("first-value")


def test_without_its_variables_there_is_no_superuser(release):
    release()
    assert json.loads(release.message.read_bytes())["superuser"] == "skipped"
    assert get_user_model().objects.count() == 0


@pytest.mark.parametrize(
    ("why", "changes", "step", "words"),
    [
        ("a URI of another release", {"source_tree": "f" * 40}, "environment", "different releases"),
        ("a tree that is none", {"source_tree": "main"}, "environment", "not a git object id"),
        ("a URI of a fixed name", {"uri": "file:///runtime-env/django-ray-source.zip"}, "environment", "archive URI"),
    ],
)
def test_a_wrong_release_fails_before_anything_is_done(release, capsys, why, changes, step, words):
    with pytest.raises(CommandError, match=words):
        release(**changes)
    assert "Running migrations" not in capsys.readouterr().out
    result = json.loads(release.message.read_bytes())
    assert (result["status"], result["step"]) == ("failed", step)
    assert words in result["error"]


def test_a_failed_archive_names_its_step_and_says_nothing_of_completion(release, capsys):
    release.volume.rmdir()
    with pytest.raises(CommandError, match=r"setup failed at archive: .*mount the RuntimeEnv volume"):
        release()
    assert "setup complete" not in capsys.readouterr().out
    assert json.loads(release.message.read_bytes())["step"] == "archive"


def test_an_incomplete_superuser_fails_by_name(release, monkeypatch):
    monkeypatch.setenv("DJANGO_SUPERUSER_USERNAME", "admin")
    with pytest.raises(CommandError, match="DJANGO_SUPERUSER_EMAIL, DJANGO_SUPERUSER_PASSWORD not set"):
        release()


def test_a_result_always_fits_a_termination_message():
    names = [f"django-ray-source-{number:012x}-{number:012x}.zip" for number in range(200)]
    encoded = encode({"status": "complete", "pruned": names})
    assert len(encoded) <= 4096
    assert json.loads(encoded)["pruned_count"] == 200
    assert len(encode({"status": "failed", "error": "ü" * 1000})) <= 4096
