"""The RuntimeEnv archive: same input, same bytes; nothing from outside; nothing half-written."""

import hashlib
import os
import subprocess
import sys
import time
import zipfile
from importlib.metadata import Distribution
from pathlib import Path

import pytest

from runtime_archive import members as members_module
from runtime_archive.build import REQUIRED_MEMBER, VENDORED, build_archive
from runtime_archive.errors import ArchiveError
from runtime_archive.members import Member, Vendored, check_name, merge, tree_members, vendored_members
from runtime_archive.naming import archive_name, path_of
from runtime_archive.writer import write_archive

TREE, LOCK = "0123456789abcdef" * 2 + "01234567", "fedcba98" * 8


def member(name: str, content: bytes = b"") -> Member:
    return Member(name, content, Path("/somewhere") / name)


def members(**contents: bytes):
    return merge([[member(name, content) for name, content in contents.items()]])


# --- names ---------------------------------------------------------------------------------------------------------


def test_the_name_carries_tree_and_lock():
    assert archive_name(source_tree=TREE, lock_sha256=LOCK) == "django-ray-source-0123456789ab-fedcba98fedc.zip"
    assert archive_name(source_tree="a" * 64, lock_sha256=LOCK).startswith("django-ray-source-aaaaaaaaaaaa-")


@pytest.mark.parametrize("tree", ["", "abc", "A" * 40, "g" * 40, "a" * 41, "a" * 40 + "\n", "../../etc/passwd"])
def test_a_source_tree_that_is_no_object_id_is_refused(tree):
    with pytest.raises(ArchiveError, match="source tree"):
        archive_name(source_tree=tree, lock_sha256=LOCK)


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "file:///runtime-env/django-ray-source.zip",
        "file:///runtime-env/../etc/django-ray-source-0123456789ab-fedcba98fedc.zip",
        "file://host/runtime-env/django-ray-source-0123456789ab-fedcba98fedc.zip",
        "https:///runtime-env/django-ray-source-0123456789ab-fedcba98fedc.zip",
        "file:///runtime-env/django-ray-source-0123456789ab-fedcba98fedc.zip?x=1",
        "file:///runtime-env/django-ray-source-0123456789ab-fedcba98fedc.zip\n",
        "/runtime-env/django-ray-source-0123456789ab-fedcba98fedc.zip",
    ],
)
def test_a_uri_that_is_no_archive_of_ours_is_refused(uri):
    with pytest.raises(ArchiveError, match="archive URI"):
        path_of(uri)


def test_a_uri_names_its_file():
    uri = "file:///runtime-env/django-ray-source-0123456789ab-fedcba98fedc.zip"
    assert path_of(uri) == Path("/runtime-env/django-ray-source-0123456789ab-fedcba98fedc.zip")


@pytest.mark.parametrize(
    "name",
    [
        "",
        "/etc/passwd",
        "../x.py",
        "src/../../x.py",
        "src//x.py",
        "./x.py",
        "src/.",
        "C:/x.py",
        "src\\x.py",
        "a\x00b.py",
        "a\nb.py",
        "cafe\u0301.py",
    ],
)
def test_a_member_name_that_could_leave_the_folder_is_refused(name):
    with pytest.raises(ArchiveError, match="member name"):
        check_name(name)


# --- members -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("why", "names"),
    [
        ("the same place twice", ["src/a.py", "src/a.py"]),
        ("places that differ in case", ["src/a.py", "src/A.py"]),
        ("a file and a folder of one name", ["src/a", "src/a/b.py"]),
        ("the same, deeper and in another case", ["src/a", "src/A/b/c.py"]),
    ],
)
def test_a_conflict_is_refused(why, names):
    with pytest.raises(ArchiveError):
        merge([[member(name)] for name in names])


def test_members_come_sorted():
    assert list(merge([[member("b/z.py"), member("a.py")], [member("b.py")]])) == ["a.py", "b.py", "b/z.py"]


def test_a_tree_gives_python_files_only(tmp_path):
    for name in ("a.py", "sub/b.py", "sub/data.json", ".env", "sub/__pycache__/b.cpython-313.py", "db.sqlite3"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    assert sorted(m.name for m in tree_members(tmp_path, "src")) == ["src/a.py", "src/sub/b.py"]


def test_a_linked_file_is_refused(tmp_path):
    (tmp_path / "tree").mkdir()
    (tmp_path / "secret.py").write_text("x")
    (tmp_path / "tree" / "a.py").symlink_to(tmp_path / "secret.py")
    with pytest.raises(ArchiveError, match="symbolic link"):
        tree_members(tmp_path / "tree", "src")


def test_a_linked_folder_is_refused(tmp_path):
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "sub").symlink_to("/etc")
    with pytest.raises(ArchiveError, match="symbolic link"):
        tree_members(tmp_path / "tree", "src")


def test_a_pipe_named_like_a_module_is_refused(tmp_path):
    os.mkfifo(tmp_path / "a.py")
    with pytest.raises(ArchiveError, match="not a regular file"):
        tree_members(tmp_path, "src")


def test_a_missing_tree_is_refused(tmp_path):
    with pytest.raises(ArchiveError, match="not a folder"):
        tree_members(tmp_path / "none", "src")


def installed(root: Path, record: str, **files: str) -> Distribution:
    (root / "thing-1.0.dist-info").mkdir(parents=True)
    (root / "thing-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: thing\nVersion: 1.0\n")
    (root / "thing-1.0.dist-info" / "RECORD").write_text(record)
    for name, text in files.items():
        (root / "thing").mkdir(exist_ok=True)
        (root / "thing" / f"{name}.py").write_text(text)
    return Distribution.at(root / "thing-1.0.dist-info")


@pytest.mark.parametrize(
    ("why", "record", "text", "words"),
    [
        (
            "a changed file",
            "thing/a.py,sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,0\n",
            "changed",
            "differs from the RECORD",
        ),
        ("a file without a digest", "thing/a.py,,\n", "", "differs from the RECORD"),
        (
            "a file that is gone",
            "thing/a.py,sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,0\nthing/b.py,,\n",
            "",
            "not on disk",
        ),
        ("no file of the package", "other/a.py,,\n", "", "no files of the package"),
        (
            "a file outside",
            "thing/../../a.py,sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,0\n",
            "",
            "member name",
        ),
    ],
)
def test_an_installed_distribution_must_match_its_record(tmp_path, monkeypatch, why, record, text, words):
    found = installed(tmp_path / "site", record, a=text)
    monkeypatch.setattr(members_module.Distribution, "from_name", lambda name: found)
    with pytest.raises(ArchiveError, match=words):
        vendored_members(Vendored("thing", "thing"), "src")


# --- writing -------------------------------------------------------------------------------------------------------


def test_the_same_members_give_the_same_bytes_whenever_and_in_whatever_order(tmp_path, monkeypatch):
    first = write_archive(tmp_path / "a.zip", members(**{"b.py": b"2", "a.py": b"1"}), required="a.py")
    monkeypatch.setattr(time, "time", lambda: 2_000_000_000)
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    second = write_archive(
        tmp_path / "b.zip", {"b.py": member("b.py", b"2"), "a.py": member("a.py", b"1")}, required="a.py"
    )
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    assert (first.bytes, first.sha256, first.members) == (second.bytes, second.sha256, 2)
    assert first.sha256 == hashlib.sha256((tmp_path / "a.zip").read_bytes()).hexdigest()


def test_every_member_is_a_plain_file_of_1980(tmp_path):
    write_archive(tmp_path / "a.zip", members(**{"a.py": b"1" * 1000}), required="a.py")
    (entry,) = zipfile.ZipFile(tmp_path / "a.zip").infolist()
    assert (entry.date_time, oct(entry.external_attr >> 16), entry.compress_type, entry.create_system) == (
        (1980, 1, 1, 0, 0, 0),
        "0o100644",
        zipfile.ZIP_DEFLATED,
        3,
    )
    assert oct((tmp_path / "a.zip").stat().st_mode & 0o777) == "0o644"


def test_the_state_says_what_was_there_before(tmp_path):
    path = tmp_path / "a.zip"
    assert write_archive(path, members(**{"a.py": b"1"}), required="a.py").state == "created"
    assert write_archive(path, members(**{"a.py": b"1"}), required="a.py").state == "unchanged"
    path.write_bytes(b"half a file")
    assert write_archive(path, members(**{"a.py": b"1"}), required="a.py").state == "replaced"
    assert zipfile.ZipFile(path).testzip() is None


def test_without_its_required_member_nothing_is_written(tmp_path):
    with pytest.raises(ArchiveError, match=r"lack its required member b\.py"):
        write_archive(tmp_path / "a.zip", members(**{"a.py": b"1"}), required="b.py")
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_write_leaves_the_old_archive_and_no_rest(tmp_path, monkeypatch):
    path = tmp_path / "a.zip"
    before = write_archive(path, members(**{"a.py": b"1"}), required="a.py")

    def full_disk(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(OSError, match="No space left"):
        write_archive(path, members(**{"a.py": b"2"}), required="a.py")
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before.sha256
    assert list(tmp_path.iterdir()) == [path]


def test_what_does_not_read_back_is_not_put_in_place(tmp_path, monkeypatch):
    monkeypatch.setattr(zipfile.ZipFile, "namelist", lambda archive: ["a.py", "intruder.py"])
    with pytest.raises(ArchiveError, match="read back"):
        write_archive(tmp_path / "a.zip", members(**{"a.py": b"1"}), required="a.py")
    assert list(tmp_path.iterdir()) == []


def test_an_archive_that_is_too_large_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("runtime_archive.writer.MAXIMUM_BYTES", 100)
    with pytest.raises(ArchiveError, match="more than the 100 allowed"):
        write_archive(tmp_path / "a.zip", members(**{"a.py": os.urandom(200)}), required="a.py")
    assert list(tmp_path.iterdir()) == []


def test_a_link_in_the_archives_place_is_refused(tmp_path):
    (tmp_path / "a.zip").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ArchiveError, match="not a regular file"):
        write_archive(tmp_path / "a.zip", members(**{"a.py": b"1"}), required="a.py")


def test_an_unmounted_volume_is_said(tmp_path):
    with pytest.raises(ArchiveError, match="mount the RuntimeEnv volume"):
        write_archive(tmp_path / "none" / "a.zip", members(**{"a.py": b"1"}), required="a.py")


def test_rests_of_a_killed_setup_are_removed_once_they_are_old(tmp_path):
    old, young, foreign = (
        tmp_path / ".django-ray-source-0-0.zip.1.aa.tmp",
        tmp_path / ".django-ray-source-0-0.zip.2.bb.tmp",
        tmp_path / "other.tmp",
    )
    for path in (old, young, foreign):
        path.touch()
    for path in (old, foreign):
        os.utime(path, (1, 1))
    write_archive(tmp_path / "a.zip", members(**{"a.py": b"1"}), required="a.py")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([young.name, foreign.name, "a.zip"])


# --- the real one --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    from tests.conftest import APPLICATION

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
