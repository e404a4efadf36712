#!/bin/bash
# One image, several processes: the first argument says which. Anything else is run as it is.
# Secrets come from the environment and go no further; nothing here prints a variable's value.
set -euo pipefail

cd "$(dirname "$(readlink -f "$0")")"
export PYTHONPATH="$PWD/src:$PWD/testproject"
export DJANGO_SETTINGS_MODULE="${DJANGO_SETTINGS_MODULE:-testproject.settings}"
manage=(python testproject/manage.py)

# The process that remains must be the container's PID 1: it gets the signals.
mode="${1:-web}"
[ "$#" -gt 0 ] && shift

wait_for_database() {
  "${manage[@]}" wait_for_database
}

case "$mode" in
  web)
    export DJANGO_PROCESS=web
    wait_for_database
    # gunicorn 27 as non-root on a read-only root: no control socket, heartbeat files in memory.
    exec gunicorn testproject.wsgi:application \
      --bind "${WEB_BIND:-0.0.0.0:8000}" \
      --workers "${GUNICORN_WORKERS:-2}" --threads "${GUNICORN_THREADS:-4}" --worker-class gthread \
      --worker-tmp-dir /dev/shm --no-control-socket \
      --timeout 30 --graceful-timeout 25 --keep-alive 5 \
      --access-logfile - --error-logfile - "$@"
    ;;
  web-dev)
    export DJANGO_DEPLOYMENT_MODE="${DJANGO_DEPLOYMENT_MODE:-development}"
    wait_for_database
    exec "${manage[@]}" runserver "${WEB_BIND:-0.0.0.0:8000}" "$@"
    ;;
  worker)
    export DJANGO_PROCESS=worker
    wait_for_database
    exec "${manage[@]}" django_ray_worker --queue "${DJANGO_RAY_QUEUE:-default}" \
      --concurrency "${DJANGO_RAY_CONCURRENCY:-4}" "$@"
    ;;
  worker-cluster)
    export DJANGO_PROCESS=worker
    : "${RAY_ADDRESS:?RAY_ADDRESS is not set: worker-cluster needs the Ray cluster, e.g. ray://ray-head-svc:10001}"
    wait_for_database
    exec "${manage[@]}" django_ray_worker --cluster "$RAY_ADDRESS" --queue "${DJANGO_RAY_QUEUE:-default}" \
      --concurrency "${DJANGO_RAY_CONCURRENCY:-4}" "$@"
    ;;
  worker-ready)
    exec "${manage[@]}" django_ray_worker_ready --queue "${DJANGO_RAY_QUEUE:-default}" --hostname "$(hostname)" --json "$@"
    ;;
  worker-alive)
    # PID 1 is this script until the worker replaces it: alive as well, it waits for the database.
    exec grep -q -a -e django_ray_worker -e docker-entrypoint.sh /proc/1/cmdline
    ;;
  setup)
    export DJANGO_PROCESS=setup
    message="${TERMINATION_LOG:-/dev/termination-log}"
    status=0
    "${manage[@]}" setup "$@" || status=$?
    if [ "$status" -ne 0 ] && [ -w "$message" ] && [ ! -s "$message" ]; then
      printf '{"schema":"raygate.setup/v1","status":"failed","step":"environment","error":"setup did not start (exit %d): see its log"}' \
        "$status" > "$message"
    fi
    exit "$status"
    ;;
  migrate)
    export DJANGO_PROCESS=migrate
    wait_for_database
    exec "${manage[@]}" migrate --noinput "$@"
    ;;
  collectstatic)
    export DJANGO_PROCESS=collectstatic
    exec "${manage[@]}" collectstatic --noinput "$@"
    ;;
  createsuperuser)
    export DJANGO_PROCESS=migrate
    wait_for_database
    exec "${manage[@]}" ensure_superuser "$@"
    ;;
  shell)
    exec "${manage[@]}" shell "$@"
    ;;
  bash)
    exec bash "$@"
    ;;
  *)
    exec "$mode" "$@"
    ;;
esac
