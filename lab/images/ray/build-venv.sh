#!/bin/sh
# Runs inside the root file system of the Python image, with the machine's network, certificates and pip configuration:
# makes the virtual environment of the Ray image from the hashes in the lock file.
set -eu
venv=/home/ray/venv
python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --no-cache-dir --no-compile --only-binary :all: --require-hashes \
  --requirement /build/requirements.lock
# Compiled once here, not by every Ray process of every pod; a compiled file names its source's time, so that is fixed first.
find "$venv" -name '*.py' -exec touch --date="@$SOURCE_DATE_EPOCH" {} +
"$venv/bin/python" -m compileall -q -f -j 0 "$venv/lib"
