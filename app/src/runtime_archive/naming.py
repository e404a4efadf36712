"""Names of RuntimeEnv archives.

Ray caches a `working_dir` by its URI (Ray 2.60.0): changed content under an old name would go on running the old code. So
the name carries what the content follows from: the source tree and the lock of the dependencies.
"""

import re
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from runtime_archive.errors import ArchiveError

HEX_DIGITS_IN_NAME = 12
NAME_FORM = re.compile(rf"django-ray-source-[0-9a-f]{{{HEX_DIGITS_IN_NAME}}}-[0-9a-f]{{{HEX_DIGITS_IN_NAME}}}\.zip")
URI_FORM = re.compile(rf"file:///(?:[A-Za-z0-9._-]+/)*{NAME_FORM.pattern}")
TREE_FORM = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
DIGEST_FORM = re.compile(r"[0-9a-f]{64}")


def archive_name(*, source_tree: str, lock_sha256: str) -> str:
    """`django-ray-source-<12 hex of the git tree>-<12 hex of the lock's SHA-256>.zip`."""
    if not TREE_FORM.fullmatch(source_tree):
        raise ArchiveError(f"source tree {source_tree!r} is not a git object id of 40 or 64 lowercase hex digits")
    if not DIGEST_FORM.fullmatch(lock_sha256):
        raise ArchiveError(f"lock digest {lock_sha256!r} is not a SHA-256 of 64 lowercase hex digits")
    return f"django-ray-source-{source_tree[:HEX_DIGITS_IN_NAME]}-{lock_sha256[:HEX_DIGITS_IN_NAME]}.zip"


def path_of(uri: str) -> Path:
    """The file behind a `file:///…` archive URI; refuses any other form, `..` included."""
    if not URI_FORM.fullmatch(uri):
        raise ArchiveError(f"archive URI {uri!r} is not file:///<folder>/django-ray-source-<tree12>-<lock12>.zip")
    path = PurePosixPath(urlsplit(uri).path)
    if ".." in path.parts or "." in path.parts:
        raise ArchiveError(f"archive URI {uri!r} climbs out of its folder")
    return Path(path)
