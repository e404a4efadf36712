"""Writes a RuntimeEnv archive: the same members give the same bytes, and nobody ever sees half of it."""

import hashlib
import os
import secrets
import time
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from runtime_archive.errors import ArchiveError
from runtime_archive.members import Member

# The first moment that a ZIP can express: files carry no build time.
EPOCH = (1980, 1, 1, 0, 0, 0)
FILE_MODE = 0o100644
UNIX = 3
DEFLATE_LEVEL = 9
MAXIMUM_BYTES = 32 * 1024 * 1024
TEMPORARY_SUFFIX = ".tmp"
ABANDONED_AFTER_SECONDS = 600


@dataclass(frozen=True)
class WrittenArchive:
    """An archive in its place. `state`: `created`, `unchanged` (the same bytes were there) or `replaced` (others were)."""

    path: Path
    bytes: int
    sha256: str
    members: int
    state: Literal["created", "unchanged", "replaced"]


def write_archive(path: Path, members: Mapping[str, Member], *, required: str) -> WrittenArchive:
    """Writes `members` to `path` by a temporary file beside it and a rename; checks the result before the rename.

    Raises `ArchiveError` when `required` is absent, the archive grows past 32 MiB, or it does not read back as written.
    """
    if required not in members:
        raise ArchiveError(f"the archive would lack its required member {required}")
    if not path.parent.is_dir():
        raise ArchiveError(f"{path.parent} is not a folder: mount the RuntimeEnv volume there")
    _remove_abandoned(path.parent)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}{TEMPORARY_SUFFIX}")
    try:
        descriptor = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)
        with open(descriptor, "w+b") as file:
            _write_zip(file, members)
            file.flush()
            os.fchmod(descriptor, 0o644)
            os.fsync(descriptor)
        _read_back(temporary, members)
        size, sha256 = temporary.stat().st_size, digest_of(temporary)
        if size > MAXIMUM_BYTES:
            raise ArchiveError(f"the archive has {size} bytes, more than the {MAXIMUM_BYTES} allowed")
        state = _state(path, sha256)
        if state == "unchanged":
            os.utime(path)  # its age says when a release last used it
        else:
            os.replace(temporary, path)
            _sync_folder(path.parent)
    finally:
        temporary.unlink(missing_ok=True)
    return WrittenArchive(path, size, sha256, len(members), state)


def digest_of(path: Path) -> str:
    """SHA-256 of a file, in hex."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write_zip(file, members: Mapping[str, Member]) -> None:
    with zipfile.ZipFile(file, "w") as archive:
        for name in sorted(members):
            entry = zipfile.ZipInfo(name, date_time=EPOCH)
            entry.create_system = UNIX
            entry.external_attr = FILE_MODE << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, members[name].content, compresslevel=DEFLATE_LEVEL)


def _read_back(path: Path, members: Mapping[str, Member]) -> None:
    with zipfile.ZipFile(path) as archive:
        if archive.namelist() != sorted(members):
            raise ArchiveError("the archive read back does not list the members that were written")
        for name in archive.namelist():
            if archive.read(name) != members[name].content:
                raise ArchiveError(f"the archive read back holds another {name} than was written")


def _state(path: Path, sha256: str) -> Literal["created", "unchanged", "replaced"]:
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise ArchiveError(f"{path} is there and is not a regular file: remove it")
    if not path.exists():
        return "created"
    return "unchanged" if digest_of(path) == sha256 else "replaced"


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove_abandoned(folder: Path) -> None:
    for leftover in folder.glob(f".django-ray-source-*.zip.*{TEMPORARY_SUFFIX}"):
        if time.time() - leftover.stat().st_mtime > ABANDONED_AFTER_SECONDS:
            leftover.unlink(missing_ok=True)
