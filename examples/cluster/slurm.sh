#!/bin/sh
# A sweep as a Slurm array: each task takes its share of the runs (SLURM_ARRAY_TASK_ID of SLURM_ARRAY_TASK_COUNT, which
# esker reads), all write into one folder on the shared file system. Submit it, then join the tables:
#
#     sbatch --wait --array=1-8 examples/cluster/slurm.sh examples/playable.lua seed=1..200 talus=8,12,16,20 -o out
#     esker sweep --merge -o out
#
# To run some shares again, say how many there are: sbatch --export=ALL,SHARES=8 --array=3,5 examples/cluster/slurm.sh …
#
#SBATCH --job-name=esker
#SBATCH --cpus-per-task=1
#SBATCH --output=esker-%A-%a.log
exec "${ESKER:-esker}" sweep "$@" -j "${SLURM_CPUS_PER_TASK:-1}" ${SHARES:+--shard "$SLURM_ARRAY_TASK_ID/$SHARES"}
