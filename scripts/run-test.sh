#!/bin/sh
# Runs one test, whatever it is, so that it prints TAP: a Lua file, a shell script, or a C program. Adds a line with its
# seconds of processor time to the file ESKER_COSTS, if that is set. ESKER_SINGLE=1: a Lua file runs on one thread, as many
# files run at once; threads that wait for each other's loops take a seventh of the time.
# The C library overwrites what is freed, so that a pointer that outlived its memory does not work by luck.
export MALLOC_PERTURB_=165
test=$1
case $test in
*.lua) set -- "${LUA:-lua5.4}" ${ESKER_SINGLE:+-e 'require("esker").threads(1)'} "$test" --output TAP ;;
*.sh) set -- sh "$test" ;;
esac
[ -n "${ESKER_COSTS:-}" ] || exec "$@"
"$@"
status=$?
times >"$ESKER_COSTS.$$" # in this shell: another has no children
awk -F '[ms ]+' -v test="$test" 'NR == 2 { printf "%.1f %s\n", 60 * ($1 + $3) + $2 + $4, test }' "$ESKER_COSTS.$$" >>"$ESKER_COSTS"
rm -f "$ESKER_COSTS.$$"
exit $status
