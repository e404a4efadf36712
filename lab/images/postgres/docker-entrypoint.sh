#!/bin/bash
# Starts PostgreSQL 17 with the environment of the upstream image: POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB (each also as
# …_FILE), POSTGRES_INITDB_ARGS, POSTGRES_HOST_AUTH_METHOD, PGDATA, and the scripts of /docker-entrypoint-initdb.d.
#
# A database is made once. It is made in a folder beside its place and moved in with PG_VERSION last, so a container killed
# half-way leaves nothing that the next one would take for a database.
set -euo pipefail

fail() {
  echo "postgres: $*" >&2
  exit 1
}

# The value of NAME, or the content of the file that NAME_FILE names, or the default.
setting() {
  local name=$1 default=${2-} file_name=${1}_FILE
  if [[ -n ${!name-} && -n ${!file_name-} ]]; then fail "both $name and $file_name are set: keep one"; fi
  if [[ -n ${!file_name-} ]]; then cat -- "${!file_name}"; else printf '%s' "${!name:-$default}"; fi
}

# An arbitrary user id has no line in /etc/passwd, and initdb wants one.
name_own_user() {
  if ! getent passwd "$(id -u)" > /dev/null; then
    local library
    library=$(echo /usr/lib/*/libnss_wrapper.so)
    NSS_WRAPPER_PASSWD=$(mktemp) NSS_WRAPPER_GROUP=$(mktemp)
    echo "postgres:x:$(id -u):$(id -g):PostgreSQL:$PGDATA:/bin/false" > "$NSS_WRAPPER_PASSWD"
    echo "postgres:x:$(id -g):" > "$NSS_WRAPPER_GROUP"
    export LD_PRELOAD=$library NSS_WRAPPER_PASSWD NSS_WRAPPER_GROUP
  fi
}

run_setup_scripts() {
  local script
  for script in /docker-entrypoint-initdb.d/*; do
    case $script in
      *.sh) bash "$script" ;;
      *.sql) psql --no-psqlrc --set=ON_ERROR_STOP=1 --dbname="$1" --file="$script" ;;
      *.sql.gz) gunzip --stdout "$script" | psql --no-psqlrc --set=ON_ERROR_STOP=1 --dbname="$1" ;;
    esac
  done
}

make_database() {
  local user password database method staging=$PGDATA/.initialising
  user=$(setting POSTGRES_USER postgres)
  password=$(setting POSTGRES_PASSWORD)
  database=$(setting POSTGRES_DB "$user")
  method=${POSTGRES_HOST_AUTH_METHOD:-scram-sha-256}
  if [[ -z $password && $method != trust ]]; then
    fail 'POSTGRES_PASSWORD is empty and there is no database yet: set it, or POSTGRES_HOST_AUTH_METHOD=trust'
  fi

  # Only what an earlier, killed start of this script left there.
  if [[ -d $staging ]]; then find "$PGDATA" -mindepth 1 -delete; fi
  local found
  found=$(find "$PGDATA" -mindepth 1 -maxdepth 1 ! -name lost+found -print -quit)
  if [[ -n $found ]]; then fail "$PGDATA is not empty and holds no database (${found##*/}): give it an empty folder"; fi
  mkdir --mode=0700 "$staging"

  name_own_user
  # shellcheck disable=SC2086  # words, as upstream
  initdb --pgdata="$staging" --username="$user" --auth-local=trust --auth-host="$method" \
    --pwfile=<(printf '%s\n' "$password") ${POSTGRES_INITDB_ARGS-}
  printf '\nhost all all all %s\n' "$method" >> "$staging/pg_hba.conf"

  # Reachable through its socket alone until everything is in place.
  export PGUSER=$user PGHOST=/var/run/postgresql
  pg_ctl --pgdata="$staging" --wait --silent --options="-c listen_addresses='' -c unix_socket_directories='$PGHOST'" start
  if [[ $database != postgres ]]; then createdb --maintenance-db=postgres -- "$database"; fi
  run_setup_scripts "$database"
  pg_ctl --pgdata="$staging" --wait --silent --mode=fast stop
  if [[ -n ${NSS_WRAPPER_PASSWD-} ]]; then rm --force -- "$NSS_WRAPPER_PASSWD" "$NSS_WRAPPER_GROUP"; fi
  unset PGUSER PGHOST LD_PRELOAD NSS_WRAPPER_PASSWD NSS_WRAPPER_GROUP

  find "$staging" -mindepth 1 -maxdepth 1 ! -name PG_VERSION -exec mv --target-directory="$PGDATA" -- {} +
  mv -- "$staging/PG_VERSION" "$PGDATA/"
  rmdir "$staging"
  sync --file-system "$PGDATA"
}

# Flags alone are the server's.
if [[ ${1-} == -* || $# -eq 0 ]]; then set -- postgres "$@"; fi

asks_only() {
  local argument
  for argument; do
    case $argument in -'?' | --help | --describe-config | -V | --version) return 0 ;; esac
  done
  return 1
}

if [[ $1 == postgres ]] && ! asks_only "$@"; then
  mkdir --parents "$PGDATA"
  if [[ $(id -u) == 0 ]]; then
    # As upstream: root prepares the folder and steps down.
    chown --recursive postgres:postgres "$PGDATA" /var/run/postgresql
    chmod 0700 "$PGDATA"
    exec setpriv --reuid=999 --regid=999 --init-groups --no-new-privs -- "$0" "$@"
  fi
  chmod 0700 "$PGDATA" 2> /dev/null ||
    fail "$PGDATA does not belong to user $(id -u), which the server demands: set PGDATA to a folder below the volume"
  if [[ ! -s $PGDATA/PG_VERSION ]]; then make_database; fi
  rm --recursive --force -- "$PGDATA/.initialising"
fi

exec "$@"
