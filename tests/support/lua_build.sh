# For tests of builds for other processors, which source this file after tap.sh.
build=${ESKER_BUILD:-build}
log=$build/other.log
chunk="package.path = 'tests/?.lua' local fingerprint = require('fingerprint')"
reason() { tail -12 "$log" | cut -c1-160; }
skip() {
    echo "1..0 # SKIP $1"
    exit
}

# same_bytes TARGET COMMAND...: makes Lua with Esker in it (Makefile), and compares what it computes with this machine's.
same_bytes() {
    make -s build/sources/fetched >/dev/null 2>&1 || skip "no sources of libraries (scripts/sources.sh)"
    log=$build/$1.log
    make -s BUILD="$build" "$1" >"$log" 2>&1 || {
        grep -q 'cannot find\|No such file\|not found' "$log" && skip "it cannot be built: $(grep -m1 'cannot find\|No such file\|not found' "$log")"
    }
    shift
    for code in "fingerprint.print_all(2)" "fingerprint.print_windows()"; do
        LUA_CPATH="$build/?.so;;" lua5.4 -e "$chunk $code" >"$log.expected" 2>/dev/null
        "$@" "$chunk $code" 2>&1 | diff "$log.expected" - >"$log" && [ "$(wc -l <"$log.expected")" -gt 50 ]
        check "$code: $(wc -l <"$log.expected") lines are the same" $?
    done
}
