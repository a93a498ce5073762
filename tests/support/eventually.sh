# For shell tests, which source this file.

# eventually COMMAND …: repeats the command until it succeeds; fails after a minute. A fixed sleep would be too long on
# an idle machine and too short on a busy one.
eventually() {
    tries=600
    until "$@"; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || return 1
        sleep 0.1
    done
}

# processor_time: milliseconds of processor time of all children that this shell has waited for.
processor_time() {
    times >"${TMPDIR:-/tmp}/times.$$"
    awk -F '[ms ]+' 'NR == 2 { printf "%d\n", 1000 * (60 * ($1 + $3) + $2 + $4) }' "${TMPDIR:-/tmp}/times.$$"
    rm -f "${TMPDIR:-/tmp}/times.$$"
}
