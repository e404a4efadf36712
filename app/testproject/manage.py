#!/usr/bin/env python
"""Django's command line. Works from any folder: it puts `src/` and this folder on the path itself."""

import os
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent
EXIT_CONFIGURATION = 78  # sysexits.h: EX_CONFIG


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "testproject.settings")
    for folder in (PROJECT, PROJECT.parent / "src"):
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        line = " ".join(f"{error}".split())
        print(f"manage.py: {line}", file=sys.stderr)
        if sys.argv[1:2] == ["setup"]:
            # Settings failed before the command could: its reader still gets a reason.
            from testproject.deployment.result import write_result

            write_result({"status": "failed", "step": "environment", "error": line[:1000], "seconds": {}})
        sys.exit(EXIT_CONFIGURATION)


if __name__ == "__main__":
    main()
