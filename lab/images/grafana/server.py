"""The lab's stand-in for Grafana: it answers the few requests that the platform makes, and says that it is not Grafana.

Answered: GET /api/health, POST /login, POST /api/dashboards/db, GET /api/dashboards/uid/<uid>, GET /api/search,
DELETE /api/dashboards/uid/<uid>, and one page at / and /login. Everything else is 404. Dashboards live in memory.
GF_SERVER_HTTP_PORT moves it from port 3000.
"""

import html
import http.server
import json
import os
import re
import signal
import sys
import threading

STAND_IN = "raygate lab stand-in, not Grafana"
MAX_BODY_BYTES = 4 * 1024 * 1024
MAX_DASHBOARDS = 200


class Dashboards:
    """What was imported, by uid. A new version needs `overwrite`, as in Grafana."""

    def __init__(self):
        self._by_uid = {}
        self._lock = threading.Lock()

    def save(self, dashboard, overwrite):
        title = dashboard.get("title")
        if not isinstance(title, str) or not title:
            return 400, {"message": "Dashboard title cannot be empty", "status": "empty-name"}
        slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
        uid = dashboard.get("uid") or slug
        if not isinstance(uid, str) or not re.fullmatch(r"[A-Za-z0-9_-]{1,40}", uid):
            return 400, {"message": "uid contains illegal characters or is too long", "status": "bad-uid"}
        with self._lock:
            earlier = self._by_uid.get(uid)
            if earlier and not overwrite:
                return 412, {"message": "A dashboard with the same uid already exists", "status": "name-exists"}
            if not earlier and len(self._by_uid) >= MAX_DASHBOARDS:
                return 507, {"message": f"the stand-in holds {MAX_DASHBOARDS} dashboards and takes no more"}
            version = earlier["version"] + 1 if earlier else 1
            number = earlier["id"] if earlier else len(self._by_uid) + 1
            kept = {**dashboard, "uid": uid, "id": number, "version": version}
            self._by_uid[uid] = kept
        return 200, {
            "id": number,
            "uid": uid,
            "url": f"/d/{uid}/{slug}",
            "status": "success",
            "version": version,
            "slug": slug,
        }

    def get(self, uid):
        with self._lock:
            return self._by_uid.get(uid)

    def remove(self, uid):
        with self._lock:
            return self._by_uid.pop(uid, None)

    def all(self):
        with self._lock:
            return list(self._by_uid.values())


dashboards = Dashboards()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "raygate-lab-grafana-stand-in"
    sys_version = ""
    timeout = 30

    def do_GET(self):
        path = self.path.partition("?")[0]
        if path == "/api/health":
            self._json(200, {"commit": "none", "database": "ok", "version": STAND_IN})
        elif path == "/api/search":
            self._json(200, [{"uid": d["uid"], "title": d["title"], "type": "dash-db"} for d in dashboards.all()])
        elif match := re.fullmatch(r"/api/dashboards/uid/([^/]+)", path):
            found = dashboards.get(match[1])
            if found:
                self._json(200, {"dashboard": found, "meta": {"version": found["version"]}})
            else:
                self._json(404, {"message": "Dashboard not found"})
        elif path in ("/", "/login"):
            self._page()
        else:
            self._json(404, {"message": STAND_IN})

    def do_POST(self):
        path = self.path.partition("?")[0]
        body = self._body()
        if body is None:
            return
        if path == "/login":
            self._json(200, {"message": "Logged in", "note": STAND_IN})
        elif path == "/api/dashboards/db":
            dashboard = body.get("dashboard") if isinstance(body, dict) else None
            if isinstance(dashboard, dict):
                self._json(*dashboards.save(dashboard, body.get("overwrite") is True))
            else:
                self._json(400, {"message": "bad request data: no dashboard"})
        else:
            self._json(404, {"message": STAND_IN})

    def do_DELETE(self):
        match = re.fullmatch(r"/api/dashboards/uid/([^/]+)", self.path.partition("?")[0])
        removed = dashboards.remove(match[1]) if match else None
        if removed:
            self._json(200, {"title": removed["title"], "message": f"Dashboard {removed['title']} deleted"})
        else:
            self._json(404, {"message": "Dashboard not found"})

    def _body(self):
        """The request's JSON, or None after an error was answered."""
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > MAX_BODY_BYTES:
            self.close_connection = True
            self._json(413 if length.isdigit() else 411, {"message": f"a body of at most {MAX_BODY_BYTES} bytes is needed"})
            return None
        try:
            return json.loads(self.rfile.read(int(length)) or b"null")
        except ValueError:
            self._json(400, {"message": "bad request data: not JSON"})
            return None

    def _page(self):
        titles = "".join(f"<li>{html.escape(d['title'])}</li>" for d in dashboards.all()) or "<li>none yet</li>"
        text = (
            "<!doctype html><meta charset=utf-8><title>Not Grafana</title>"
            "<h1>This is not Grafana</h1>"
            "<p>The raygate lab answers here for <code>grafana/grafana:10.2.0</code>, which it cannot pull. On your own cluster "
            "the real one runs.</p>"
            f"<p>Dashboards imported so far:</p><ul>{titles}</ul>"
        )
        self._send(200, "text/html; charset=utf-8", text.encode())

    def _json(self, status, value):
        self._send(status, "application/json", json.dumps(value).encode())

    def _send(self, status, content_type, content):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_request(self, code="-", size="-"):
        if self.path != "/api/health":
            super().log_request(code, size)


def main():
    port = int(os.environ.get("GF_SERVER_HTTP_PORT", "3000"))
    server = http.server.ThreadingHTTPServer(("", port), Handler)
    server.daemon_threads = True
    # PID 1 has no default action for signals.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: threading.Thread(target=server.shutdown).start())
    print(f"{STAND_IN}: listening on port {port}", file=sys.stderr, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
