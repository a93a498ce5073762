#!/bin/sh
# The examples for clusters, run for real: make, GNU parallel over two workers, and Slurm on this machine, if they are
# installed (and Slurm may be started: root). Each must give the table of one process. Prints TAP.
set -u
ROOT=$(cd "$(dirname "$0")/../.." && pwd)
ESKER=$ROOT/${ESKER_BUILD:-build}/esker
export ESKER
scratch=$(mktemp -d)
cd "$scratch" || exit 1
chmod 755 "$scratch"
unset SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_COUNT
count=0
lasting() {
    sed -E 's/,[0-9.]+,[0-9.]+,([^,]*,[0-9a-f]+)$/,\1/' "$1"
}
check() { # check NAME FOLDER
    count=$((count + 1))
    if lasting "$2/table.csv" 2>/dev/null | diff expected - >difference 2>&1; then
        echo "ok $count - $1"
    else
        echo "not ok $count - $1"
        head -5 difference | sed 's/^/# /'
    fi
}
skip() {
    count=$((count + 1))
    echo "ok $count - $1 # SKIP $2"
}
cat >recipe.lua <<'LUA'
local p = params{ seed = 1, talus = 8 }
local land = esker.spectral{ size = 64, seed = p.seed }:olsen_erosion{ talus = p.talus, iterations = 5 }
return { land = land, score = land:erosion_score() }
LUA
"$ESKER" sweep recipe.lua seed=1..20 talus=8,16 -o alone -q
lasting alone/table.csv >expected

# A field larger than memory, whose flow must be that of one process.
cat >large.lua <<'LUA'
local ground = esker.noise{ size = 300, seed = 3, wrap = false }:terrace{ steps = 12, sharpness = 0.9, slope = 0 }
return { flow = esker.large{ field = ground, rows = 30 }:flow_accumulation{ sea_level = -1 } }
LUA
"$ESKER" large.lua -o flow -q
check_flow() { # check_flow NAME FOLDER
    count=$((count + 1))
    if cmp flow/flow.npy "$2/flow.npy" >difference 2>&1; then
        echo "ok $count - $1"
    else
        echo "not ok $count - $1"
        sed 's/^/# /' difference log
    fi
}

make -s -j2 -f "$ROOT/examples/cluster/Makefile" SHARES=3 OUT=by-make SWEEP='recipe.lua seed=1..20 talus=8,16' >log 2>&1
check "make" by-make
if command -v parallel >/dev/null; then
    "$ROOT/examples/cluster/parallel.sh" 4 recipe.lua seed=1..20 talus=8,16 -o by-parallel >log 2>&1
    check "GNU parallel over two workers" by-parallel
    for _ in 1 2 3 4 5 6; do
        parallel --will-cite -j2 "$ESKER" large large.lua -o flow-parallel -q -j 1 --shard {}/4 ::: 1 2 3 4
        "$ESKER" large large.lua -o flow-parallel -q --merge
    done >log 2>&1
    check_flow "a large field by GNU parallel" flow-parallel
else
    skip "GNU parallel over two workers" "it is not installed"
    skip "a large field by GNU parallel" "it is not installed"
fi

# A cluster of one node, started for this test alone.
start_slurm() {
    [ "$(id -u)" = 0 ] && command -v slurmctld >/dev/null && command -v munged >/dev/null || return 1
    mkdir -p slurm/state slurm/spool /run/munge
    [ -s /etc/munge/munge.key ] || { dd if=/dev/urandom of=/etc/munge/munge.key bs=1024 count=1 2>/dev/null &&
        chown munge: /etc/munge/munge.key && chmod 400 /etc/munge/munge.key; }
    chown munge: /run/munge && chmod 755 /run/munge
    pgrep -x munged >/dev/null || runuser -u munge -- munged || return 1
    host=$(hostname -s)
    cat >slurm/slurm.conf <<CONF
ClusterName=test
SlurmctldHost=$host
SlurmUser=root
AuthType=auth/munge
StateSaveLocation=$scratch/slurm/state
SlurmdSpoolDir=$scratch/slurm/spool
SlurmctldPidFile=$scratch/slurm/slurmctld.pid
SlurmdPidFile=$scratch/slurm/slurmd.pid
SlurmctldLogFile=$scratch/slurm/slurmctld.log
SlurmdLogFile=$scratch/slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/backfill
SelectType=select/cons_tres
ReturnToService=2
NodeName=$host CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
    export SLURM_CONF="$scratch/slurm/slurm.conf"
    slurmctld && slurmd || return 1
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
        sinfo -h -o %T 2>/dev/null | grep -q idle && return 0
        sleep 1
    done
    return 1
}
stop_slurm() {
    for daemon in slurmd slurmctld; do
        [ -f slurm/$daemon.pid ] && kill "$(cat slurm/$daemon.pid)"
    done
}
if start_slurm; then
    timeout 120 sbatch --wait --array=1-4 "$ROOT/examples/cluster/slurm.sh" recipe.lua seed=1..20 talus=8,16 -o by-slurm \
        >log 2>&1
    "$ESKER" sweep --merge -o by-slurm -q
    check "a Slurm array of four tasks" by-slurm
    "$ROOT/examples/cluster/large.sh" 4 6 "$scratch/large.lua" -o "$scratch/flow-slurm" >log 2>&1
    for _ in $(seq 120); do
        [ -n "$(squeue -h)" ] || break
        sleep 1
    done
    check_flow "a large field by Slurm arrays, each after the one before" flow-slurm
else
    tail -3 slurm/slurmctld.log slurm/slurmd.log 2>/dev/null | sed 's/^/# /'
    skip "a Slurm array of four tasks" "Slurm cannot be started here"
    skip "a large field by Slurm arrays, each after the one before" "Slurm cannot be started here"
fi
stop_slurm 2>/dev/null
sleep 1
echo "1..$count"
rm -rf "$scratch"
