"""Which files go into a RuntimeEnv archive, and under which names.

Two sources: the project's own `*.py` trees, and installed distributions (vendored under `src/`), whose files are taken
from their RECORD and must still have the digest that pip recorded.
"""

import base64
import csv
import hashlib
import os
import stat
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import Distribution
from pathlib import Path, PurePosixPath

from runtime_archive.errors import ArchiveError


@dataclass(frozen=True)
class Member:
    """One file of the archive. `content` is read once, so what was checked is what is written."""

    name: str
    content: bytes = field(repr=False)
    source: Path


@dataclass(frozen=True)
class Vendored:
    """One installed distribution: its import package, and folders of that package to take whole (data included)."""

    distribution: str
    package: str
    whole_folders: tuple[str, ...] = ()


def check_name(name: str) -> str:
    """`name` if it is a plain relative POSIX path; raises `ArchiveError` otherwise, before anything could extract it."""
    parts = name.split("/")
    if (
        not name
        or "\\" in name
        or any(ord(character) < 32 or ord(character) == 127 for character in name)
        or any(part in ("", ".", "..") for part in parts)
        or ":" in parts[0]
        or unicodedata.normalize("NFC", name) != name
    ):
        raise ArchiveError(
            f"member name {name!r} is not a plain relative path: it could land outside the archive's folder"
        )
    return name


def read_regular(path: Path, root: Path) -> bytes:
    """The bytes of a regular file that lies under `root` without any symbolic link on the way."""
    if path.is_symlink() or path.resolve() != root.resolve() / path.relative_to(root):
        raise ArchiveError(f"{path} is or passes through a symbolic link: it could bring in a file from outside {root}")
    # O_NONBLOCK: opening a pipe for reading would wait for its writer for ever.
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise ArchiveError(f"{path} is not a regular file")
        return file.read()


def tree_members(root: Path, prefix: str) -> list[Member]:
    """Every `*.py` beneath `root`, named `prefix/…`. Links are refused, `__pycache__` is skipped."""
    if not root.is_dir():
        raise ArchiveError(f"{root} is not a folder: the image lacks its {prefix}/ tree")
    members = []
    for folder, subfolders, files in os.walk(root):
        here = Path(folder)
        for subfolder in subfolders:
            if (here / subfolder).is_symlink():
                raise ArchiveError(
                    f"{here / subfolder} is a symbolic link: it could bring in files from outside {root}"
                )
        subfolders[:] = [subfolder for subfolder in subfolders if subfolder != "__pycache__"]
        for file in files:
            if file.endswith(".py"):
                path = here / file
                name = check_name(str(PurePosixPath(prefix, path.relative_to(root).as_posix())))
                members.append(Member(name, read_regular(path, root), path))
    return members


def vendored_members(vendored: Vendored, prefix: str) -> list[Member]:
    """The `*.py` of one installed distribution, and its `whole_folders`, each checked against RECORD."""
    distribution = Distribution.from_name(vendored.distribution)
    root = Path(str(distribution.locate_file("")))
    wanted_folders = tuple(
        PurePosixPath(vendored.package, folder).as_posix() + "/" for folder in vendored.whole_folders
    )
    members = []
    for relative, digest in _record(distribution, vendored.distribution):
        parts = relative.split("/")
        if parts[0] != vendored.package or "__pycache__" in parts:
            continue
        if not relative.endswith(".py") and not relative.startswith(wanted_folders):
            continue
        name, path = check_name(f"{prefix}/{relative}"), root / relative
        if not path.exists():
            raise ArchiveError(
                f"{relative} is in the RECORD of {vendored.distribution} but not on disk: install it again"
            )
        content = read_regular(path, root)
        if digest != "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode():
            raise ArchiveError(
                f"{relative} differs from the RECORD of {vendored.distribution}: it was changed after install"
            )
        members.append(Member(name, content, path))
    if not members:
        raise ArchiveError(f"the distribution {vendored.distribution} has no files of the package {vendored.package}")
    return members


def _record(distribution: Distribution, name: str) -> list[tuple[str, str]]:
    """Path and digest of each installed file. (`Distribution.files` would leave out, in silence, what is missing on disk.)"""
    text = distribution.read_text("RECORD")
    if text is None:
        raise ArchiveError(f"the distribution {name} has no RECORD: install it with pip")
    return [(row[0], row[1]) for row in csv.reader(text.splitlines()) if len(row) == 3]


def merge(groups: Iterable[Iterable[Member]]) -> Mapping[str, Member]:
    """All members by name, sorted. Two files for one place are refused, as are names that differ only in case, and a
    name that is a folder of another: what one system extracts, another would overwrite."""
    members: dict[str, Member] = {}
    places: dict[str, str] = {}
    for member in (member for group in groups for member in group):
        place = member.name.casefold()
        if place in places:
            other = members[places[place]]
            raise ArchiveError(f"{member.source} and {other.source} both want the place {member.name} in the archive")
        places[place] = member.name
        members[member.name] = member
    for place, name in places.items():
        for folder in PurePosixPath(place).parents:
            if folder.as_posix() in places:
                raise ArchiveError(f"{places[folder.as_posix()]} would be a file and the folder of {name} at once")
    return {name: members[name] for name in sorted(members)}
