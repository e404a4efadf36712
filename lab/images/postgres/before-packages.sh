#!/bin/sh
# Runs on the half-made root file system ($1) before the server's package is configured. `useradd` is not there yet.
set -eu
root=$1
# The upstream image's identity of the server: uid and gid 999. Debian's package would take the next free system id.
echo 'postgres:x:999:' >> "$root/etc/group"
echo 'postgres:x:999:999:PostgreSQL administrator:/var/lib/postgresql:/bin/bash' >> "$root/etc/passwd"
# Debian's package makes and starts a cluster "main" of its own unless it is told not to.
mkdir -p "$root/etc/postgresql-common"
echo 'create_main_cluster = false' > "$root/etc/postgresql-common/createcluster.conf"
