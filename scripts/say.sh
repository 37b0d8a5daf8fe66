# shellcheck shell=bash
# Words to the person at the terminal. They go to standard error, so that output can be piped.

say() { printf '· %s\n' "$*" >&2; }

# Ends with one sentence. Exit code 2: the machine cannot do what was asked.
die() {
  printf './dev: %s.\n' "${*%.}" >&2
  exit 2
}

have() { command -v "$1" >/dev/null 2>&1; }

# Runs a command and shows its output only if it fails: quietly WHAT COMMAND...
quietly() {
  local what=$1 log
  shift
  log=$(mktemp)
  if "$@" >"$log" 2>&1; then
    rm -f "$log"
  else
    tail -n 25 "$log" >&2
    rm -f "$log"
    say "$what did not work; the end of its output is above"
    return 1
  fi
}
