import { names } from '../names.js';
import { ports } from '../ports.js';

/** File name of the script in its ConfigMap and below `/scripts`. */
export const dashboardImportFile = 'import_dashboards.py';

/**
 * Runs beside the Ray head: posts the dashboards that Ray generates to Grafana. An import that fails is logged and the script
 * idles on: it must never keep the head from Ready. It ends at once on SIGTERM, so that a cold restart does not wait for it.
 */
export const dashboardImportScript = `"""Post the dashboards that Ray generates to Grafana, then idle. A failure is logged, never fatal."""

import glob
import json
import os
import signal
import sys
import time
import urllib.error
import urllib.request

GRAFANA = os.environ.get("GRAFANA_URL", "http://${names.grafanaService}:${ports.grafana}")
FOLDER = "/tmp/ray/session_latest/metrics/grafana/dashboards"
TRIES = 30
PAUSE_SECONDS = 10
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def log(text):
    print(text, flush=True)


def wait_for(what, check):
    for attempt in range(1, TRIES + 1):
        if check():
            return True
        log(f"waiting for {what} ({attempt} of {TRIES})")
        time.sleep(PAUSE_SECONDS)
    log(f"gave up waiting for {what}")
    return False


def grafana_answers():
    try:
        with OPENER.open(f"{GRAFANA}/api/health", timeout=5) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False


def dashboards():
    return sorted(glob.glob(f"{FOLDER}/*.json"))


def post(path):
    with open(path, encoding="utf-8") as file:
        dashboard = json.load(file)
    dashboard["id"] = None
    body = json.dumps({"dashboard": dashboard, "overwrite": True, "message": "Ray"}).encode()
    request = urllib.request.Request(
        f"{GRAFANA}/api/dashboards/db", data=body, headers={"Content-Type": "application/json"}
    )
    with OPENER.open(request, timeout=30) as answer:
        answer.read()


def main():
    if wait_for("Grafana", grafana_answers) and wait_for("Ray's dashboards", dashboards):
        for path in dashboards():
            try:
                post(path)
                log(f"imported {os.path.basename(path)}")
            except (urllib.error.URLError, OSError, ValueError, TypeError) as error:
                log(f"not imported: {os.path.basename(path)}: {type(error).__name__}: {error}")
    log("idle")
    while True:
        signal.pause()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    main()
`;
