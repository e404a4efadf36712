"""Writing an archive: same input, same bytes; nothing half-written."""

import hashlib
import os
import time
import zipfile

import pytest

from runtime_archive.errors import ArchiveError
from runtime_archive.writer import write_archive
from tests.archive_members import member, members


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
