# What every script shares: the root, a step with its time, stamps, a clear end.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
step_title='' step_log='' ticker=''

die() {
  printf '%s\n' "$@" >&2
  exit 1
}

stop_ticker() {
  kill "$ticker" 2>/dev/null || true
  wait "$ticker" 2>/dev/null || true
}

# A step that fails shows the end of what it wrote; the shell's own exit does the rest.
report_failed_step() {
  [[ -n $step_title ]] || return 0
  stop_ticker
  printf '   failed: %s; the last lines it wrote:\n' "$step_title" >&2
  tail -n 60 "$step_log" >&2
  rm -f "$step_log"
}
trap report_failed_step EXIT

# One line a second on a terminal, one every 15 s in a log; it ends with the script that began it.
tick() {
  local parent=$1 began=$SECONDS seconds
  while sleep 1 && kill -0 "$parent" 2>/dev/null; do
    seconds=$((SECONDS - began))
    if [[ -t 2 ]]; then
      printf '\r   %d s ' "$seconds" >&2
    elif ((seconds % 15 == 0)); then
      printf '   … %d s\n' "$seconds" >&2
    fi
  done
}

# step TITLE COMMAND…: run it quietly, show that it lives and how long it took.
step() {
  local began=$SECONDS
  step_title=$1 step_log=$(mktemp)
  shift
  printf '== %s\n' "$step_title" >&2
  tick $$ &
  ticker=$!
  ("$@") >"$step_log" 2>&1
  stop_ticker
  [[ ! -t 2 ]] || printf '\r' >&2
  printf '   took %d s\n' $((SECONDS - began)) >&2
  rm -f "$step_log"
  step_title=''
}

# fingerprint FILE…: one hash of names and contents; the root is in it because a venv cannot be moved.
fingerprint() {
  (cd "$root" && { printf '%s\n' "$root" "$@"; cat -- "$@"; } | sha256sum | cut -d' ' -f1)
}

stamped() { [[ -f $1 && $(<"$1") == "$2" ]]; }

# as_root COMMAND…: as root, or by sudo that asks no password.
can_be_root() { ((EUID == 0)) || sudo -n true 2>/dev/null; }
as_root() { if ((EUID == 0)); then "$@"; else sudo -n "$@"; fi; }

apt_install() {
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
}
