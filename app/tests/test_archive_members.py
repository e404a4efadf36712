"""Names and members of an archive: nothing from outside, nothing twice."""

import os
from importlib.metadata import Distribution
from pathlib import Path

import pytest

from runtime_archive import members as members_module
from runtime_archive.errors import ArchiveError
from runtime_archive.members import Vendored, check_name, merge, tree_members, vendored_members
from runtime_archive.naming import archive_name, path_of
from tests.archive_members import member

TREE, LOCK = "0123456789abcdef" * 2 + "01234567", "fedcba98" * 8


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
