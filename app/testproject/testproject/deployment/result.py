"""The setup's result for the gate: one JSON object in the container's termination message."""

import json
import os
from pathlib import Path

SCHEMA = "raygate.setup/v1"
# Kubernetes cuts a termination message at 4096 bytes; a cut JSON object would be none.
MESSAGE_BYTES_MAXIMUM = 4096


def message_path() -> Path:
    return Path(os.environ.get("TERMINATION_LOG", "/dev/termination-log"))


def write_result(result: dict) -> bool:
    """Writes the result where the container runtime looks for it; False when there is no such file (outside a cluster)."""
    path = message_path()
    if not path.parent.is_dir() or (path.parent == Path("/dev") and not path.exists()):
        return False
    # No temporary file and rename here: this file is a bind mount of the container runtime.
    path.write_bytes(encode(result))
    return True


def encode(result: dict) -> bytes:
    """At most 4096 bytes of JSON: first the list of pruned archives gives way to its length, then the error is cut."""
    document = {"schema": SCHEMA, **result}
    encoded = _json(document)
    if len(encoded) > MESSAGE_BYTES_MAXIMUM and "pruned" in document:
        document["pruned"] = []
        document["pruned_count"] = len(result["pruned"])
        encoded = _json(document)
    if len(encoded) > MESSAGE_BYTES_MAXIMUM and "error" in document:
        document["error"] = document["error"][:300]
        encoded = _json(document)
    return encoded


def _json(document: dict) -> bytes:
    return json.dumps(document, separators=(",", ":"), ensure_ascii=True).encode()
