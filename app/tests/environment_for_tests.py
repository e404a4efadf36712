"""A pytest plugin, loaded before Django's settings: the environment of a web process on SQLite, and nothing of the caller's."""

import os
import tempfile

TOKEN = "unit-tests-only.token_of~40+characters/A="
SECRET_KEY = "unit-tests-only-0123456789-abcdefghijklmnopqrstuvwxyz"
WORKING_DIR_URI = "file:///runtime-env/django-ray-source-0123456789ab-ba9876543210.zip"

static_root = tempfile.TemporaryDirectory(prefix="raygate-app-static-")
for name in list(os.environ):
    if name.startswith(("DJANGO_", "DATABASE_", "RAY_", "RAYGATE_SOURCE", "RAYGATE_RELEASE", "GUNICORN_")):
        del os.environ[name]
os.environ.update(
    DJANGO_SETTINGS_MODULE="testproject.settings",
    DJANGO_PROCESS="web",
    DJANGO_DEPLOYMENT_MODE="demo",
    DJANGO_ALLOWED_HOSTS="testserver,django-web-svc",
    DJANGO_SECRET_KEY=SECRET_KEY,
    DJANGO_API_TOKEN=TOKEN,
    DJANGO_RAY_WORKING_DIR_URI=WORKING_DIR_URI,
    DJANGO_STATIC_ROOT=static_root.name,
    DATABASE_ENGINE="django.db.backends.sqlite3",
    RAY_ADDRESS="ray://ray-head-svc:10001",
    RAYGATE_RELEASE="local-gate-tree-0123456789ab-00000000",
)
