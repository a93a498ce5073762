#!/bin/sh
# What a sweep's folder says, and where its links lead, when it comes from a stranger or a failing disk. Prints TAP.
set -u
. "$(dirname "$0")/support/scratch.sh"
unset SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_COUNT SLURM_ARRAY_TASK_MIN
reason() { head -5 message; }
cat >recipe.lua <<'LUA'
local p = params{ seed = 1 }
return { land = esker.spectral{ size = 16, seed = p.seed }, n = p.seed + 0.123456 }
LUA
esker sweep recipe.lua seed=1..3 -o good -q
mkdir victim victim/deep
anew() { # out/ and victim/ as they were
    rm -rf out victim/*
    mkdir victim/deep
    echo precious | tee victim/file >victim/deep/file
    cp -r good out
}
untouched() {
    [ "$(cat victim/file)" = precious ] && [ "$(cat victim/deep/file)" = precious ] && [ "$(find victim | wc -l)" = 4 ]
}
again() { timeout 60 esker sweep recipe.lua seed=1..4 -o out -q "$@" >/dev/null 2>message; }

# --- links ---
anew
ln -s ../victim out/unfinished
again && untouched && [ "$(sed 1d out/table.csv | wc -l)" = 4 ]
check "what a killed sweep left is a link: the link goes, not what it leads to" $?
anew
mkdir out/unfinished && ln -s ../../victim out/unfinished/inner
again && untouched
check "so do links inside" $?
for name in journal sweep.txt journal.lock; do
    anew
    rm -f out/$name
    ln -s ../victim/file out/$name
    again
    [ $? = 1 ] && untouched && grep -q "'out/$name': it is a link" message
    check "$name is a link: an error that names it" $?
done
anew
rm out/journal && ln victim/file out/journal
again
[ $? = 1 ] && untouched && grep -q "journal" message
check "a journal that has another name, too" $?
anew
mv out/runs elsewhere && ln -s ../victim out/runs
again
[ $? = 1 ] && untouched && grep -q "'out/runs': it is not a folder, or a link to one" message
check "the folder of the runs is a link" $?
rm -rf elsewhere
anew
rm out/journal && mkfifo out/journal
again
[ $? = 1 ] && grep -q "'out/journal' is not a plain file" message
check "a journal that is a pipe is no journal" $?
wrong=0
for name in table.csv index.html table.sqlite; do
    anew
    rm -f out/$name
    ln -s ../victim/file out/$name
    again --sqlite 2>/dev/null || esker sweep --merge -o out -q 2>message || wrong=1
    untouched && { [ ! -e out/$name ] || [ ! -L out/$name ]; } || wrong=1
done
check "tables and pages take the place of links" $wrong
mkdir others && echo mine >others/table.csv && ! esker sweep recipe.lua seed=1..2 -o others -q 2>message &&
    grep -q "others/table.csv is not Esker's, and would be replaced" message && [ "$(cat others/table.csv)" = mine ] && [ "$(ls others)" = table.csv ]
check "but not that of another program's table" $?
mkdir swept && echo 'names of sweeps' >swept/sweep.txt && ! esker sweep recipe.lua seed=1..2 -o swept -q 2>message &&
    grep -q "swept/sweep.txt is damaged" message && [ "$(cat swept/sweep.txt)" = 'names of sweeps' ] && [ "$(ls swept)" = sweep.txt ]
check "nor that of another program's sweep.txt" $?
mkdir -p begun/unfinished && echo mine >begun/unfinished/novel.txt && ! esker sweep recipe.lua seed=1..2 -o begun -q 2>message &&
    grep -q "begun/unfinished/ is not Esker's" message && [ "$(cat begun/unfinished/novel.txt)" = mine ]
check "nor that of a user's folder" $?
mkdir diary && printf 'dear diary' >diary/journal && ! esker sweep recipe.lua seed=1..2 -o diary -q 2>message &&
    grep -q "diary/journal is not Esker's" message && [ "$(cat diary/journal)" = 'dear diary' ] && [ "$(ls diary)" = journal ]
check "nor of a user's journal" $?
anew
ln -s out linked
esker sweep recipe.lua seed=1..4 -o linked -q 2>message && [ "$(sed 1d out/table.csv | wc -l)" = 4 ] && [ -L linked ]
check "the output folder itself may be a link, which the user typed" $?
esker sweep --merge -o good -q --sheet before.png 2>message
if ! grep -q cairo message; then
    anew
    for run in out/runs/*; do
        cp "$run/land.png" stolen.png && ln -sf ../../../stolen.png "$run/land.png"
    done
    esker sweep --merge -o out -q --sheet sheet.png 2>message && esker sweep recipe.lua seed=1..3 -o bare -q --no-pictures --sheet bare.png &&
        cmp -s sheet.png bare.png && ! grep -q 'land.png' out/index.html
    check "a sheet and a page show no picture that is a link" $?
    anew
    set -- out/runs/*
    head -c 100 "$1/land.png" >cut.png && mv cut.png "$1/land.png"
    printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\40\0\0\0\40\0\10\0\0\0\0\127\301\225\205\0\0\0\1IDAT' >"$2/land.png"
    rm -f sheet.png
    esker sweep --merge -o out --sheet sheet.png 2>message
    [ $? = 1 ] && grep -q "^esker: the sheet lacks 2 pictures that cannot be read: .*$1/land.png: it is trunc" message &&
        grep -q "$2/land.png: its size is 8192 × 8192 pixels; 1 to 16777216 are allowed" message && [ -s sheet.png ] &&
        ! cmp -s sheet.png before.png && ! cmp -s sheet.png bare.png && [ "$(sed 1d out/table.csv | wc -l)" = 3 ]
    check "a sheet is written without those that cannot be read, and says so" $?
fi

anew
ln -s ../victim out/sub
echo 'esker.spectral{ size = 16 }:save("sub/file.png") return { n = 1 }' >save.lua
cp victim/file victim/file.png
for trust in --quiet --trust; do
    esker save.lua -o out $trust >/dev/null 2>message
    [ $? = 1 ] && grep -q "cannot write 'out/sub/file.png': links in an output folder are not followed" message &&
        [ "$(cat victim/file.png)" = precious ]
    check "a recipe saves through no link in its output folder ($trust)" $?
done

# --- what cannot be read ---
if command -v strace >/dev/null; then
    failing() { # failing FILE CALL WORDS…: esker, where the call fails on the file
        file=$1 call=$2
        shift 2
        strace -f -qq -o trace -P "$scratch/$file" -P "$file" -e inject="$call:error=EIO" esker "$@" >printed 2>message
        status=$?
        [ $status = 1 ] && grep -q "'$file'" message && grep -q "Input/output error" message && [ ! -s printed ]
    }
    anew
    cp out/table.csv before
    failing out/journal read sweep --merge -o out -q && cmp -s before out/table.csv
    check "a journal that cannot be read is an error, and the table stays" $?
    failing out/journal read table out
    check "in esker table, too" $?
    failing out/journal read sweep recipe.lua seed=1..3 -o out -q && cmp -s before out/table.csv
    check "and in a sweep" $?
    failing out/sweep.txt read sweep recipe.lua seed=1..3 -o out -q && grep -q recipe-hash out/sweep.txt
    check "so is the folder's own file" $?
    failing out getdents64 sweep --merge -o out -q && cmp -s before out/table.csv
    check "a folder that cannot be listed" $?
    failing out/runs/"$(ls out/runs | head -1)" getdents64 sweep --merge -o out -q
    check "and a run's" $?
    esker tiles recipe.lua --levels 0 --shard 1/1 -q
    failing tiles.pmtiles.parts/plan read tiles --merge && failing tiles.pmtiles.parts/plan read tiles recipe.lua --levels 0 &&
        [ -s tiles.pmtiles.parts/plan ] && esker tiles --merge -q 2>message
    check "and a plan of tiles" $?
fi
if command -v strace >/dev/null; then
    echo 'local f = esker.spectral{ size = 64 } f:save("h.asc") f:save("h.png") f:save("h.pgm") return { n = 1 }' >save.lua
    esker save.lua -q >/dev/null
    wrong=0
    for file in h.asc h.png h.pgm; do
        echo "return { h = esker.load('$file'):hash() }" >load.lua
        for call in 1 2; do
            strace -f -qq -o trace -P "$scratch/$file" -e inject="read:error=EIO:when=$call" esker load.lua -q >printed 2>message
            [ $? = 1 ] && [ ! -s printed ] && grep -q "cannot read '$file': reading it failed" message || { wrong=1; cp message wrong; }
        done
    done
    [ $wrong = 0 ] || cp wrong message
    check "a picture or heights that cannot be read to the end are an error" $wrong
    strace -f -qq -o trace -P "$scratch/h.png" -e inject="read:error=EIO:when=1" esker info h.png >printed 2>message
    [ $? = 1 ] && [ ! -s printed ] && grep -q "cannot read 'h.png': reading it failed" message
    check "and what a picture says of itself" $?
    echo 'return 1' >module.lua
    echo 'return { n = require "module" }' >requires.lua
    strace -f -qq -o trace -P "$scratch/module.lua" -e inject="read:error=EIO:when=2" esker requires.lua --trust >printed 2>message
    [ $? = 1 ] && grep -q "module.lua" message && grep -q 'Input/output error' message
    check "and a module" $?
fi
anew
cp out/table.csv before
sed -i '2s/.*/abc\tdone\tx/' out/journal
esker sweep --merge -o out -q 2>message
[ $? = 1 ] && grep -q 'out/journal is damaged: line 2 is not a record of a run' message && cmp -s before out/table.csv
check "a damaged journal is an error, and the table stays" $?
reads() { # reads PATTERN COMMAND…: an error that says so, and no table
    pattern=$1
    shift
    cp out/table.csv before
    timeout 60 esker "$@" >printed 2>message </dev/null
    [ $? = 1 ] && grep -q "$pattern" message && [ ! -s printed ] && cmp -s before out/table.csv
}
wrong=0
for name in journal journal-2-of-3 sweep.txt shares/1-of-1-abc; do
    for kind in pipe folder link; do
        anew
        rm -f out/$name
        case $kind in
        pipe) mkfifo out/$name ;;
        folder) mkdir out/$name ;;
        link) ln -s /dev/zero out/$name ;;
        esac
        pattern="'out/$name' is not a plain file\|'out/$name': it is a link"
        reads "$pattern" sweep --merge -o out && { [ $name = shares/1-of-1-abc ] || reads "$pattern" table out; } ||
            { echo "$name $kind" >>message; wrong=1; break 2; }
    done
done
check "a journal, or another file of a sweep, that is no plain file is not taken for a missing one" $wrong
for kind in empty missing; do
    anew
    rm out/journal
    [ $kind = missing ] || : >out/journal
    reads 'out has no finished run' sweep --merge -o out && reads 'out has no finished run' table out &&
        again && [ "$(sed 1d out/table.csv | wc -l)" = 4 ]
    check "nor is a sweep without runs a table ($kind journal)" $?
done
anew
head -c -4 out/journal >cut && cp cut out/journal
esker sweep recipe.lua seed=9 -o out -q && [ "$(grep -c '.123456,done' out/table.csv)" = 3 ] && [ "$(wc -l <out/table.csv)" = 4 ] &&
    esker sweep recipe.lua seed=1..3 -o out -q && [ "$(wc -l <out/journal)" = 4 ] &&
    [ "$(grep -c '.123456,done' out/table.csv)" = 4 ]
check "what a crash left of a line goes" $?

# --- what a run says ---
cat >forged.lua <<'LUA'
local p = params{ n = 1 }
local line = { "ffff\tdone\tnan\t1\t\tpn=n1\trv=n5", "ffff\tdone\t1e9\t1\t\tpn=n1\trv=n5", "ffff\tdone\t1\t-5\t\tpn=n1\trv=n5",
    "ffff\tdone\t1\t1\t\tpn=n1\tr{x}=n5", "ffff\tdone\t1\t1\t\tpn=n1\trv=nhello", "ffff\todd\t1\t1\t\tpn=n1\trv=n5",
    "ffff\tdone\t99999\t1\t\tpn=n1\trv=n5" }
local name = io.popen("ls -d forged/unfinished/*"):read() .. "/record"
local file = io.open(name, "w")
file:write(line[p.n], "\n")
file:close()
os.exit(0)
LUA
timeout 60 esker sweep forged.lua n=1..7 -o forged -j 1 -q --trust 2>message
[ "$(cut -d, -f1-3 forged/table.csv | tr '\n' ' ')" = 'n,v,status 1,,crashed 2,,crashed 3,,crashed 4,,crashed 5,,crashed 6,,crashed 7,5,done ' ] &&
    tail -1 forged/table.csv | awk -F, '{ exit !($4 < 60) }'
check "records that no run writes are none, and no run took longer than it did" $?

# --- commands that are pasted ---
commands() { sed -n 's/.*"commands":\(\[.*\]\),"rows":.*/\1/p' "$1/index.html"; }
withheld="\"(not shown: it is no plain command of esker's)\""
for said in '\21touch pwned #' '\ntouch pwned #' '\27[201~\ntouch pwned' '\xc2\x9b' '\u{202e}'; do
    rm -rf pasted
    printf '%s\n' "params{ seed = 1, note = \"x$said\" }" 'return { x = 1, h = esker.spectral{ size = 8 } }' >pasted.lua
    esker sweep pasted.lua seed=1..2 -o pasted -q 2>message && [ "$(commands pasted)" = "[$withheld,$withheld]" ] &&
        esker info "pasted/runs/$(ls pasted/runs | head -1)/h.png" >printed 2>message && grep -q '^make again *(not shown' printed
    check "no command is shown that would type more than it shows (after $count)" $?
done
anew
sed -i 's/^recipe\t.*/&\x15touch pwned #/' out/sweep.txt && esker sweep --merge -o out -q 2>message &&
    [ "$(commands out)" = "[$withheld,$withheld,$withheld]" ]
check "nor one that a stranger's folder brings" $?

# --- cells and columns ---
cat >cells.lua <<'LUA'
local p = params{ seed = 1, name = "a" }
local t = { seed = -p.seed, NAME = "b", status = "fine", minus = -1.5, text = "-1.5", formula = "=1+1", at = "@x", more = "+cmd|' /C calc'!A0",
    dash = "-2+3", quoted = "'=x", plain = "it's", comma = "=a,\"b\"" }
return t
LUA
esker sweep cells.lua seed=1..2 'name==1+1,-x' -o cells -q
lua5.4 - cells/table.csv >message <<'LUA'
local text = io.open(arg[1]):read("a")
assert(text:find("\n1,'-x,b,'@x,\"'=a,\"\"b\"\"\",'-2+3,'=1+1,-1.5,'+cmd|' /C calc'!A0,it's,''=x,-1,fine,-1.5,done,", 1, true), text)
assert(text:find("^seed,name,result.NAME,at,comma,dash,formula,minus,more,plain,quoted,result.seed,result.status,text,status,"), text)
LUA
check "no cell is a formula, numbers stay numbers, no two columns have one name" $?
echo 'local p = params{ seed = 1 } return { seed = 1, Seed = 2, SEED = 3, a = 4, A = 5 }' >alike.lua
esker sweep alike.lua seed=1 -o alike -q 2>message && head -1 alike/table.csv >printed &&
    [ "$(cat printed)" = 'seed,A,result.SEED,result.Seed~3,result.a,result.seed~4,status,seconds,memory_mb,message,key' ]
check "nor if they differ only in case" $?
printf "seed,name\n1,'=1+1\n2,\"'-x, \"\"y\"\"\"\n" >from.csv
esker sweep cells.lua --from from.csv --dry-run >printed 2>message
printf 'seed=1 name==1+1\nseed=2 name=-x, "y"\n2 runs\n' | diff printed - >message
check "and reads back as it was" $?
echo 'local p = params{ seed = 1 } return { a = "a;=1+1", b = "b\t=1+1" }' >split.lua
esker sweep split.lua seed=1 -o split -q 2>message && grep -q '^1,"a;=1+1","b	=1+1",done' split/table.csv
check "a cell that another separator would split is quoted" $?
if command -v sqlite3 >/dev/null; then
    esker sweep cells.lua seed=1..2 -o cells2 -q --sqlite 2>message &&
        [ "$(sqlite3 cells2/table.sqlite 'SELECT sum("result.seed"), sum(seed), max("result.NAME"), max(name), max(formula) FROM runs')" = '-3|3|b|a|=1+1' ]
    check "a database has columns whose names clash" $?
    cat >wide.lua <<'LUA'
local p = params{ seed = 1 }
local t = {} for i = 1, 1000 do t["c" .. p.seed * 1000 + i] = i end
return t
LUA
    esker sweep wide.lua seed=1..2 -o wide -q --sqlite 2>message
    [ $? = 1 ] && grep -q "cannot write 'wide/table.sqlite': a table of SQLite has at most 2000 columns, this one has 2006" message &&
        [ "$(sed 1d wide/table.csv | wc -l)" = 2 ] && [ ! -e wide/table.sqlite ]
    check "and says how many columns it can have" $?
fi
cat >names.lua <<'LUA'
local p = params{ seed = 1 }
local t = { same = p.seed } for i = 1, p.seed < 5 and 900 or 1000 do t[("c%d_%d"):format(p.seed, i)] = i end
return t
LUA
esker sweep names.lua seed=1..5 -o names 2>message
[ "$(head -1 names/table.csv | tr ',' '\n' | wc -l)" = 2006 ] && head -1 names/table.csv | grep -q ',same,' &&
    grep -q 'the runs returned 3601 different results; the table has the 2000 most frequent' message &&
    grep -q '^5,.*,failed,.*it has 1001 results that are numbers or texts; a table takes 1000 of a run' names/table.csv
check "a run has at most 1,000 results, a table those 2,000 that most runs have" $?
esker sweep recipe.lua seed=1,1,2,1,2,1,1 -j 4 -o twice 2>message && [ "$(sed 1d twice/table.csv | grep -c ',done,')" = 2 ] &&
    [ "$(wc -l <twice/journal)" = 2 ] && grep -q '2 runs, 2 of them new, 0 failed' message
check "a value that is given twice runs once" $?
echo "1..$count"
