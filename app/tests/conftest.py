from pathlib import Path

import pytest
from django.test import Client

from tests.environment_for_tests import TOKEN

APPLICATION = Path(__file__).resolve().parent.parent


@pytest.fixture
def application() -> Path:
    return APPLICATION


@pytest.fixture
def anybody() -> Client:
    """A client without the token, with CSRF checks as in production."""
    return Client(enforce_csrf_checks=True, raise_request_exception=False)


@pytest.fixture
def caller() -> Client:
    """A client with the token."""
    return Client(enforce_csrf_checks=True, raise_request_exception=False, headers={"Authorization": f"Bearer {TOKEN}"})
