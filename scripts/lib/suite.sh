# Suites one after another: a failure does not stop the next one, and one last line says it all.
source "$(dirname "${BASH_SOURCE[0]}")/python.sh"
source "$(dirname "${BASH_SOURCE[0]}")/client.sh"
source "$(dirname "${BASH_SOURCE[0]}")/editor.sh"
verdicts=() passes=0 failures=0 left_out='' editor_pid='' editor_log=''

# The compilation runs beside the checks, in a group of its own that ends with this script.
editor_begin() {
  left_out=$(editor_blocker)
  [[ -z $left_out ]] || return 0
  editor_packages
  editor_log=$(mktemp)
  trap 'report_failed_step; editor_abandon' EXIT
  setsid bash -c 'source "$1/scripts/lib/editor.sh"; editor_modules' - "$root" >"$editor_log" 2>&1 &
  editor_pid=$!
}

# npm does not end at a polite signal; its next run starts from nothing, so a hard one does no harm.
editor_abandon() {
  [[ -z $editor_pid ]] || { kill -KILL -- "-$editor_pid" && wait "$editor_pid"; } 2>/dev/null || true
  rm -f "$editor_log"
}

editor_finish() {
  local rc=0
  [[ -z $left_out ]] || return 0
  printf '\n== the rest of VS Code in the browser\n'
  tail -n +1 --pid="$editor_pid" -f "$editor_log"
  wait "$editor_pid" || rc=$?
  editor_pid=''
  return "$rc"
}

# total WORD FILE: what pytest and vitest ("3 passed") or node ("# pass 3") say at their end.
total() {
  local plain
  plain=$(sed 's/\x1b\[[0-9;]*m//g' "$2")
  { tail -n 12 <<<"$plain" | grep -oE "[0-9]+ $1" || grep -oE "^(ℹ|#) ${1%ed} [0-9]+" <<<"$plain" || echo 0; } |
    tail -n 1 | grep -oE '[0-9]+'
}

# suite NAME COMMAND…: shows its output as it comes and adds up its tests.
suite() {
  local name=$1 began=$SECONDS output verdict=ok bad
  shift
  printf '\n== %s\n' "$name"
  output=$(mktemp)
  "$@" 2>&1 | tee "$output" || verdict=FAILED
  bad=$(($(total failed "$output") + $(total 'errors? in' "$output")))
  [[ $verdict == ok || $bad -gt 0 ]] || bad=1
  passes=$((passes + $(total passed "$output"))) failures=$((failures + bad))
  verdicts+=("$name $verdict")
  rm -f "$output"
  printf '   took %d s\n' $((SECONDS - began))
}

conclude() {
  local line
  printf -v line '%s, ' "${verdicts[@]}"
  printf '\n%d passed, %d failed (%s)' "$passes" "$failures" "${line%, }"
  if [[ -z $left_out ]]; then printf '; nothing left out\n'; else printf '; left out: the real editor (%s)\n' "$left_out"; fi
  [[ $failures -eq 0 && (-z $left_out || ${CI:-} != true) ]]
}
