"""Makes the superuser of DJANGO_SUPERUSER_* if no user has that name."""

from django.core.management.base import BaseCommand, CommandError

from testproject.deployment.superuser import SuperuserRefused, ensure_superuser


class Command(BaseCommand):
    help = "Create the superuser of the environment if absent"

    def handle(self, *args: object, **options: object) -> None:
        try:
            self.stdout.write(f"superuser: {ensure_superuser()}")
        except SuperuserRefused as error:
            raise CommandError(str(error)) from None
