#!/bin/sh
# A field larger than memory by Slurm: in each round an array whose tasks do their shares of the strips, then one task
# that joins what they found; each waits for the one before. Two rounds fill, six also find the flow, and rounds after
# the end do nothing. Prints the number of the last task.
#
#     examples/cluster/large.sh 8 6 land.lua -o out        # 8 shares, 6 rounds
#
# Options of sbatch go in its variables, as in SBATCH_MEM_PER_NODE=2G. Where a task fails those after it stay behind:
# scancel them, and submit the same again. Work that is done is kept.
set -eu
shares=$1 rounds=$2
shift 2
esker=${ESKER:-esker}
after=
for _ in $(seq "$rounds"); do
    task=$(sbatch --parsable ${after:+--dependency=afterok:$after} --array="1-$shares" --cpus-per-task=1 \
        --output=esker-%A-%a.log --wrap "$esker large $* -q -j 1")
    after=$(sbatch --parsable --dependency="afterok:$task" --output=esker-%j.log \
        --wrap "$esker large $* -q --merge")
done
echo "$after"
