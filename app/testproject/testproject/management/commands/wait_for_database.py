"""Waits for the database (30 tries, 2 s apart)."""

from django.core.management.base import BaseCommand, CommandError

from testproject.deployment.database import DatabaseAway, wait_for_database


class Command(BaseCommand):
    help = "Wait until the database answers a query"
    requires_system_checks: list[str] = []

    def handle(self, *args: object, **options: object) -> None:
        try:
            wait_for_database(self.stdout.write)
        except DatabaseAway as error:
            raise CommandError(str(error)) from None
