# Suites one after another: a failure does not stop the next one, and one last line says it all.
source "$(dirname "${BASH_SOURCE[0]}")/python.sh"
source "$(dirname "${BASH_SOURCE[0]}")/client.sh"
source "$(dirname "${BASH_SOURCE[0]}")/editor.sh"
source "$(dirname "${BASH_SOURCE[0]}")/servers.sh"
# Tests with processes wait for them half of the time.
workers=$(($(nproc 2>/dev/null || sysctl -n hw.ncpu) * 2))
verdicts=() left_out=() failed=() passes=0 failures=0 editor_pid='' editor_log='' editor_ready='' beside_pid='' beside_log=''

# A shell of its own for a step of the rig: what fails in it ends it, and not this script.
editor_step=(bash -c 'source "$1/scripts/lib/editor.sh"; "$2"' - "$root")

# Where there is none and none can be installed, its tests say so.
emacs_at_hand() {
  command -v emacs >/dev/null && return
  command -v apt-get >/dev/null && can_be_root || return 0
  apt_install emacs-nox >/dev/null 2>&1 || printf 'Emacs could not be installed: its tests are left out.\n' >&2
}

# The compilation runs beside the checks, in a group of its own that ends with this script.
editor_begin() {
  local blocker
  blocker=$(editor_blocker)
  if [[ -n $blocker ]]; then
    left_out+=("the real editor ($blocker)")
    return
  fi
  if ! "${editor_step[@]}" editor_packages; then
    editor_fails
    return
  fi
  editor_log=$(mktemp)
  setsid "${editor_step[@]}" editor_modules >"$editor_log" 2>&1 &
  editor_pid=$!
}

# npm does not end at a polite signal; its next run starts from nothing, so a hard one does no harm.
abandon() {
  local group
  for group in $editor_pid $beside_pid; do
    { kill -KILL -- "-$group" && wait "$group"; } 2>/dev/null || true
  done
  rm -f "$editor_log" "$beside_log"
}
trap 'report_failed_step; abandon' EXIT

editor_finish() {
  [[ -n $editor_pid ]] || return 0
  printf '\n== the rest of VS Code in the browser\n'
  tail -n +1 --pid="$editor_pid" -f "$editor_log"
  if wait "$editor_pid"; then editor_ready=yes; else editor_fails; fi
  editor_pid=''
}

editor_fails() {
  failures=$((failures + 1))
  verdicts+=('set-up of the editor FAILED')
}

# total WORD FILE: what pytest and vitest ("3 passed") or node ("# pass 3") say at their end.
total() {
  local plain
  plain=$(sed 's/\x1b\[[0-9;]*m//g' "$2")
  { tail -n 12 <<<"$plain" | grep -oE "[0-9]+ $1" || grep -oE "^(ℹ|#) ${1%ed} [0-9]+" <<<"$plain" || echo 0; } |
    tail -n 1 | grep -oE '[0-9]+'
}

# What pytest and the editor's tests say of what they did not run: "left out: 3 tests (no recordings)".
note_left_out() {
  local line
  while IFS= read -r line; do left_out+=("$line"); done < <(
    sed -nE 's/\x1b\[[0-9;]*m//g; s/^left out: ([0-9]+ tests? \(.*\))$/\1/p' "$1"
  )
}

# suite NAME COMMAND…: shows its output as it comes and adds up its tests.
suite() {
  local name=$1 began=$SECONDS output verdict=ok
  shift
  printf '\n== %s\n' "$name"
  output=$(mktemp)
  "$@" 2>&1 | tee "$output" || verdict=FAILED
  add_up "$name" "$verdict" "$output"
  rm -f "$output"
  printf '   took %d s\n' $((SECONDS - began))
}

# suite_beside COMMAND…: begins a suite that goes on beside those that follow, in a group of its own that ends with this script.
suite_beside() {
  beside_log=$(mktemp)
  set -m
  "$@" >"$beside_log" 2>&1 </dev/null &
  beside_pid=$!
  set +m
}

# suite_joined NAME: waits for it, shows what it said and adds up its tests.
suite_joined() {
  local verdict=ok
  printf '\n== %s, which ran beside\n' "$1"
  wait "$beside_pid" || verdict=FAILED
  cat "$beside_log"
  add_up "$1" "$verdict" "$beside_log"
  rm -f "$beside_log"
  beside_pid='' beside_log=''
}

# add_up NAME VERDICT FILE: of a suite that has ended and wrote this.
add_up() {
  local name=$1 verdict=$2 output=$3 bad
  bad=$(($(total failed "$output") + $(total 'errors? in' "$output")))
  [[ $verdict == ok || $bad -gt 0 ]] || bad=1
  passes=$((passes + $(total passed "$output"))) failures=$((failures + bad))
  verdicts+=("$name $verdict")
  note_left_out "$output"
  [[ $verdict == ok ]] || note_failed "$name" "$output"
}

# What failed by its name, as pytest, node, vitest and the faults write it; of what writes none of it, the last lines.
note_failed() {
  local plain line
  plain=$(sed 's/\x1b\[[0-9;]*m//g' "$2")
  while IFS= read -r line; do failed+=("$1: ${line:0:400}"); done < <(
    grep -E '^(FAILED|ERROR|✖|not ok| FAIL |[a-z]+ VIOLATED:|   case )' <<<"$plain" | awk '!seen[$0]++' || tail -n 12 <<<"$plain"
  )
}

# What the machine itself does not allow is told, and no fault; a tool that is missing is one.
tools_are_missing() {
  local line
  for line in ${left_out[@]+"${left_out[@]}"}; do [[ $line == *'(this machine: '* ]] || return 0; done
  return 1
}

conclude() {
  local line rest='nothing left out'
  printf -v line '%s, ' "${verdicts[@]}"
  if ((${#left_out[@]})); then
    printf -v rest '%s, ' "${left_out[@]}"
    rest="left out: ${rest%, }"
  fi
  if ((${#failed[@]})); then printf '\n== what failed\n' && printf '   %s\n' "${failed[@]}"; fi
  printf '\n%d passed, %d failed (%s); %s\n' "$passes" "$failures" "${line%, }" "$rest"
  [[ $failures -eq 0 ]] && { [[ ${CI:-} != true ]] || ! tools_are_missing; }
}
