"""Reads path and query parameters. Anything unknown, repeated or out of range is a 400 that names the parameter."""

import re
from collections.abc import Collection

from django.http import QueryDict

from testproject.api.errors import bad_parameter

# The largest integer that every JSON reader keeps exact (2^53 - 1).
SAFE_INTEGER_MAXIMUM = 2**53 - 1
INTEGER_FORM = re.compile(r"-?(?:0|[1-9][0-9]{0,15})")
# Canonical UUID version 4: lowercase, the variant bits of RFC 9562.
UUID4_FORM = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


def integer(
    parameter: str, word: str, *, minimum: int = -SAFE_INTEGER_MAXIMUM, maximum: int = SAFE_INTEGER_MAXIMUM
) -> int:
    if not INTEGER_FORM.fullmatch(word) or word == "-0" or not minimum <= int(word) <= maximum:
        raise bad_parameter(
            parameter,
            "bad_integer",
            f"{parameter} must be a whole number from {minimum} to {maximum}, not {_shown(word)}",
        )
    return int(word)


class Query:
    """The query string of one request, of which only `allowed` parameters may occur, each once."""

    def __init__(self, query: QueryDict, allowed: Collection[str]) -> None:
        for parameter, words in query.lists():
            if parameter not in allowed:
                known = ", ".join(sorted(allowed)) or "none"
                raise bad_parameter(
                    _shown(parameter), "unknown_parameter", f"unknown parameter {_shown(parameter)}; known: {known}"
                )
            if len(words) != 1:
                raise bad_parameter(
                    parameter, "repeated_parameter", f"{parameter} is given {len(words)} times; give it once"
                )
        self._query = query

    def integer(self, parameter: str, default: int, *, minimum: int, maximum: int) -> int:
        word = self._query.get(parameter)
        return default if word is None else integer(parameter, word, minimum=minimum, maximum=maximum)

    def choice(self, parameter: str, choices: Collection[str]) -> str | None:
        word = self._query.get(parameter)
        if word is not None and word not in choices:
            raise bad_parameter(
                parameter, f"unknown_{parameter}", f"unknown {parameter} {_shown(word)}; known: {', '.join(choices)}"
            )
        return word

    def uuid4(self, parameter: str) -> str | None:
        word = self._query.get(parameter)
        if word is not None and not UUID4_FORM.fullmatch(word):
            raise bad_parameter(
                parameter, "bad_uuid", f"{parameter} must be a lowercase UUID version 4, not {_shown(word)}"
            )
        return word


def _shown(word: str) -> str:
    """A quoted, bounded form of what a client sent, on one line."""
    return ascii(word if len(word) <= 40 else word[:40] + "…")
