#!/bin/sh
# Recipes that attack (tests/attacks), some with a command of their own, "-- esker WORDS", in folders that are laid for
# them: each ends within its time limit plus a second, counted in processor time of all
# processors, and its memory limit plus 64 MiB, learns nothing, and leaves everything outside its output folder as it
# was. Arguments: some of them; ATTACKS: the pattern of their names. DENY: what goes before the program. Prints TAP.
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/${ESKER_BUILD:-build}
attacks=${*:-$(ls "$root"/tests/attacks/${ATTACKS:-*}.lua)}
seconds=${SECONDS_EACH:-0.1} megabytes=${MEGABYTES:-64}
longest=$(awk "BEGIN { print (1000 * $seconds + 1000) * $(nproc) }")
scratch=$(mktemp -d)
trap 'stop_flipping; rm -rf "$scratch"' EXIT
mkdir "$scratch/in" && cd "$scratch/in" || exit 1

# --- what is there to be read, written and followed ---
mkdir recipe recipe/inside secret out
echo 'return { x = esker.spectral{ size = 8 } }' >make.lua
"$build/esker" make.lua -o secret -q && mv secret/x.png secret/secret.png
printf 'return "SECRET"\n' >secret/secret.lua
printf 'while true do end\n' >recipe/endless.lua
cp secret/secret.png recipe/broken.png && printf 'broken' | dd of=recipe/broken.png bs=1 seek=60 conv=notrunc 2>/dev/null
# A header of 65536 × 65536 pixels; one whose chunk claims two gigabytes; none at all.
printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\1\0\0\0\1\0\0\20\0\0\0\0\240\23\63\266' >recipe/huge.png
printf '\211PNG\r\n\032\n\177\377\377\377tEXtkey' >recipe/text.png
: >recipe/empty.png
mkfifo recipe/pipe.png
ln -s ../secret/secret.png recipe/link.png
ln -s ../secret/secret.lua recipe/link.lua
ln -s ../secret recipe/linkdir
mkdir secret/2024 secret/0 secret/inner && echo SECRET | tee secret/note secret/0/note >secret/2024/note
mkdir grids && printf 'ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n3 4\n' >grids/dem.asc
for ending in asc.json asc.hdr asc.msk asc.aux.xml hdr sgrd rdc tfw wld; do
    ln -s ../secret/secret.png grids/dem.$ending
done
ln -s ../secret/note grids/dem.prj
printf 'path\nsecret/secret.png\n' >grids/design.csv
mkdir flip
ln -s ../flip/read recipe/race
# What an output folder holds before its recipe runs.
mkdir -p laid/inside laid/page/api/cells laid/forged.parts laid/sets
ln -s ../secret laid/outlink
ln -s ../secret/secret.png laid/link.png
ln -s ../flip/write laid/race
ln -s ../../../../secret laid/page/api/cells/1
ln -s ../secret laid/tiles.parts
ln -s ../secret laid/forged && : >laid/forged.parts/joining
ln -s ../../secret/inner laid/sets/height-relief
flip() { # FOLDER FOLDER: links that now lead inside and now do not, for the attacks that race
    ln -sfn "$1" flip/read
    ln -sfn "$2" flip/write
}
flip ../recipe/inside ../out/inside
start_flipping() {
    while flip ../secret ../secret; do
        flip ../recipe/inside ../out/inside
    done 2>/dev/null &
    flipper=$!
}
stop_flipping() {
    { [ -z "$flipper" ] || { kill "$flipper" && wait "$flipper"; }; } 2>/dev/null
    flipper=
}
flipper=

# Whether a terminal would only show these files: UTF-8 without control characters and without those that reorder text.
# What was cut off in the middle of a character is made whole.
is_visible() {
    for file; do
        [ -s "$file" ] || continue
        if LC_ALL=C grep -qaP '[\x00-\x08\x0b-\x1f\x7f]|\xC2[\x80-\x9F]|\xE2\x80[\x8B-\x8F\xA8-\xAE]|\xE2\x81[\xA0-\xAF]' "$file" ||
            ! head -c 900000 "$file" | sed '$s/[^ -~]*$//' | iconv -f UTF-8 -t UTF-8 >/dev/null 2>&1; then
            return 1
        fi
    done
}

# Starting a program takes longer than most that follow: one look at both files, closer ones where there is something.
plain_lines() { # FILE …: whether they have visible ASCII alone, and no secret
    ! LC_ALL=C grep -qaP '[^\t\n\x20-\x7e]|LEAK( |$)|SECRET' "$@"
}

outside() {
    find .. \( -path ../in/out -o -path ../in/flip -o -name attack.lua -o -path '../in/[abmpr]*' -type f \) -prune \
        -o -type f -printf '%p %s %m %T@\n' -o -type l -printf '%p %l\n'
    cksum secret/*
}

set -- $attacks
outside >before 2>/dev/null
all=$(ls "$root"/tests/attacks/*.lua | wc -l)
echo "1..$(($# == all ? $# + 3 : $#))"
count=0
for attack; do
    count=$((count + 1))
    name=${attack##*/} name=${name%.lua}
    rm -rf out
    cp -a laid out
    cp "$attack" recipe/attack.lua
    case $name in *race*) start_flipping ;; esac
    read -r words <recipe/attack.lua
    case $words in '-- esker '*) words=${words#-- esker } ;; *) words= ;; esac
    case $words in explore*) limit=128 ;; *) limit=$megabytes ;; esac # the least that it takes
    case $name in
    parent-*) time=2 ;;                                          # leads the parent, once the recipe has ended
    loop*) time=$(awk "BEGIN { print $seconds / 2 }") ;; # takes all of it
    *) time=$seconds ;;
    esac
    # shellcheck disable=SC2086
    $build/tests/attacks/measure report $DENY "$build/esker" ${words:-recipe/attack.lua -o out} --time-limit $time \
        --memory-limit $limit 2>message | head -c 1000000 >printed
    stop_flipping
    read -r status took kibibytes <report
    outside >after 2>/dev/null
    wrong=
    # 141: nobody reads what it prints any more
    case $status in 0 | 1 | 2 | 141) ;; *) wrong="status $status" ;; esac
    [ "$took" -le "$longest" ] || wrong="$wrong, $took ms"
    [ "$kibibytes" -le $(((limit + 64) * 1024)) ] || wrong="$wrong, $kibibytes KiB"
    if ! plain_lines printed message; then
        grep -qaE 'LEAK( |$)|SECRET' printed message && wrong="$wrong, $(grep -aE 'LEAK|SECRET' printed message | head -1)"
        is_visible printed message || wrong="$wrong, control characters"
    fi
    cmp -s before after || { wrong="$wrong, $(diff before after | head -3 | tr '\n' ' ')" && mv after before; }
    if [ "$wrong" ]; then
        echo "not ok $count - $name # $wrong: $(head -c 300 message)" | tee /dev/stderr
    else
        echo "ok $count - $name ($took ms, $((kibibytes / 1024)) MiB)"
    fi
done

[ $# = "$all" ] || exit 0

# --- the session outlives them ---
some='loop pattern-lazy memory-fragments memory-fields escape-error-object escape-poisoned-esker engine-closed-field depth-tables'
for attack in "$root"/tests/attacks/answer-*.lua "$root"/tests/attacks/error-*.lua "$root"/tests/attacks/garbage-*.lua \
    "$root"/tests/attacks/p[ao][ri]*-*.lua "$root"/tests/attacks/terminal-*.lua $(for name in $some; do echo "$root/tests/attacks/$name.lua"; done); do
    cp "$attack" recipe
    echo "run('recipe/$(basename "$attack")')"
done >lines
echo 'land = esker.spectral{ size = 32 } ; print("alive", land.width)' >>lines
"$build/tests/attacks/measure" report "$build/esker" -o out --time-limit $seconds --memory-limit $megabytes <lines >printed 2>message
count=$((count + 1))
read -r status took kibibytes <report
if grep -q '^alive	32' printed && [ "$(grep -c . message)" -ge 6 ] && is_visible printed message &&
    [ "$kibibytes" -le $(((megabytes + 64) * 1024)) ]; then
    echo "ok $count - a session outlives its recipes"
else
    echo "not ok $count - a session outlives its recipes # $(cat report message printed | cut -c1-200 | head -40 | tr '\n' '|')"
fi

# --- and so does a sweep ---
for name in $some; do # a module's name has no dash
    module=$(echo "$name" | tr - _)
    cp "$root/tests/attacks/$name.lua" "recipe/$module.lua"
    printf 'if p.attack == "%s" then require "%s" end\n' "$name" "$module"
done >checks
printf 'if p.attack == "long" then return { x = ("y"):rep(5e6) } end\n' >>checks
{ echo 'local p = params{ attack = "none" }'; cat checks; echo 'return { n = 1 }'; } >recipe/all.lua
"$build/tests/attacks/measure" report "$build/esker" sweep recipe/all.lua "attack=$(echo "$some" | tr ' ' ','),none" -o swept -q --time-limit 1 \
    --memory-limit $megabytes 2>message
# Not under that limit, which a busy machine would let this run into.
"$build/esker" sweep recipe/all.lua attack=long -o swept-long -q 2>>message
sed 1d swept-long/table.csv >>swept/table.csv
count=$((count + 1))
read -r status took kibibytes <report
if [ "$kibibytes" -le $(((megabytes + 64) * 1024)) ] && [ "$(sed 1d swept/table.csv | wc -l)" = 10 ] && grep -q '^none,.*done' swept/table.csv && grep -q '^loop,.*timeout' swept/table.csv &&
    ! grep -q "require" swept/table.csv && grep -q '^long,.*failed.*take 5000' swept/table.csv; then
    echo "ok $count - a sweep outlives its runs"
else
    echo "not ok $count - a sweep outlives its runs # $kibibytes KiB $(cat message swept/table.csv | head -20 | tr '\n' '|')" |
        tee /dev/stderr
fi

# --- what a run prints lies in a file, which its parent does not read whole ---
echo 'local p = params{ n = 1 } while true do print(("x"):rep(2e6)) end' >recipe/loud.lua
"$build/tests/attacks/measure" report "$build/esker" sweep recipe/loud.lua n=1 -o loud -q --time-limit 0.7 --memory-limit 16 2>message
read -r status took kibibytes <report
count=$((count + 1))
if [ "$kibibytes" -le 40960 ] && grep -q timeout loud/table.csv; then
    echo "ok $count - a run that prints without end does not fill its parent's memory ($((kibibytes / 1024)) MiB)"
else
    echo "not ok $count - a run that prints without end does not fill its parent's memory # $kibibytes KiB $(cat message)"
fi
