"""Waits for the database that this process needs."""

import time
from collections.abc import Callable

from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection

TRIES = 30
PAUSE_SECONDS = 2.0
# Invalid password, invalid authorization, unknown database: asking again changes nothing, save while a server sets itself up.
REFUSALS = frozenset({"28P01", "28000", "3D000"})
REFUSALS_IN_A_ROW = 5


class DatabaseAway(Exception):
    """The database did not answer in time, or refuses us; `str()` is one line without credentials."""


def wait_for_database(say: Callable[[str], object], *, sleep: Callable[[float], object] = time.sleep) -> None:
    """Returns once a query has run. At most 30 tries, 2 s apart; gives up after 5 refusals in a row."""
    where = f"{connection.settings_dict['NAME']} on {connection.settings_dict.get('HOST') or 'this machine'}"
    refusals = 0
    for attempt in range(1, TRIES + 1):
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
            return
        except ImproperlyConfigured:
            raise DatabaseAway("no database is configured: set DATABASE_HOST and its companions") from None
        except DatabaseError as error:
            connection.close()
            reason, refused = _reason(error)
            refusals = refusals + 1 if refused else 0
            if refusals == REFUSALS_IN_A_ROW:
                raise DatabaseAway(f"database {where} refuses us: {reason}") from None
            if attempt == TRIES:
                raise DatabaseAway(f"database {where} is away after {TRIES} tries: {reason}") from None
            say(f"Waiting for database {where} ({attempt}/{TRIES}): {reason}")
            sleep(PAUSE_SECONDS)


def _reason(error: DatabaseError) -> tuple[str, bool]:
    """One line, and whether the server refused us. A failed connection carries its SQLSTATE only in its text."""
    text = " ".join(str(error).split())[:300]
    state = getattr(error.__cause__, "sqlstate", None)
    refused = state in REFUSALS or "password authentication failed" in text or "does not exist" in text
    return text or type(error).__name__, refused
