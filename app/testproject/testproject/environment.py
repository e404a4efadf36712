"""Reads settings from environment variables and reports every problem at once.

Nothing here knows Django's settings; `settings.py` asks for typed values and calls `finish()` once. A message names the
variable and what is wrong with it, never the value of a secret.
"""

import re
from collections.abc import Collection, Mapping

TRUE_WORDS = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS = frozenset({"0", "false", "no", "off", ""})

SECRET_KEY_MINIMUM_CHARACTERS = 50
API_TOKEN_MINIMUM_CHARACTERS = 32
API_TOKEN_MAXIMUM_CHARACTERS = 512
# RFC 6750 b64token: what may follow "Bearer " in an Authorization header.
API_TOKEN_FORM = re.compile(r"[A-Za-z0-9._~+/-]+={0,2}")


class EnvironmentProblems(Exception):
    """One or more environment variables are missing or wrong; `str()` is one line that names each of them."""


class Environment:
    """A typed view of environment variables that gathers problems until `finish()`."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables
        self._problems: list[str] = []

    def text(self, name: str, default: str = "") -> str:
        return self._variables.get(name, default).strip()

    def secret(self, name: str) -> str:
        """The exact value: a secret is never trimmed, so that a stray newline is a problem and not a surprise."""
        return self._variables.get(name, "")

    def words(self, name: str) -> list[str]:
        """A comma-separated list without empty entries."""
        return [word.strip() for word in self.text(name).split(",") if word.strip()]

    def flag(self, name: str, default: bool) -> bool:
        if name not in self._variables:
            return default
        word = self.text(name).lower()
        if word in TRUE_WORDS:
            return True
        if word in FALSE_WORDS:
            return False
        self.problem(f"{name} must be True or False, not {self.text(name)!r}")
        return default

    def integer(self, name: str, default: int, *, minimum: int, maximum: int) -> int:
        word = self.text(name)
        if not word:
            return default
        if re.fullmatch(r"-?[0-9]{1,9}", word) and minimum <= int(word) <= maximum:
            return int(word)
        self.problem(f"{name} must be a whole number from {minimum} to {maximum}, not {word!r}")
        return default

    def choice(self, name: str, choices: Collection[str], default: str) -> str:
        word = self.text(name) or default
        if word in choices:
            return word
        self.problem(f"{name} must be one of {', '.join(sorted(choices))}, not {word!r}")
        return default

    def require(self, *names: str) -> None:
        for name in names:
            if not self._variables.get(name, "").strip():
                self.problem(f"{name} is not set")

    def problem(self, text: str) -> None:
        self._problems.append(text)

    def finish(self) -> None:
        """Raises `EnvironmentProblems` if any question asked so far had no good answer."""
        if self._problems:
            raise EnvironmentProblems("; ".join(self._problems))


def api_token_problem(token: str) -> str | None:
    """What is wrong with an API token, without repeating it; None when it is good."""
    if not API_TOKEN_MINIMUM_CHARACTERS <= len(token) <= API_TOKEN_MAXIMUM_CHARACTERS:
        return (
            f"DJANGO_API_TOKEN must have {API_TOKEN_MINIMUM_CHARACTERS} to {API_TOKEN_MAXIMUM_CHARACTERS} characters, "
            f"it has {len(token)}"
        )
    if not API_TOKEN_FORM.fullmatch(token):
        return "DJANGO_API_TOKEN may hold A-Z a-z 0-9 . _ ~ + / - and at most two = at its end"
    return None


def secret_key_problem(key: str) -> str | None:
    """What is wrong with Django's SECRET_KEY, without repeating it; None when it is good."""
    if len(key) < SECRET_KEY_MINIMUM_CHARACTERS:
        return f"DJANGO_SECRET_KEY must have at least {SECRET_KEY_MINIMUM_CHARACTERS} characters, it has {len(key)}"
    if len(set(key)) < 5:
        return "DJANGO_SECRET_KEY has fewer than 5 different characters: make a random one"
    return None
