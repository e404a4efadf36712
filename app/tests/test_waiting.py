"""Waiting for the database."""

import pytest
from django.db import OperationalError, connection
from testproject.deployment import database


class Cursor:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def execute(self, query):
        assert query == "SELECT 1"


class Server:
    """Stands for the connection's `cursor`: fails with each of `errors`, then works."""

    def __init__(self, *errors: str) -> None:
        self.errors = list(errors)

    def cursor(self) -> Cursor:
        if self.errors:
            raise OperationalError(self.errors.pop(0))
        return Cursor()


@pytest.mark.parametrize(
    ("why", "errors", "pauses", "words"),
    [
        ("it answers at once", [], 0, None),
        ("it answers at the third try", ["refused"] * 2, 2, None),
        ("it answers at the last try", ["refused"] * 29, 29, None),
        ("it never answers", ["connection refused"] * 30, 29, "away after 30 tries: connection refused"),
        ("it refuses us for good", ['password authentication failed for user "u"'] * 30, 4, "refuses us: password"),
        ("it lacks our database", ['database "django_ray" does not exist'] * 30, 4, "refuses us: database"),
        (
            "it refuses us only while it starts",
            (["password authentication failed"] * 4 + ["starting up"]) * 2,
            10,
            None,
        ),
    ],
)
def test_waiting_for_the_database(monkeypatch, why, errors, pauses, words):
    server, slept = Server(*errors), []
    monkeypatch.setattr(connection, "cursor", server.cursor)
    if words is None:
        database.wait_for_database(lambda line: None, sleep=slept.append)
    else:
        with pytest.raises(database.DatabaseAway, match=words):
            database.wait_for_database(lambda line: None, sleep=slept.append)
    assert slept == [2.0] * pauses, why
