#!/bin/sh
# Some seconds of fuzzing (FUZZ_SECONDS for each harness), from small files of every format and from what earlier
# runs on this machine found. Prints TAP.
cd "$(dirname "$0")/.." || exit 1
fuzzers=${FUZZERS:-${ESKER_BUILD:-build}/sanitized}
corpus=${ESKER_BUILD:-build}/corpus
seconds=${FUZZ_SECONDS:-1}
scripts/fuzz-seeds.sh "$corpus" || echo "Bail out! no seeds"
echo "1..6"
mkdir -p "$fuzzers/found"
count=0
for harness in read write map operation serialize request; do
    count=$((count + 1))
    log=$fuzzers/$harness.log
    if "$fuzzers/$harness" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=1500 -print_final_stats=1 \
        -artifact_prefix="$fuzzers/found/$harness-" "$corpus/$harness" >"$log" 2>&1; then
        echo "ok $count - $harness: $(sed -n 's/.*executed_units: *//p' "$log") inputs"
    else
        echo "not ok $count - $harness"
        grep -E 'ERROR|SUMMARY|Test unit|runtime error|#[0-9]+ .*src/' "$log" | head -20 | sed 's/^/# /'
    fi
done
