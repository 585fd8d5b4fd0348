# The Python environment of the checkout: .venv, everything from hashes, the project editable.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
venv=$root/.venv

find_python() {
  local candidate
  for candidate in "${PLIMSOLL_PYTHON:-python3}" python3.14 python3.13 python3.12 python3.11; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      printf '%s\n' "$candidate"
      return
    fi
  done
  die 'Plimsoll needs Python 3.11 or newer and found none.' \
    'Install one (Debian: apt install python3 python3-venv), or name it in PLIMSOLL_PYTHON.'
}

# Debian ships venv without ensurepip: first without help, then with apt, then with a virtualenv that only the checkout sees.
create_venv() {
  local python=$1
  "$python" -m venv --clear "$venv" && return
  if command -v uv && uv venv --clear --seed --python "$python" "$venv"; then return; fi
  if command -v apt-get && can_be_root && apt_install python3-venv && "$python" -m venv --clear "$venv"; then return; fi
  local tools=$root/build/virtualenv
  "$python" -m pip install --quiet --upgrade --target "$tools" virtualenv &&
    PYTHONPATH=$tools "$python" -m virtualenv --clear "$venv" && return
  die "No way to create a Python environment with $python was left." \
    'Install the venv module (Debian: apt install python3-venv), then start again.'
}

ensure_venv() {
  if ! "$venv/bin/python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    create_venv "$(find_python)"
  fi
}

# uv is quick; where only pip is configured for this network, pip installs the same hashes.
install_locked() {
  "$venv/bin/python" -m pip install --quiet --require-hashes -r "$root/scripts/lib/bootstrap.lock"
  "$venv/bin/uv" pip install --python "$venv/bin/python" --require-hashes -r "$root/scripts/lib/dev.lock" ||
    "$venv/bin/python" -m pip install --require-hashes -r "$root/scripts/lib/dev.lock"
}

install_project() {
  "$venv/bin/python" -m pip install --quiet --no-index --no-deps --no-build-isolation --editable "$root"
}

set_up_python() {
  ensure_venv
  install_locked
  install_project
}

python_env() {
  local want
  want=$(fingerprint pyproject.toml scripts/lib/bootstrap.lock scripts/lib/dev.lock)
  stamped "$venv/.stamp" "$want" && return
  step 'Python environment (.venv, from hashes)' set_up_python
  printf '%s\n' "$want" >"$venv/.stamp"
}
