"""Sets a release up: database, static files, RuntimeEnv archive, superuser. Run by the Job `django-setup`."""

import hashlib
import os
import platform
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from runtime_archive.build import REQUIRED_MEMBER, build_archive
from runtime_archive.errors import ArchiveError
from runtime_archive.naming import archive_name, path_of
from runtime_archive.pruning import Pruning, prune
from runtime_archive.writer import WrittenArchive
from testproject.deployment.database import wait_for_database
from testproject.deployment.references import referenced_archives
from testproject.deployment.result import write_result
from testproject.deployment.superuser import ensure_superuser

APPLICATION = settings.BASE_DIR.parent


class Command(BaseCommand):
    help = "Migrate, collect static files, build the RuntimeEnv archive, make the superuser; safe to run again"
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--uri", default=settings.WORKING_DIR_URI, help="where the archive goes (file:///…)")
        parser.add_argument("--source-tree", default=os.environ.get("RAYGATE_SOURCE_TREE", ""), help="git tree id")
        parser.add_argument(
            "--lock", default=str(APPLICATION / "requirements.lock"), help="the lock that was installed"
        )

    def handle(self, *args: object, **options: str) -> None:
        self.step = "environment"
        self.seconds: dict[str, float] = {}
        try:
            result = self.set_up(Path(options["lock"]), options["uri"], options["source_tree"])
        except Exception as error:
            line = " ".join(f"{error}".split()) or type(error).__name__
            write_result({"status": "failed", "step": self.step, "error": line[:1000], "seconds": self.seconds})
            raise CommandError(f"setup failed at {self.step}: {line}") from error
        self.say("Django setup complete!")
        write_result(result)

    def set_up(self, lock: Path, uri: str, source_tree: str) -> dict:
        lock_sha256 = hashlib.sha256(lock.read_bytes()).hexdigest()
        target = path_of(uri)
        expected = archive_name(source_tree=source_tree, lock_sha256=lock_sha256)
        if target.name != expected:
            raise ArchiveError(
                f"DJANGO_RAY_WORKING_DIR_URI names {target.name}, but this image and source tree make {expected}: "
                "they are of different releases"
            )
        with self.timed("database"):
            wait_for_database(self.say)
        with self.timed("migrate"):
            self.say("Running migrations...")
            call_command("migrate", interactive=False, verbosity=1)
        with self.timed("collectstatic"):
            self.say("Collecting static files...")
            call_command("collectstatic", interactive=False, verbosity=1)
        with self.timed("archive"):
            self.say("Building shared RuntimeEnv source bundle...")
            written = build_archive(APPLICATION, target)
            self.say(
                f"RuntimeEnv bundle ready: {uri} bytes={written.bytes} sha256={written.sha256} members={written.members}"
            )
            pruning = self.prune(written)
        with self.timed("superuser"):
            superuser = ensure_superuser()
        return {
            "status": "complete",
            "archive": {
                "uri": uri,
                "path": str(written.path),
                "bytes": written.bytes,
                "sha256": written.sha256,
                "members": written.members,
                "state": written.state,
                "required_member": REQUIRED_MEMBER,
            },
            "source_tree": source_tree,
            "lock_sha256": lock_sha256,
            "pruned": list(pruning.removed),
            "kept": len(pruning.kept),
            "superuser": superuser,
            "versions": {
                "python": platform.python_version(),
                "django": version("Django"),
                "django_ray": version("django-ray"),
            },
            "seconds": self.seconds,
        }

    def prune(self, written: WrittenArchive) -> Pruning:
        """Old archives only cost room: when it is not sure what may go, all stay and the setup goes on."""
        folder = written.path.parent
        try:
            pruning = prune(folder, current=written.path.name, referenced=referenced_archives())
        except (ArchiveError, OSError) as error:
            self.say(f"No archive pruned: {error}")
            return Pruning((), ())
        for name in pruning.removed:
            self.say(f"Pruned {name}: no task that may still run refers to it")
        return pruning

    @contextmanager
    def timed(self, step: str) -> Iterator[None]:
        self.step = step
        start = time.monotonic()
        try:
            yield
        finally:
            self.seconds[step] = round(time.monotonic() - start, 2)

    def say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
