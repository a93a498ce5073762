#!/bin/sh
# Runs one test, whatever it is, so that it prints TAP: a Lua file, a shell script, or a C program. Adds a line with its
# seconds of processor time to the file ESKER_COSTS, if that is set, and what failed, with why, to ESKER_COSTS.failed.
# ESKER_SINGLE=1: a Lua file runs on one thread, as many
# files run at once; threads that wait for each other's loops take a seventh of the time.
# The C library overwrites what is freed, so that a pointer that outlived its memory does not work by luck.
export MALLOC_PERTURB_=165
test=$1
case $test in
*.lua) set -- "${LUA:-lua5.4}" ${ESKER_SINGLE:+-e 'require("esker").threads(1)'} "$test" --output TAP ;;
*.sh) set -- sh "$test" ;;
esac
[ -n "${ESKER_COSTS:-}" ] || exec "$@"
own=$ESKER_COSTS.$$
"$@" >"$own.tap"
status=$?
times >"$own" # in this shell: another has no children
awk -F '[ms ]+' -v test="$test" 'NR == 2 { printf "%.1f %s\n", 60 * ($1 + $3) + $2 + $4, test }' "$own" >>"$ESKER_COSTS"
cat "$own.tap"
awk -v test="$test" '/^ *not ok/ && !/# (TODO|SKIP)/ { print test ": " $0; told = 1; next }
    /^ *#/ && told { print; next }
    { told = 0 }' "$own.tap" >>"$ESKER_COSTS.failed"
rm -f "$own" "$own.tap"
exit $status
