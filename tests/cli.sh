#!/bin/sh
# The cases of the command line: each tests/cli/NAME.sh runs in a scratch folder of its own with `esker` on
# the PATH, and must give what NAME.stdout, NAME.stderr and NAME.exit say (a missing file: nothing, 0). In a
# script, $CASES is the folder tests/cli. In what is expected HERE is the scratch folder. Prints TAP.

set -u
CASES=$(cd "$(dirname "$0")/cli" && pwd)
ROOT=$(cd "$CASES/../.." && pwd)
BUILD=$(cd "$ROOT/${ESKER_BUILD:-build}" && pwd)
PATH=$BUILD:$PATH
export CASES ROOT BUILD PATH
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

count=0
same() { # same WHAT EXPECTED-FILE GOT-FILE
    [ -f "$2" ] || set -- "$1" /dev/null "$3"
    diff -u "$2" "$3" >"$scratch/diff" && return 0
    problem="$problem
# $1 differs (- expected, + got):
$(sed 's/^/#   /' "$scratch/diff")"
}

for script in "$CASES"/*.sh; do
    count=$((count + 1))
    name=$(basename "$script" .sh)
    mkdir "$scratch/$name"
    (cd "$scratch/$name" && exec sh -eu "$script") >"$scratch/stdout" 2>"$scratch/stderr" </dev/null
    echo $? >"$scratch/exit"
    here=$(cd "$scratch/$name" && pwd -P) # messages name the current folder
    for said in stdout stderr; do
        sed "s|$here|HERE|g" "$scratch/$said" >"$scratch/told" && mv "$scratch/told" "$scratch/$said"
    done
    expected=$CASES/$name.exit
    [ -f "$expected" ] || { expected=$scratch/zero; echo 0 >"$expected"; }
    problem=
    same "standard output" "$CASES/$name.stdout" "$scratch/stdout"
    same "standard error" "$CASES/$name.stderr" "$scratch/stderr"
    same "exit status" "$expected" "$scratch/exit"
    if [ -z "$problem" ]; then
        echo "ok $count - $name"
    else
        echo "not ok $count - $name$problem"
    fi
done
echo "1..$count"
