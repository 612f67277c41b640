# Runs named steps, one after the other or in lanes side by side, and ends with a table of their seconds. For bash, to be sourced.
# The first step that fails fails the run; what runs beside it comes to its end, and nothing new is started.

STEPS=$(mktemp -d)
touch "$STEPS/table"
LANE=
lanes=()

# step <name> <command>...: in a lane, its output is kept and printed whole when it ends.
step() {
  local name=$1 code=0 log
  [ ! -e "$STEPS/failed" ] || exit 1
  if [ -z "$LANE" ]; then
    printf '\n== %s (at %s s)\n' "$name" "$SECONDS"
    timed "$@" || exit 1
  else
    printf '\n-- %s started (at %s s)\n' "$name" "$SECONDS"
    log=$STEPS/$LANE.log
    timed "$@" > "$log" 2>&1 || code=$?
    flock "$STEPS" bash -c 'printf "\n== %s\n" "$0"; cat "$1"; rm "$1"' "$name" "$log"
    [ "$code" = 0 ] || exit 1
  fi
}

timed() {
  local name=$1 begun=$SECONDS result=ok
  "${@:2}" || result=FAILED
  printf '%6s %6s  %-6s  %s\n' "$begun" "$((SECONDS - begun))" "$result" "$name" >> "$STEPS/table"
  [ "$result" = ok ] || { printf '%s\n' "$name" >> "$STEPS/failed"; return 1; }
}

# side_by_side <function>...: each function is a lane of steps.
side_by_side() {
  local lane code=0
  for lane in "$@"; do
    (LANE=$lane; "$lane") &
    lanes+=($!)
  done
  for lane in "${lanes[@]}"; do wait "$lane" || code=1; done
  lanes=()
  [ "$code" = 0 ] || exit 1
}

# cache <name: cold or warm>: a line below the table.
cache() { printf '%s\n' "$*" >> "$STEPS/caches"; }

summary() {
  local code=$? log
  [ "${#lanes[@]}" = 0 ] || kill "${lanes[@]}" 2> /dev/null
  for log in "$STEPS"/*.log; do
    [ ! -e "$log" ] || { printf '\n== unfinished: %s\n' "$(basename "$log" .log)"; cat "$log"; }
  done
  printf '\n== steps\n%6s %6s  %s\n' start took 'in seconds, since the start'
  sort -s -n -k1,1 "$STEPS/table"
  printf '%6s %6s  in all\n' '' "$SECONDS"
  [ ! -e "$STEPS/caches" ] || { printf '\n== caches\n'; cat "$STEPS/caches"; }
  [ ! -e "$STEPS/failed" ] || { echo; sed 's/^/FAILED: /' "$STEPS/failed"; }
  rm -r "$STEPS"
  exit "$code"
}
trap summary EXIT
trap 'exit 130' INT TERM
