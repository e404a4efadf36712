"""Which old archives go, and which stay."""

import json
import os
from pathlib import Path

import pytest
from django_ray.models import TaskState
from testproject.deployment.references import referenced_archives

from runtime_archive.errors import ArchiveError
from runtime_archive.pruning import prune
from tests.test_api_tasks import execution


def name(number: int) -> str:
    return f"django-ray-source-{number:012x}-{number:012x}.zip"


def archives(folder: Path, *numbers: int) -> None:
    """Archives whose age follows their number: 1 is the oldest."""
    for number in numbers:
        (folder / name(number)).write_text("x")
        os.utime(folder / name(number), (number, number))


@pytest.mark.parametrize(
    ("why", "there", "current", "referenced", "removed"),
    [
        ("only the current one", [1], 1, [], []),
        ("the two before it stay: their web may still enqueue", [1, 2, 3], 3, [], []),
        ("older ones go", [1, 2, 3, 4, 5], 5, [], [1, 2]),
        ("unless a task refers to them", [1, 2, 3, 4, 5], 5, [1], [2]),
        ("a reference does not use up one of the two", [1, 2, 3, 4, 5], 5, [4], [1, 2]),
        ("a rollback keeps what is newer", [1, 2, 3, 4], 1, [], [2]),
    ],
)
def test_pruning(tmp_path, why, there, current, referenced, removed):
    archives(tmp_path, *there)
    pruning = prune(tmp_path, current=name(current), referenced={name(number) for number in referenced})
    assert pruning.removed == tuple(name(number) for number in removed), why
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {name(number) for number in there} - set(pruning.removed)
    assert set(pruning.kept) == left - {name(current)}


def test_nothing_else_in_the_folder_is_touched(tmp_path):
    archives(tmp_path, 1, 2, 3, 4)
    (tmp_path / "django-ray-source.zip").write_text("x")
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / name(5)).symlink_to(tmp_path / "notes.txt")
    (tmp_path / name(6)).mkdir()
    prune(tmp_path, current=name(4), referenced=(), newest_kept=0)
    assert {path.name for path in tmp_path.iterdir()} == {
        name(4),
        "django-ray-source.zip",
        "notes.txt",
        name(5),
        name(6),
    }


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("state", "needed"),
    [(state, state not in ("SUCCEEDED", "CANCELLED")) for state in TaskState.values],
)
def test_a_task_needs_its_archive_until_it_can_no_longer_run(state, needed):
    execution(state=state, runtime_env_json=json.dumps({"working_dir": f"file:///runtime-env/{name(7)}"}))
    assert referenced_archives() == (frozenset({name(7)}) if needed else frozenset())


@pytest.mark.django_db
def test_tasks_without_an_archive_need_none():
    execution(state="QUEUED", runtime_env_json="{}")
    execution(state="QUEUED", runtime_env_json=json.dumps({"working_dir": "gcs://bucket/other.zip"}))
    assert referenced_archives() == frozenset()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "snapshot", ["not json", "[]", "null", '{"ciphertext": "x"}', '{"py_modules": 3, "working_dir": "x"}']
)
def test_an_unreadable_snapshot_stops_all_pruning(snapshot):
    execution(state="QUEUED", runtime_env_json=snapshot)
    with pytest.raises(ArchiveError, match="no archive is pruned"):
        referenced_archives()
