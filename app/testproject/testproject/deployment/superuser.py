"""Makes the first superuser."""

import os
from typing import Literal

from django.contrib.auth import get_user_model

VARIABLES = ("DJANGO_SUPERUSER_USERNAME", "DJANGO_SUPERUSER_EMAIL", "DJANGO_SUPERUSER_PASSWORD")


class SuperuserRefused(Exception):
    """The superuser's variables are incomplete."""


def ensure_superuser() -> Literal["created", "present", "skipped"]:
    """Creates the superuser of the environment if no user has that name; never changes one that is there."""
    values = {name: os.environ.get(name, "") for name in VARIABLES}
    missing = [name for name, value in values.items() if not value]
    if len(missing) == len(VARIABLES):
        return "skipped"
    if missing:
        raise SuperuserRefused(f"{', '.join(missing)} not set: give all of {', '.join(VARIABLES)} or none")
    username, email, password = (values[name] for name in VARIABLES)
    users = get_user_model().objects
    if users.filter(username=username).exists():
        return "present"
    users.create_superuser(username, email, password)
    return "created"
