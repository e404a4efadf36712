"""The archive of this application: what a generic Ray node lacks, and nothing else."""

from pathlib import Path

from runtime_archive.members import Vendored, merge, tree_members, vendored_members
from runtime_archive.writer import WrittenArchive, write_archive

# The remote half of a task (django-ray 0.7.0): without it no task can start.
REQUIRED_MEMBER = "src/django_ray/runtime/remote.py"
# cryptography and the rest of django-ray's requirements come with ray[default] 2.60.0. Django refuses to start without its
# English catalogue ("No translation files found for default language en").
VENDORED = (
    Vendored("Django", "django", whole_folders=("conf/locale/en",)),
    Vendored("django-ray", "django_ray"),
    Vendored("asgiref", "asgiref"),
    Vendored("sqlparse", "sqlparse"),
)


def build_archive(application: Path, target: Path) -> WrittenArchive:
    """Writes the archive of the application at `application` (its `src/` and `testproject/`) to `target`."""
    members = merge(
        [
            *(vendored_members(vendored, "src") for vendored in VENDORED),
            tree_members(application / "src", "src"),
            tree_members(application / "testproject", "testproject"),
        ]
    )
    return write_archive(target, members, required=REQUIRED_MEMBER)
