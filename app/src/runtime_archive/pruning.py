"""Which old archives may go.

A task stores the URI of its archive when it is enqueued and needs the file until it can no longer run. Between the setup
of a release and the rollout of its web pods, the release before still enqueues: the newest other archives stay as well.
"""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from runtime_archive.naming import NAME_FORM

NEWEST_KEPT = 2


@dataclass(frozen=True)
class Pruning:
    """Names, sorted: what was removed, and what else is still there."""

    removed: tuple[str, ...]
    kept: tuple[str, ...]


def prune(folder: Path, *, current: str, referenced: Collection[str], newest_kept: int = NEWEST_KEPT) -> Pruning:
    """Removes archives in `folder` except `current`, those in `referenced` (names) and the `newest_kept` latest others.

    Only regular files with an archive's name are looked at; everything else in the folder is left alone.
    """
    others = [
        path
        for path in folder.iterdir()
        if path.name != current and NAME_FORM.fullmatch(path.name) and path.is_file() and not path.is_symlink()
    ]
    others.sort(key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True)
    removable = [path for path in others[newest_kept:] if path.name not in referenced]
    for path in removable:
        path.unlink(missing_ok=True)
    removed = {path.name for path in removable}
    return Pruning(
        removed=tuple(sorted(removed)), kept=tuple(sorted(path.name for path in others if path.name not in removed))
    )
