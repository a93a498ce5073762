#!/bin/sh
# A sweep over several hosts with GNU parallel: one share for each slot, here in the same folder on every host. HOSTS is
# a list for --sshlogin, as in HOSTS=2/alpha,4/beta; without it, two workers on this machine.
#
#     HOSTS=2/alpha,4/beta examples/cluster/parallel.sh 6 examples/playable.lua seed=1..200 talus=8,16 -o out
#
set -eu
shares=$1
shift
seq "$shares" | parallel --will-cite --sshlogin "${HOSTS:-2/:}" --workdir "$PWD" \
    "${ESKER:-esker} sweep" "$@" "-q -j 1 --shard {}/$shares"
for word; do # the folder is what comes after -o
    [ "${before:-}" = -o ] && exec "${ESKER:-esker}" sweep --merge -o "$word"
    before=$word
done
