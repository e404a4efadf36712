"""Django settings, read from the environment alone.

`DJANGO_PROCESS` says what this process is (the entrypoint sets it) and so what it must have. Each process gets only what
it needs: web has the secret key and the API token, managers have the database, and a Ray node (`ray-node`, set by the
stored RuntimeEnv) has neither database nor secrets, so a task there that reaches for one fails with Django's own words.
"""

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.utils.csp import CSP

from runtime_archive.naming import URI_FORM
from testproject.environment import Environment, EnvironmentProblems, api_token_problem, secret_key_problem

BASE_DIR = Path(__file__).resolve().parent.parent
DEVELOPMENT, DEMO, PRODUCTION = "development", "demo", "production"

DATABASE_VARIABLES = ("DATABASE_NAME", "DATABASE_HOST", "DATABASE_USER", "DATABASE_PASSWORD")
REQUIRED_BY_PROCESS = {
    "": (),
    "ray-node": (),
    "collectstatic": (),
    "migrate": DATABASE_VARIABLES,
    "setup": (*DATABASE_VARIABLES, "DJANGO_RAY_WORKING_DIR_URI", "RAYGATE_SOURCE_TREE"),
    "web": (*DATABASE_VARIABLES, "RAY_ADDRESS", "DJANGO_SECRET_KEY", "DJANGO_API_TOKEN", "DJANGO_ALLOWED_HOSTS"),
    "worker": (*DATABASE_VARIABLES, "RAY_ADDRESS"),
}

env = Environment(os.environ)
PROCESS = env.choice("DJANGO_PROCESS", REQUIRED_BY_PROCESS, "")
ON_RAY_NODE = PROCESS == "ray-node"

DEPLOYMENT_MODE = env.choice("DJANGO_DEPLOYMENT_MODE", (DEVELOPMENT, DEMO, PRODUCTION), PRODUCTION)
DEBUG = env.flag("DJANGO_DEBUG", default=False)
if DEBUG and DEPLOYMENT_MODE == PRODUCTION and not ON_RAY_NODE:
    env.problem("DJANGO_DEBUG must be False when DJANGO_DEPLOYMENT_MODE is production")

# --- database -------------------------------------------------------------------------------------------------------
POSTGRESQL, SQLITE = "django.db.backends.postgresql", "django.db.backends.sqlite3"
DATABASE_ENGINE = env.choice("DATABASE_ENGINE", (POSTGRESQL, SQLITE), POSTGRESQL)
required = REQUIRED_BY_PROCESS[PROCESS]
if DATABASE_ENGINE == SQLITE:
    required = tuple(name for name in required if name not in DATABASE_VARIABLES)
env.require(*required)

if ON_RAY_NODE:
    DATABASES = {"default": {"ENGINE": "django.db.backends.dummy"}}
elif DATABASE_ENGINE == SQLITE:
    DATABASES = {
        "default": {
            "ENGINE": SQLITE,
            "NAME": env.text("DATABASE_NAME", str(BASE_DIR / "db.sqlite3")),
            # Web and managers share the file: wait for a lock, and take it when a transaction starts.
            "OPTIONS": {"timeout": 20, "transaction_mode": "IMMEDIATE", "init_command": "PRAGMA journal_mode=WAL;"},
        }
    }
elif env.text("DATABASE_HOST"):
    DATABASES = {
        "default": {
            "ENGINE": POSTGRESQL,
            "NAME": env.text("DATABASE_NAME"),
            "HOST": env.text("DATABASE_HOST"),
            "PORT": env.integer("DATABASE_PORT", 5432, minimum=1, maximum=65535),
            "USER": env.text("DATABASE_USER"),
            "PASSWORD": env.secret("DATABASE_PASSWORD"),
            "CONN_MAX_AGE": 60,
            "CONN_HEALTH_CHECKS": True,
            "OPTIONS": {"connect_timeout": 5},
        }
    }
else:
    DATABASES = {"default": {"ENGINE": "django.db.backends.dummy"}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- secrets --------------------------------------------------------------------------------------------------------
# Left empty where a process has none: Django raises when an empty SECRET_KEY is used, not when settings load.
SECRET_KEY = "" if ON_RAY_NODE else env.secret("DJANGO_SECRET_KEY")
API_TOKEN = "" if ON_RAY_NODE else env.secret("DJANGO_API_TOKEN")
for found in (SECRET_KEY and secret_key_problem(SECRET_KEY), API_TOKEN and api_token_problem(API_TOKEN)):
    if found:
        env.problem(found)

# --- HTTP -----------------------------------------------------------------------------------------------------------
ALLOWED_HOSTS = env.words("DJANGO_ALLOWED_HOSTS")
if "*" in ALLOWED_HOSTS and DEPLOYMENT_MODE == PRODUCTION:
    env.problem("DJANGO_ALLOWED_HOSTS must name its hosts when DJANGO_DEPLOYMENT_MODE is production, not *")
# Counts per queue and state without a token: fine on a laptop, a choice in production.
PUBLIC_STATUS = env.flag("DJANGO_PUBLIC_STATUS", default=DEPLOYMENT_MODE != PRODUCTION)
RELEASE = env.text("RAYGATE_RELEASE")

ROOT_URLCONF = "testproject.urls"
WSGI_APPLICATION = "testproject.wsgi.application"
# A redirect would hide a wrong path from clients that follow none.
APPEND_SLASH = False

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_ray",
    "testproject",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "testproject.api.boundary.ApiBoundary",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.csp",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]

SECURE_CSP = {
    "default-src": [CSP.NONE],
    "script-src": [CSP.SELF, CSP.NONCE],
    "style-src": [CSP.SELF, CSP.NONCE],
    "img-src": [CSP.SELF, "data:"],
    "font-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "form-action": [CSP.SELF],
    "frame-ancestors": [CSP.NONE],
    "base-uri": [CSP.NONE],
}
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = DEPLOYMENT_MODE == PRODUCTION
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

STATIC_URL = "/static/"
STATIC_ROOT = env.text("DJANGO_STATIC_ROOT", str(BASE_DIR.parent / "staticfiles"))

USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "INFO"},
    # Django's own default adds a second console handler under DEBUG.
    "loggers": {"django": {"handlers": [], "level": "INFO", "propagate": True}},
}

# --- tasks ----------------------------------------------------------------------------------------------------------
QUEUES = ("default", "high-priority", "low-priority", "sync", "ml")
# Ray nodes only run what is already submitted, and django-ray 0.7.0 wants a non-empty address in every process.
RAY_ADDRESS = env.text("RAY_ADDRESS") or "auto"
WORKING_DIR_URI = env.text("DJANGO_RAY_WORKING_DIR_URI")
if WORKING_DIR_URI and not URI_FORM.fullmatch(WORKING_DIR_URI):
    env.problem(
        "DJANGO_RAY_WORKING_DIR_URI must look like file:///runtime-env/django-ray-source-<tree12>-<lock12>.zip, "
        f"not {WORKING_DIR_URI!r}"
    )

TASKS = {
    "default": {
        "BACKEND": "django_ray.backends.RayTaskBackend",
        "QUEUES": list(QUEUES),
        "OPTIONS": {"RAY_ADDRESS": RAY_ADDRESS},
    }
}
# Stored with each task in plain text: nothing secret may ever go in here. Ray extracts the archive and puts these relative
# paths in front (the ${RAY_RUNTIME_ENV_CREATE_WORKING_DIR} form does not work in Ray 2.60.0).
RUNTIME_ENV = {
    "working_dir": WORKING_DIR_URI,
    "env_vars": {
        "DJANGO_SETTINGS_MODULE": "testproject.settings",
        "DJANGO_PROCESS": "ray-node",
        "PYTHONPATH": "src:testproject",
    },
}
DJANGO_RAY = {
    "RAY_ADDRESS": RAY_ADDRESS,
    "RAY_STATE_API_ADDRESS": env.text("RAY_STATE_API_ADDRESS") or None,
    "RUNNER": "ray_core",
    "DEFAULT_CONCURRENCY": env.integer("DJANGO_RAY_CONCURRENCY", 4, minimum=1, maximum=1000),
    # django-ray doubles the wait each time: 20, 40, 80, 160 s outlast a Ray head that comes back within minutes.
    "MAX_TASK_ATTEMPTS": env.integer("DJANGO_RAY_MAX_ATTEMPTS", 5, minimum=1, maximum=100),
    "RETRY_BACKOFF_SECONDS": env.integer("DJANGO_RAY_RETRY_BACKOFF_SECONDS", 10, minimum=0, maximum=3600),
    "RUNTIME_ENV_PROFILES": {"archive": RUNTIME_ENV} if WORKING_DIR_URI and not ON_RAY_NODE else {},
    "DEFAULT_RUNTIME_ENV_PROFILE": "archive" if WORKING_DIR_URI and not ON_RAY_NODE else None,
}

try:
    env.finish()
except EnvironmentProblems as problems:
    raise ImproperlyConfigured(f"Wrong environment for the {PROCESS or 'manage.py'} process: {problems}") from None
